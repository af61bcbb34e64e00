"""What the command line is made of; `budget.cli` runs it."""
