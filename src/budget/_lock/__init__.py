"""What a lock is made of; `budget.lock` puts it together."""
