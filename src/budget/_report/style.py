"""How the page looks: light and dark, wide and narrow, on screen and on paper."""

from __future__ import annotations

from typing import Final

STYLE: Final = """
.budget-report {
  --paper: #fff; --ink: #1b1f24; --soft: #57606a; --rule: #d0d7de; --track: #eaeef2;
  --kept: #1f6feb; --cut: #bf8700; --joins: #8250df; --dropped: #cf222e;
  color-scheme: light; box-sizing: border-box; max-width: 64rem; margin: 0 auto;
  padding: 1.5rem 1rem 3rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere;
}
@media (prefers-color-scheme: dark) {
  .budget-report {
    --paper: #0d1117; --ink: #e6edf3; --soft: #9198a1; --rule: #30363d; --track: #2b313a;
    --kept: #4493f8; --cut: #d29922; --joins: #ab7df8; --dropped: #f85149; color-scheme: dark;
  }
}
.budget-report h1 { font-size: 1.5rem; margin: 0 0 .5rem; }
.budget-report h2 { font-size: 1.15rem; margin: 2rem 0 .75rem; }
.budget-report h3 { font-size: 1rem; margin: 0; font-weight: 600; }
.budget-report p { margin: .25rem 0; }
.budget-report ul { list-style: none; margin: 0; padding: 0; }
.budget-report svg { display: block; width: 100%; }
.budget-report .soft, .budget-report dd { color: var(--soft); }
.budget-report .lines li { margin: 0 0 .9rem; }
.budget-report .lines li:first-child { padding-bottom: .9rem;
  border-bottom: 1px solid var(--rule); }
.budget-report .lines svg { height: 1.1rem; margin: .2rem 0; }
.budget-report .numbers { font-size: .875rem; color: var(--soft);
  font-variant-numeric: tabular-nums; }
.budget-report .numbers span { white-space: nowrap; }
@media (min-width: 48rem) {
  .budget-report .lines li { display: grid; grid-template-columns: 9rem 1fr; column-gap: 1rem; }
  .budget-report .lines .numbers { grid-column: 2; margin-top: 0; }
}
.budget-report .key { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 0 0 1.25rem;
  font-size: .875rem; }
.budget-report .key li { display: flex; align-items: center; gap: .4rem; }
.budget-report .key svg { width: 1.1rem; height: .8rem; }
.budget-report .kept { fill: var(--kept); }
.budget-report .cut { fill: var(--cut); }
.budget-report .joins { fill: var(--joins); }
.budget-report .free { fill: var(--track); }
.budget-report .limit { fill: var(--ink); }
.budget-report .dropped { fill: var(--dropped); fill-opacity: .25; stroke: var(--dropped);
  vector-effect: non-scaling-stroke; }
.budget-report .curves { display: grid; gap: 1.5rem;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr)); }
.budget-report figure { margin: 0; max-width: 30rem; }
.budget-report .axis { stroke: var(--rule); fill: none; }
.budget-report .step { stroke: var(--kept); stroke-width: 2; fill: none; stroke-linejoin: round; }
.budget-report .area { fill: var(--kept); fill-opacity: .12; }
.budget-report .today { stroke: var(--ink); stroke-width: 1.5; stroke-dasharray: 4 3; }
.budget-report text { font-size: 12.5px; fill: var(--soft); }
.budget-report text.mark { fill: var(--ink); font-weight: 600; }
.budget-report table { width: 100%; border-collapse: collapse; font-size: .875rem; }
.budget-report caption { text-align: left; color: var(--soft); padding-bottom: .5rem; }
.budget-report th, .budget-report td { text-align: left; padding: .35rem .75rem .35rem 0;
  border-bottom: 1px solid var(--rule); vertical-align: top; background: none; }
.budget-report .number { text-align: right; font-variant-numeric: tabular-nums;
  white-space: nowrap; }
.budget-report details { margin: .5rem 0; }
.budget-report summary { cursor: pointer; }
.budget-report pre { white-space: pre-wrap; border-left: 3px solid var(--rule);
  padding-left: .75rem; font-size: .8125rem; }
@media (max-width: 40rem) {
  .budget-report thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px;
    overflow: hidden; }
  .budget-report tr { display: block; padding: .5rem 0; border-bottom: 1px solid var(--rule); }
  .budget-report th[scope=row], .budget-report td { display: inline-block; border: 0; padding: 0;
    margin-right: 1rem; }
  .budget-report th[scope=row], .budget-report td:last-child { display: block; margin: 0; }
  .budget-report td::before { content: attr(data-name) ": "; color: var(--soft); }
}
@media print {
  .budget-report { --paper: #fff; --ink: #000; --soft: #444; --rule: #bbb; --track: #eee;
    --kept: #1f6feb; --cut: #bf8700; --joins: #8250df; --dropped: #cf222e;
    color-scheme: light; max-width: none; padding: 0; print-color-adjust: exact; }
  .budget-report li, .budget-report figure, .budget-report tr { break-inside: avoid; }
}
"""
