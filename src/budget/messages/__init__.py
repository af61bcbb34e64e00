"""Chat histories: fitted so that a valid one stays valid, counted, and validated.

`fit_messages` knows four providers by name; a `MessageFormat` of your own is the one door for
further ones. Provisional in 0.x.
"""

from .fitted import FittedMessages
from .fitting import count_messages, fit_messages
from .prices import Overhead
from .reading import Block, CallKey, MessageFormat, Reading, Result
from .validity import Violation, validate_messages

__all__ = [
    "Block",
    "CallKey",
    "FittedMessages",
    "MessageFormat",
    "Overhead",
    "Reading",
    "Result",
    "Violation",
    "count_messages",
    "fit_messages",
    "validate_messages",
]
