"""The adapters, one room per tokenizer; `budget.tokenizers` is their door."""
