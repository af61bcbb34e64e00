"""Decide what happens to prompt content that doesn't fit its token budget."""

from .counting import (
    CachedCounter,
    CallableCounter,
    EstimatingCounter,
    OverheadCounter,
    ScaledCounter,
    TokenCounter,
)
from .errors import BudgetError, BudgetOverflowError, BudgetPolicyError, CounterError
from .items import BudgetItem, BudgetKind, Diagnostic, FittedItem, OverflowResult
from .overflow import OverflowAction, apply_overflow, survival_limits
from .policy import BudgetLine, BudgetPolicy, PolicyResult, apply_policy
from .truncation import TruncationPolicy, truncate_text

__all__ = [
    "BudgetError",
    "BudgetItem",
    "BudgetKind",
    "BudgetLine",
    "BudgetOverflowError",
    "BudgetPolicy",
    "BudgetPolicyError",
    "CachedCounter",
    "CallableCounter",
    "CounterError",
    "Diagnostic",
    "EstimatingCounter",
    "FittedItem",
    "OverflowAction",
    "OverflowResult",
    "OverheadCounter",
    "PolicyResult",
    "ScaledCounter",
    "TokenCounter",
    "TruncationPolicy",
    "apply_overflow",
    "apply_policy",
    "survival_limits",
    "truncate_text",
]

__version__ = "0.1.0"
