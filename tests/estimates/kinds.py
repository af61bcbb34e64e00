"""The kinds of text in ``corpus.jsonl``: what is meant to be read, and what strains an estimate."""

from typing import Final

NATURAL: Final = (
    "prose-en",
    "prose-de",
    "prose-fr",
    "prose-es",
    "prose-pl",
    "prose-tr",
    "prose-vi",
    "prose-ru",
    "prose-el",
    "prose-ar",
    "prose-he",
    "prose-hi",
    "prose-bn",
    "prose-th",
    "prose-zh",
    "prose-ja",
    "prose-ko",
    "chat-en",
    "chat-emoji",
    "markdown",
    "python",
    "javascript",
    "sql",
    "c",
    "min-js",
    "json-pretty",
    "json-compact",
    "html",
    "paths-urls",
    "log",
)

# No promise is made for these: a run of blanks or lines costs a tokenizer next to nothing;
# digits drawn at random, and formulas of single symbols, cost it more than language does.
UNNATURAL: Final = ("emoji", "math", "table-spaces", "table-box", "csv", "base64", "hex")
