# SPDX-License-Identifier: MIT
"""Which measures, chance model and positional dissimilarity suit a task, each with the reason and the source."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from unisono.diagnosis.properties import RARE, Properties
from unisono.json_objects import to_json

Subject = Literal["measures", "chance", "positional", "categorial", "extent", "data"]


@dataclass(frozen=True, slots=True)
class Advice:
    """A recommendation: the setting and its value, why, and who says so."""

    #: The setting that it is about; "data" where something is missing in the data.
    setting: Subject
    #: Its value: names of measures separated by commas, a chance model, a dissimilarity.
    choice: str
    reason: str
    source: str

    def to_dict(self) -> dict[str, Any]:
        return to_json(self)

    @property
    def line(self) -> str:
        """The advice in one line."""
        return f"{self.setting} {self.choice}: {self.reason} ({self.source})"


def advise(properties: Properties) -> tuple[Advice, ...]:
    """What to measure a task like this with; nothing where there is nothing to measure.

    >>> import unisono
    >>> from unisono.diagnosis.properties import properties_of
    >>> found = properties_of(unisono.corpus({"d": {"ann": [(0, 5, "A"), (9, 12, "B")], "bob": [(0, 6, "B")]}}))
    >>> [(advice.setting, advice.choice) for advice in advise(found)]
    [('measures', 'gamma,gamma-cat,gamma-k'), ('chance', 'shift'), ('positional', 'sporadic'), ('extent', 'given')]
    """
    if properties.units == "none" or properties.most_annotators < 2:
        return (_needs_annotators(properties),)
    return tuple(_all_advice(properties))


def _needs_annotators(found: Properties) -> Advice:
    if found.units == "none":
        return Advice("data", "units", "nobody marked any unit, and there is nothing to compare", "2015, section 4.3")
    return Advice("data", "annotators", "agreement needs at least two annotators of one document", "2015, section 4.3")


def _all_advice(found: Properties) -> Iterator[Advice]:
    yield _measures(found)
    if found.has_own_texts:
        return
    yield _chance(found)
    if found.units == "found":
        yield _positional(found)
    if found.categories == "ordered":
        reason = "the categories are numbers: 1 against 2 is less of a disagreement than 1 against 5"
        yield Advice("categorial", "interval", reason, "2015, section 4.4.3; docs/dissimilarities.md")
    if found.adjacent_same > RARE:
        reason = (
            "some neighbouring units touch and have the same category: γ keeps them apart; if one long unit would mean "
            "the same, u-alpha does not count the difference, or join them first"
        )
        yield Advice("measures", "u-alpha", reason, "2015, section 2.1 (aggregatable) and Table 1")
    if found.is_extent_guessed and found.units == "found":
        reason = "the extent is guessed from the units, and chance has more room on a longer continuum"
        yield Advice("extent", "given", reason, "2015, section 5.2; docs/gamma.md")


def _measures(found: Properties) -> Advice:
    if found.has_own_texts:
        reason = "annotators have texts of their own: positions do not compare, text-γ aligns texts and units"
        return Advice("measures", "text-gamma", reason, "Barteld et al. 2016, sections 4 to 6")
    has_categories = found.categories in ("nominal", "ordered")
    if found.units == "given" and has_categories:
        many = "alpha" if not found.is_crossed or found.most_annotators > 2 else "kappa,alpha"
        reason = "units are given, and only categories are chosen: pure categorisation, for which κ and α are made"
        return Advice("measures", many, reason, "2015, section 2.1, Table 1 and Table 2")
    if found.is_covering and not has_categories:
        reason = (
            "pure segmentation: boundary similarity and WindowDiff are made for it; γ is corrected for chance besides"
        )
        return Advice("measures", "gamma,boundary-similarity", reason, "2015, section 6.3.2, Table 1 and Table 2")
    if not has_categories:
        reason = "units are found and have no categories to compare: γ compares positions"
        return Advice("measures", "gamma", reason, "2015, Table 2")
    reason = "units are found and get a category: γ judges both, γcat the categories alone, γk each category"
    if found.nested > RARE or found.overlaps > RARE:
        reason += "; units overlap, which u-alpha does not allow"
    return Advice("measures", "gamma,gamma-cat,gamma-k", reason, "2015, Table 2; 2017, section 6")


def _chance(found: Properties) -> Advice:
    if found.units == "given":
        reason = "units are given: only categories can differ by chance, and they are exchanged at their places"
        return Advice("chance", "positions-kept", reason, "docs/chance-models.md")
    if found.is_covering:
        reason = (
            "the units fill the continuum, so that shifted copies of short documents resemble each other; "
            "annotations of other documents are compared"
            if found.documents > found.most_annotators
            else "there are too few documents to take random annotations from others"
        )
        return Advice(
            "chance", "corpus" if found.documents > found.most_annotators else "shift", reason, "2015, section 5.2"
        )
    reason = "random annotations come from the document itself: it works for one document and keeps its density"
    return Advice("chance", "shift", reason, "2015, section 5.2.1")


def _positional(found: Properties) -> Advice:
    if found.points > RARE:
        reason = (
            "some units have no length, and differences relative to the length are then infinite: give the scale of "
            "a tolerable difference"
        )
        return Advice("positional", "absolute", reason, "2015, section 4.4.2; docs/dissimilarities.md")
    if found.is_covering:
        reason = "of a segmentation the boundaries count, whatever the lengths: give the window of a tolerable shift"
        return Advice("positional", "boundary", reason, "docs/dissimilarities.md; 2015, section 6.3.2")
    reason = "a difference counts relative to the length of the units: one position matters more for short units"
    return Advice("positional", "sporadic", reason, "2015, section 4.4.2, Eq. 3")
