"""What a report is made of; `budget.report` puts it together."""
