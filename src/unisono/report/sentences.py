# SPDX-License-Identifier: MIT
"""A result in sentences: what a value means, one sentence for a methods section, which papers to cite.

Each sentence is written once, for Markdown and LaTeX; a style says how symbols, numbers and citations are written.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from unisono.measures import MEASURES
from unisono.measures.papers import Paper
from unisono.nouns import quantity
from unisono.report import visible
from unisono.report.notation import TYPESET, Notation, bounds, level_percent, number, percentage, plus_minus, typeset

if TYPE_CHECKING:  # results load numpy, which `unisono --help` does without
    from unisono.results import Interval, MeasureValue, Result

#: Shown beside every value: on the terminal, in reports and on the page.
NO_THRESHOLD = (
    "No threshold for a good value holds everywhere. Compare with values of the same kind of task, measured with the "
    "same parameters, and look at what the annotators disagree on."
)
#: Explains the table of `sensitivity`.
SENSITIVITY = (
    "Each row makes one choice differently, with 30 random continua of each document, drawn with the same random "
    "numbers in every row; the first row has the choices as they were."
)
#: Categories whose values fit into a sentence.
MOST_CATEGORIES = 12
#: What each kind of interval of a value expresses. The interval `chance` is none of them: it is the computation error.
INTERVAL_MEANINGS = {
    "documents": "uncertainty over documents",
    "stretches": "uncertainty over stretches of the document",
}
#: What each kind of interval is over, as shown behind its numbers.
OVER = {"documents": "over documents", "stretches": "over stretches"}
#: What the computation error is.
COMPUTATION_ERROR = "computation error"
FROM_SAMPLES = "from the finite number of samples"
DRAWN_AGAIN = "other random samples may change the value by about this much"
#: Where the scale of a value may start: the highest of these that is not above the value and its interval.
SCALE_STARTS = (-0.05, -0.5, -1.0)
#: The labels at both ends of the scale.
SCALE_LABELS = {0: "chance", 1: "full agreement"}


def scale_start(lowest: float) -> float:
    """Where the scale of a value starts, by the lowest number that it must show.

    >>> scale_start(0.3), scale_start(-0.2), scale_start(-3.0)
    (-0.05, -0.5, -1.0)
    """
    return next((start for start in SCALE_STARTS if lowest >= start), SCALE_STARTS[-1])


def lowest_shown(value: MeasureValue) -> float:
    """The lowest number that a scale of the value must show: chance, the value, or the end of its interval."""
    interval = main_interval(value)
    return min(0.0, value.value or 0.0, interval.low if interval else 0.0)


def symbol(measure: str) -> str:
    """How a measure is written: γ, κ; its name where it is not ours."""
    return MEASURES[measure].symbol if measure in MEASURES else measure


def is_corrected(measure: str) -> bool:
    """Whether 0 is what chance gives; assumed of measures that are not ours."""
    return measure not in MEASURES or MEASURES[measure].is_corrected


def meaning(measure: str, value: MeasureValue) -> str:
    """What a value says, in one or two sentences without a judgement.

    >>> from unisono.results import MeasureValue
    >>> meaning("gamma", MeasureValue(0.618, observed=0.382, expected=1.0))
    'The annotators agree better than chance: their disorder is 38 % of what chance gives.'
    """
    name = symbol(measure)
    if value.value is None:
        if value.per_category:
            return "One value for each category: see the categories below."
        return f"{name} has no value here: {value.reason}."
    if not is_corrected(measure):
        return f"{percentage(value.value)} on a scale that ends at 100 %; chance is not taken into account."
    if value.value == 1:
        return "The annotators agree on everything that this measure looks at."
    what = "disorder" if measure in ("gamma", "soft-gamma", "text-gamma") else "disagreement"
    share = f"their {what} is {percentage(1 - value.value)} of what chance gives"
    if abs(value.value) < 0.005:
        return f"The annotators agree about as much as by chance: {share}."
    if value.value > 0:
        return f"The annotators agree better than chance: {share}."
    return f"The annotators agree less than by chance: {share}."


def main_interval(value: MeasureValue) -> Interval | None:
    """The uncertainty of a value: its interval over documents, or over stretches of one document."""
    return next((value.intervals[kind] for kind in INTERVAL_MEANINGS if kind in value.intervals), None)


def interval_header(values: Iterable[MeasureValue]) -> str:
    """The header of a column of intervals: their level and what they are over."""
    interval = next((each for value in values if (each := main_interval(value)) is not None), None)
    return "interval" if interval is None else f"{level_percent(interval.level)} interval, {interval.kind}"


def computation_error(value: MeasureValue) -> float | None:
    """How far the value may be off because finitely many samples were drawn; None where none were needed."""
    interval = value.intervals.get("chance")
    if interval is None or value.value is None:
        return None
    return max(interval.high - value.value, value.value - interval.low)


def certainty_parts(value: MeasureValue) -> list[tuple[str, str]]:
    """How sure a value is: its interval, or why there is none, then its computation error; each with its meaning.

    >>> from unisono.results import Interval, MeasureValue
    >>> certainty_parts(MeasureValue(0.6, intervals={"documents": Interval("documents", 0.95, 0.5, 0.7)}))
    [('95 % interval 0.500 to 0.700', 'uncertainty over documents')]
    """
    parts = []
    interval = main_interval(value)
    if interval is not None:
        what = f"{level_percent(interval.level)} interval {bounds(interval, TYPESET)}"
        parts.append((what, INTERVAL_MEANINGS[interval.kind]))
    elif value.uncertainty_reason:
        parts.append(("uncertainty unknown", value.uncertainty_reason))
    error = computation_error(value)
    if error is not None:
        parts.append((f"{COMPUTATION_ERROR} {plus_minus(error)}", DRAWN_AGAIN))
    return parts


def certainty(value: MeasureValue) -> list[str]:
    """As `certainty_parts`, each as one line.

    >>> from unisono.results import Interval, MeasureValue
    >>> certainty(MeasureValue(0.6, intervals={"chance": Interval("chance", 0.95, 0.59, 0.61)}))
    ['computation error ±0.010: other random samples may change the value by about this much']
    """
    return [f"{what}: {meaning}" for what, meaning in certainty_parts(value)]


#: A guaranteed range that is narrower is mentioned, but is no warning.
NARROW = 0.005

#: What to do about a wide range.
RAISE_EFFORT = "Raise [[effort]], or the limit of time or memory that was given."


def not_proven(measure: str, value: MeasureValue, notation: Notation = TYPESET) -> str:
    """What unproven alignments mean for a value that rests on them: where it is guaranteed to lie."""
    text = "the search for some alignments ended before their proof"
    if value.range is None:
        return f"{text}; nothing bounds how far {symbol(measure)} may be off."
    low, high = (number(end, notation=notation) for end in value.range)
    if low == high:
        return f"{text}; with these samples {symbol(measure)} is {low} to the digits shown."
    return f"{text}; with these samples {symbol(measure)} is guaranteed to lie between {low} and {high}."


def is_alarming(value: MeasureValue) -> bool:
    """Whether what a limit left open needs a warning: a wide range, or large gaps without a range.

    >>> from unisono.results import MeasureValue
    >>> is_alarming(MeasureValue(0.5, gap=1e-4, range=(0.499, 0.501)))
    False
    """
    if value.is_proven:
        return False
    if value.range is None:
        return not value.is_settled
    return value.range[1] - value.range[0] >= NARROW


def papers(result: Result) -> tuple[Paper, ...]:
    """The papers that define the measures of a result, each once."""
    every = (paper for name in result.measures if name in MEASURES for paper in MEASURES[name].papers)
    return tuple({paper.key: paper for paper in every}.values())


def bibliography(result: Result) -> str:
    """BibTeX of the measures' papers and of the program."""
    program = (
        "@software{unisono,\n  author = {{The unisono developers}},\n"
        "  title = {{unisono: agreement of annotators who mark units on a continuum}},\n"
        f"  version = {{{result.version}}},\n}}"
    )
    return "\n\n".join([*(paper.bibtex for paper in papers(result)), program])


@dataclass(frozen=True, slots=True)
class Methods:
    """One sentence for a methods section, as Markdown and as LaTeX."""

    markdown: str
    latex: str


def methods(result: Result) -> Methods:
    """What was measured on which data, with the settings, program version and seed that determine the numbers."""
    return Methods(_sentence(result, _MARKDOWN), _sentence(result, _LATEX))


@dataclass(frozen=True, slots=True)
class _Style:
    """How symbols, numbers, citations and literal text are written in a sentence."""

    symbols: Mapping[str, str]
    is_latex: bool

    def symbol(self, text: str) -> str:
        if not self.is_latex:
            return text
        return f"${self.symbols[text]}$" if text in self.symbols else tex(text)

    def number(self, value: float | None) -> str:
        return f"${number(value)}$" if self.is_latex else typeset(value)

    def cite(self, papers: Sequence[Paper]) -> str:
        if self.is_latex:
            return f"\\citep{{{','.join(paper.key for paper in papers)}}}"
        return f"({'; '.join(paper.short for paper in papers)})"

    def code(self, text: str) -> str:
        return f"\\texttt{{{tex(text)}}}" if self.is_latex else f"`{text}`"

    def text(self, text: str) -> str:
        return tex(text) if self.is_latex else visible(text)

    def percent(self, level: float) -> str:
        text = level_percent(level)
        return text.replace(" %", "\\,\\%") if self.is_latex else text


_TEX_SYMBOLS = {
    "γ": r"\gamma",
    "γcat": r"\gamma_{\mathrm{cat}}",
    "γk": r"\gamma_k",
    "soft-γ": r"\mathrm{soft}\text{-}\gamma",
    "tγ": r"t\gamma",
    "α": r"\alpha",
    "αU": r"\alpha_U",
    "uα (2013)": r"{}_u\alpha",
    "uα": r"{}_u\alpha",
    "|uα": r"{}_{|u}\alpha",
    "cuα": r"{}_{cu}\alpha",
    "kα": r"{}_{(k)u}\alpha",
    "π": r"\pi",
    "κ": r"\kappa",
}
_MARKDOWN = _Style({}, is_latex=False)
_LATEX = _Style(_TEX_SYMBOLS, is_latex=True)


def _sentence(result: Result, style: _Style) -> str:
    data, given = result.data, result.parameters
    values: list[str] = []
    cited: set[str] = set()
    for name, value in result.measures.items():
        text = _value_text(value, style)
        if text is None:
            continue
        sources = MEASURES[name].papers if name in MEASURES else ()
        keys = {paper.key for paper in sources}
        citation = "" if keys <= cited else f" {style.cite(sources)}"
        cited |= keys
        values.append(f"{style.symbol(symbol(name))}{citation} = {text}")
    whom = (
        f"{quantity(data.annotators, 'annotator')} on {quantity(data.documents, 'document')} "
        f"({quantity(data.units, 'unit')}{' without category' if result.has_only_positions else ''})"
    )
    if not values:
        return f"The agreement of {whom} could not be measured."
    sentence = f"Agreement of {whom}: {_enumeration(values)}"
    if any(name in ("gamma", "gamma-cat", "gamma-k", "soft-gamma") for name in result.measures):
        samples = next((v.n_samples for v in result.measures.values() if v.n_samples), None)
        drawn = f" over {quantity(samples, 'random continuum', 'random continua')}" if samples else ""
        sentence += (
            f"; dissimilarity {style.code(str(given.get('dissimilarity', '')))}, chance model "
            f"{style.code(str(given.get('chance', '')))}{drawn}"
        )
    link = "~" if style.is_latex else " "
    return f"{sentence}; computed with unisono{link}{result.version}, seed{link}{result.seed}."


def _value_text(value: MeasureValue, style: _Style) -> str | None:
    """A value with its interval, or the values of its categories; None if there are none, or too many."""
    if value.value is None:
        categories = [
            f"{style.number(each.value)} ({style.text(category or 'no category')})"
            for category, each in (value.per_category or {}).items()
            if each.value is not None
        ]
        return ", ".join(categories) if 0 < len(categories) <= MOST_CATEGORIES else None
    remarks = []
    interval = main_interval(value)
    if interval is not None:
        between = f"{style.number(interval.low)} to {style.number(interval.high)}"
        remarks.append(f"{style.percent(interval.level)} interval over {interval.kind} {between}")
    error = computation_error(value)
    if error is not None:
        sign = "$\\pm$" if style.is_latex else "±"
        remarks.append(f"{COMPUTATION_ERROR} {sign}{style.number(error)}")
    return style.number(value.value) + (f" ({', '.join(remarks)})" if remarks else "")


def _enumeration(items: list[str]) -> str:
    return items[0] if len(items) == 1 else ", ".join(items[:-1]) + " and " + items[-1]


def tex(text: str) -> str:
    r"""Plain text for LaTeX, with special characters escaped.

    >>> tex("50 % of R&D_1")
    '50 \\% of R\\&D\\_1'
    """
    special = {
        "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
        **{char: "\\" + char for char in "&%$#_{}"},
    }  # fmt: skip
    return "".join(special.get(char, char if char.isprintable() else " ") for char in text)
