"""What fitting returns."""

from __future__ import annotations

import copy
import json
import pickle

from budget.messages import FittedMessages, fit_messages
from tests.messages.making import FREE, W, says, user
from tests.messages.plans import Message

MESSAGES = [user("SECRET one"), says("two"), user("SECRET three"), says("four"), user("v")]
FITTED = fit_messages(MESSAGES, 4, W, overhead=FREE)


def test_a_result_survives_pickling_and_copying() -> None:
    assert pickle.loads(pickle.dumps(FITTED)) == FITTED  # noqa: S301 - our own bytes
    assert copy.deepcopy(FITTED) == FITTED


def test_a_result_never_shows_a_text() -> None:
    assert "SECRET" not in repr(FITTED)


def test_a_result_as_json_has_all_but_the_messages() -> None:
    assert json.loads(json.dumps(FITTED.to_dict())) == {
        "kept": [2, 3, 4],
        "dropped": [0, 1],
        "cut": [],
        "limit": 4,
        "total_tokens": 4,
        "pinned_tokens": 1,
        "orphans": [],
        "diagnostics": [FITTED.diagnostics[0].to_dict()],
        "overflowed": True,
    }


def test_the_messages_are_a_new_list() -> None:
    whole: FittedMessages[Message] = fit_messages(MESSAGES, 99, W)
    assert whole.messages == MESSAGES
    assert whole.messages is not MESSAGES


def test_an_iterator_of_messages_is_read_once() -> None:
    assert fit_messages(iter(MESSAGES), 4, W, overhead=FREE) == FITTED
