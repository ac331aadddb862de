# SPDX-License-Identifier: MIT
"""What a result records of a measurement: its parameters, the data in short, and the signature."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from unisono.data_summary import DataSummary
from unisono.dissimilarity import CombinedDissimilarity
from unisono.measures import MEASURES
from unisono.measures.resolved import Resolved
from unisono.model import Corpus
from unisono.results import TEXT_MEASURE, package_version, signature_line
from unisono.settings import Comparing, Estimating, Limits, Measuring, Settings
from unisono.settings.recording import recorded_values, signature_words

if TYPE_CHECKING:
    from unisono.measures.text_gamma import TextSettings


@dataclass(frozen=True)
class Description:
    """What a result records of a measurement, and what text-γ made of the settings where it was measured."""

    parameters: Mapping[str, Any]
    data: DataSummary
    signature: str
    text_settings: TextSettings | None = None


@dataclass(frozen=True)
class DataFacts:
    """What parameters and signature say of the data: the summary, where extents come from, what was selected."""

    data: DataSummary
    extent: str
    selection: Mapping[str, tuple[str, ...]]
    #: `continuous` where a measure other than γ meets positions that are not whole, and no step makes them so.
    lengths: str | None = None


def describe_measurement(corpus: Corpus, names: Sequence[str], given: Settings, resolved: Resolved) -> Description:
    """The description of measuring a corpus with settings as given, and as they were resolved."""
    facts = DataFacts(
        DataSummary.of(corpus, with_texts=TEXT_MEASURE in names),
        extent_sources(document.extent.source for document in corpus if document.extent),
        corpus.selection,
        _lengths(names, corpus, given.step),
    )
    if TEXT_MEASURE not in names:
        return describe_data(facts, names, given, resolved)
    of_text, parameters = _text_settings(resolved), _parameters(names, given, resolved, facts)
    parameters = _add_text_parameters(parameters, of_text, corpus, is_text=list(names) == [TEXT_MEASURE])
    signature = _signature(names, parameters, given, resolved, facts, of_text)
    return Description(parameters, facts.data, signature, of_text)


def describe_data(facts: DataFacts, names: Sequence[str], given: Settings, resolved: Resolved) -> Description:
    """The description of a measurement without text-γ, from what is known of the data."""
    parameters = _parameters(names, given, resolved, facts)
    return Description(parameters, facts.data, _signature(names, parameters, given, resolved, facts, None))


def _parameters(names: Sequence[str], given: Settings, resolved: Resolved, facts: DataFacts) -> dict[str, Any]:
    """What the result records: what settings were resolved to, and the others as they were given."""
    dissimilarity, sampling = resolved.dissimilarity, resolved.sampling
    combined = dissimilarity if isinstance(dissimilarity, CombinedDissimilarity) else None
    return {
        "preset": given.preset,
        "measures": list(names),
        "dissimilarity": dissimilarity.signature,
        "alpha": combined and combined.alpha,
        "beta": combined and combined.beta,
        "delta_empty": dissimilarity.delta_empty,
        **recorded_values(Comparing, given),
        "chance": resolved.chance.signature,
        **recorded_values(Estimating, given),
        "pairs": resolved.pairs,
        **recorded_values(Measuring, given),
        "lengths": facts.lengths,
        "samples": sampling.samples,
        "precision": sampling.precision if sampling.samples is None else None,
        "plain_sampling": sampling.plain,
        "level": sampling.level,
        "extent": facts.extent,
        **recorded_values(Limits, given),
    }


def _text_settings(resolved: Resolved) -> TextSettings:
    from unisono.measures.text_gamma import TextSettings

    return TextSettings.of(resolved)


def _add_text_parameters(
    parameters: dict[str, Any], of_text: TextSettings, corpus: Corpus, *, is_text: bool
) -> dict[str, Any]:
    """The parameters with those of text-γ: in place of those that it does not use, or apart from those of others."""
    own = of_text.parameters(corpus)
    if not is_text:
        return {**parameters, "text": own}
    kept = ("samples", "precision", "level", "time_limit", "memory_limit")
    return {"measures": parameters["measures"], **own, **{name: parameters[name] for name in kept}}


def _lengths(names: Sequence[str], corpus: Corpus, step: float | None) -> str | None:
    """`continuous` where a measure other than γ meets positions that are not whole, and no step makes them so."""
    if step is not None or all(MEASURES[name].is_family for name in names):
        return None
    return None if all(document.has_integer_positions for document in corpus) else "continuous"


def extent_sources(sources: Iterable[str]) -> str:
    """Where the documents' extents come from, every source once: `guessed`, `given+text`."""
    return "+".join(sorted(set(sources))) or "none"


def _signature(
    names: Sequence[str],
    parameters: Mapping[str, Any],
    given: Settings,
    resolved: Resolved,
    facts: DataFacts,
    of_text: TextSettings | None,
) -> str:
    """One line with everything that can change a value; settings with their usual value are left out.

    Chance model, samples and seed are left out where no measure draws random continua.
    """
    selected = {name.replace("_", "-"): ",".join(patterns) for name, patterns in facts.selection.items()}
    if of_text is not None and list(names) == [TEXT_MEASURE]:
        words = {"v": package_version(), **of_text.words(parameters)}
        line = {**words, "samples": resolved.sampling.signature, "seed": resolved.seed, **selected}
        return signature_line(names, line)
    draws = any(MEASURES[name].draws_continua for name in names)
    by_chance: dict[str, object] = {
        "chance": parameters["chance"],
        **signature_words(Estimating, given),
        **({"pairs": resolved.pairs} if resolved.pairs != "once" else {}),
        "samples": resolved.sampling.signature,
        "seed": resolved.seed,
    }
    parts: dict[str, object] = {
        "v": package_version(),
        **({"preset": given.preset} if given.preset != "paper" else {}),
        "d": parameters["dissimilarity"],
        **({"category": "none"} if facts.data.has_only_positions else {}),
        **signature_words(Comparing, given),
        **(by_chance if draws else {}),
        "extent": parameters["extent"],
        **selected,
        **signature_words(Measuring, given),
        **({"lengths": parameters["lengths"]} if parameters["lengths"] else {}),
        **signature_words(Limits, given),
        **({} if of_text is None else of_text.words(parameters["text"], prefix="text-")),
    }
    return signature_line(names, parts)
