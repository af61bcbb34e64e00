"""One fixture: the adapter that a test is about."""

import pytest

from tests.integration.tokenizers.adapters import MAKERS, Adapter, adapter


@pytest.fixture(params=MAKERS)
def each(request: pytest.FixtureRequest) -> Adapter:
    return adapter(request.param)
