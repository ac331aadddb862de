# SPDX-License-Identifier: MIT
"""The result of a measurement: values with their intervals, per document and overall, with signature and data.

The dictionaries of `to_dict` are the JSON contract (docs/json.md): keys are added, never renamed or removed.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from typing import Any, Literal

from unisono.data_summary import DataSummary
from unisono.errors import FormatError, Problem, show_settings
from unisono.frames import Backend, build_frame, value_columns
from unisono.json_objects import NOT_IN_JSON, from_json, to_json
from unisono.model import Alignment, Corpus, FloatArray

#: Version of the JSON contract. 1: the first.
SCHEMA = 1

#: The measure of annotators' versions of a text; what its values say besides, where they say nothing.
TEXT_MEASURE = "text-gamma"
NO_TEXT_DETAILS: Mapping[str, Any] = {"differences": None, "p_text": None, "p_seg": None, "p_label": None}

IntervalKind = Literal["chance", "documents", "stretches"]


@cache
def package_version() -> str:
    """The version of the package, as installed."""
    # Imported here, because it takes longer to load than the rest of this module.
    from importlib.metadata import version

    return version("unisono")


class ReasonCode(StrEnum):
    """Why a value is undefined, for programs; docs/json.md explains each code."""

    # The data or the settings do not meet the needs of the measure.
    TOO_FEW_ANNOTATORS = "too-few-annotators"
    NO_REFERENCE = "no-reference"
    NOT_PREDEFINED = "not-predefined"
    SAME_POSITION = "same-position"
    OVERLAPPING_UNITS = "overlapping-units"
    NOT_COVERING = "not-covering"
    NO_FEATURE = "no-feature"
    NO_LABELS = "no-labels"
    WRONG_LABELS = "wrong-labels"
    NO_LENGTH = "no-length"
    NO_INTERSECTION = "no-intersection"
    NO_SHARED_ITEM = "no-shared-item"
    NO_TEXT = "no-text"
    NO_VERSIONS = "no-versions"
    TOO_MANY_TYPES = "too-many-types"
    NOT_DISCRETE = "not-discrete"
    BAD_SETTING = "bad-setting"
    NO_CATEGORIAL_PART = "no-categorial-part"
    # The needs are met, and there is nothing to compare or to expect.
    NO_UNITS = "no-units"
    NO_CATEGORIES = "no-categories"
    CATEGORY_ABSENT = "category-absent"
    EMPTY_REFERENCE = "empty-reference"
    NO_BASE_UNITS = "no-base-units"
    NO_ALIGNED_OVERLAP = "no-aligned-overlap"
    NO_PAIR_OF_VALUES = "no-pair-of-values"
    NO_COMPLETE_ITEM = "no-complete-item"
    NO_BOUNDARY = "no-boundary"
    TOO_SHORT = "too-short"
    TOO_FEW_INTERSECTIONS = "too-few-intersections"
    TOO_FEW_SAMPLES = "too-few-samples"
    TIME_LIMIT = "time-limit"
    MEMORY_LIMIT = "memory-limit"
    ZERO_EXPECTED = "zero-expected"
    NO_EXPECTED_DISAGREEMENT = "no-expected-disagreement"
    # The value is given elsewhere, or cannot be given.
    PER_CATEGORY = "per-category"
    NO_DOCUMENT_MEASURED = "no-document-measured"
    NO_COMMON_DOCUMENT = "no-common-document"
    REFUSED = "refused"
    #: Values of files that were saved before there were codes, and of functions that give none.
    UNSPECIFIED = "unspecified"


class UncertaintyCode(StrEnum):
    """Why the uncertainty of a value over documents or stretches is unknown; docs/json.md explains each code."""

    TOO_FEW_DOCUMENTS = "too-few-documents"
    TOO_FEW_STRETCHES = "too-few-stretches"
    NO_SPREAD = "no-spread"
    TOO_WIDE = "too-wide"
    UNDEFINED_WITHOUT = "undefined-without"
    ONE_DOCUMENT = "one-document"
    ZERO_EXPECTED = "zero-expected"


#: Codes of data or settings that do not meet the needs of a measure: such documents are left out of the pooled value.
UNMET_NEEDS = frozenset(list(ReasonCode)[: list(ReasonCode).index(ReasonCode.NO_UNITS)])


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a value is undefined: a code for programs, and a sentence for people without its full stop."""

    code: ReasonCode
    sentence: str


class CautionCode(StrEnum):
    """What a reader must know before the values, for programs; docs/json.md explains each code."""

    FEW_DOCUMENTS = "few-documents"
    FEW_ANNOTATORS = "few-annotators"
    DEGENERATE_CHANCE = "degenerate-chance"
    GUESSED_EXTENT = "guessed-extent"
    CHANCE_OF_CATEGORIES = "chance-of-categories"
    UNDIVIDED_CATEGORIES = "undivided-categories"


@dataclass(frozen=True, slots=True)
class Caution:
    """What a reader must know before the values: a code for programs, whole sentences for people, the measures."""

    #: One of `CautionCode`, or a code of a later version.
    code: str
    sentence: str
    measures: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {**to_json(self), "sentence": show_settings(self.sentence)}


@dataclass(frozen=True, slots=True)
class Variation:
    """γ with one choice made differently, on the same random numbers; the first row has the choices as they were."""

    #: The setting that differs; None in the first row.
    setting: str | None
    #: What it is set to, in words.
    choice: str
    value: float | None
    #: γ minus γ of the first row.
    difference: float | None = None
    #: Half the width of the computation error's interval, at the level of the result.
    error: float | None = None
    documents_measured: int | None = None
    gap: float | None = None
    reason: str | None = None

    def to_dict(self) -> dict[str, Any]:
        return to_json(self)


@dataclass(frozen=True, slots=True)
class Interval:
    """Where the value lies at a level of confidence; `kind` says which uncertainty is meant.

    chance: the expected disorder is a mean over finitely many random continua; documents and stretches: other
    documents, other stretches of the continuum could have been annotated.
    """

    kind: IntervalKind
    level: float
    low: float
    high: float

    def to_dict(self) -> dict[str, Any]:
        return to_json(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Interval:
        return from_json(cls, data)


def _saved_as(name: str) -> dict[str, Any]:
    """Metadata of a field that is not part of the JSON, but of the saved file, under this name."""
    return {**NOT_IN_JSON, "saved_as": name}


@dataclass(frozen=True)
class MeasureValue:
    """The value of one measure, on one document or overall, and what it rests on.

    `value` is None where the measure is undefined; `reason` then says why, and `reason_code` says it to programs. An
    undefined value is never 0, 1 or NaN.

    >>> MeasureValue.undefined(Reason(ReasonCode.NO_UNITS, "nobody marked any unit")).reason_code
    'no-units'
    >>> MeasureValue(None)
    Traceback (most recent call last):
    ValueError: a value of None needs a reason
    """

    value: float | None
    reason: str | None = None
    #: One of `ReasonCode`, or a code of a later version.
    reason_code: str | None = None
    observed: float | None = None
    expected: float | None = None
    n_samples: int | None = None
    #: Further random continua that only a short search aligned, where a document is hard to align.
    rough_samples: int | None = field(default=None, metadata={"omit_none": True})
    #: Where the sources of the random continua were taken into account, or further ones aligned roughly: how many plain
    #: samples would be as precise, and how many times `n_samples` that is.
    effective_samples: float | None = field(default=None, metadata={"omit_none": True})
    variance_reduction: float | None = field(default=None, metadata={"omit_none": True})
    intervals: Mapping[str, Interval] = field(default_factory=dict, metadata={"list_key": "kind"})
    gap: float | None = None
    #: What the disorders are at least, where a limit stopped the search for an alignment; None where they are proven.
    observed_bound: float | None = None
    expected_bound: float | None = None
    #: What the expected disorder is at most, where that is more than the estimate.
    expected_upper_bound: float | None = field(default=None, metadata={"omit_none": True})
    #: Where the value is guaranteed to lie, given the samples drawn; None where it is proven, or nothing bounds it.
    range: tuple[float, float] | None = None
    n_unitary_alignments: int | None = None
    mean_over_documents: float | None = None
    documents_measured: int | None = None
    per_category: Mapping[str | None, MeasureValue] | None = field(default=None, metadata={"list_key": "category"})
    #: The weight of the value among those of other documents when they are pooled.
    weight: float | None = None
    #: Disorder beyond that of an average document or category: weight * (observed - (1 - overall value) * expected).
    #: It depends on the rest of the corpus, and values are equal whatever corpus a document is in.
    contribution: float | None = field(default=None, compare=False)
    #: Pairs of units in one unitary alignment, and those among them that do not overlap.
    n_aligned_pairs: int | None = None
    n_pairs_apart: int | None = None
    #: The range over all tied best alignments of the document, where it was asked for, and how many there are.
    tied: tuple[float, float] | None = None
    n_tied: int | None = None
    notes: tuple[str, ...] = ()
    #: Those of the notes that say what was left out of the value.
    left_out: tuple[str, ...] = ()
    #: Why there is no interval over documents or stretches, and one of `UncertaintyCode`; None where there is one, and
    #: for the values of single documents among several.
    uncertainty_reason: str | None = None
    uncertainty_reason_code: str | None = None
    #: Of text-γ: how many unitary alignments differ in what, and the probabilities of random edits.
    text: Mapping[str, Any] | None = field(default=None, metadata={"omit_none": True})
    #: Whether the expected disorder is as precise as asked for; None where no random continua were drawn.
    is_precise: bool | None = None
    #: Where not every alignment is proven: whether the gaps, that of the observed alignment and the mean of the random
    #: ones, are at most a tenth of the precision, in every document.
    is_settled: bool | None = field(default=None, metadata={"omit_none": True})
    #: The best alignment that the observed disorder belongs to.
    alignment: Alignment | None = field(default=None, repr=False, compare=False, metadata=_saved_as("alignment"))
    #: The alignment of the annotators' versions of a text; from a saved result, the object that its `to_dict` gives.
    text_alignment: Any = field(default=None, repr=False, compare=False, metadata=_saved_as("text_alignment"))
    #: The disorder of each random continuum, or of each random corpus; √n times the standard error of their mean, and
    #: its degrees of freedom where they are not n - 1.
    chance_disorders: FloatArray | None = field(default=None, repr=False, compare=False, metadata=_saved_as("chance"))
    #: The lower bound of each of them, where not all are proven.
    chance_bounds: FloatArray | None = field(default=None, repr=False, compare=False, metadata=_saved_as("bounds"))
    chance_sd: float | None = field(default=None, repr=False, compare=False, metadata=_saved_as("sd"))
    chance_df: int | None = field(default=None, repr=False, compare=False, metadata=_saved_as("df"))
    #: Where they were not kept: the first few, how many are at or below the observed disorder, whether all are equal.
    chance_first: FloatArray | None = field(default=None, repr=False, compare=False, metadata=NOT_IN_JSON)
    chance_low: int | None = field(default=None, repr=False, compare=False, metadata=_saved_as("low"))
    chance_is_constant: bool | None = field(default=None, repr=False, compare=False, metadata=_saved_as("constant"))
    #: Documents with the same case share their random continua.
    chance_case: str | None = field(default=None, repr=False, compare=False, metadata=_saved_as("case"))

    def __post_init__(self) -> None:
        if self.value is not None:
            if not math.isfinite(self.value):
                raise ValueError(f"a value is finite or None with a reason, not {self.value}")
        elif not self.reason:
            raise ValueError("a value of None needs a reason")
        elif self.reason_code is None:
            object.__setattr__(self, "reason_code", ReasonCode.UNSPECIFIED.value)

    @classmethod
    def undefined(
        cls,
        reason: Reason,
        *,
        observed: float | None = None,
        expected: float | None = None,
        weight: float | None = None,
        documents_measured: int | None = None,
        per_category: Mapping[str | None, MeasureValue] | None = None,
        notes: tuple[str, ...] = (),
        left_out: tuple[str, ...] = (),
    ) -> MeasureValue:
        """No value, for this reason, with whatever could be computed nevertheless."""
        return cls(
            None,
            reason=reason.sentence,
            reason_code=reason.code.value,
            observed=observed,
            expected=expected,
            weight=weight,
            documents_measured=documents_measured,
            per_category=per_category,
            notes=notes,
            left_out=left_out,
        )

    def with_fields(self, **changes: Any) -> MeasureValue:
        """The value with some fields changed, unchecked: `replace` takes longer than measuring a small document."""
        copy = object.__new__(MeasureValue)
        copy.__dict__.update(self.__dict__, **changes)
        return copy

    @property
    def is_proven(self) -> bool:
        """Whether the alignments behind the value are proven to be the best ones."""
        return not self.gap

    @property
    def is_near_enough(self) -> bool:
        """Whether the value is proven, or the gaps of the disorders behind it are small beside the precision."""
        return self.is_proven or self.is_settled is True

    def to_dict(self) -> dict[str, Any]:
        return to_json(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> MeasureValue:
        return from_json(cls, data)


@dataclass(frozen=True)
class DocumentResult:
    """The values of one document."""

    name: str
    annotators: tuple[str, ...]
    n_units: int = field(metadata={"json": "units"})
    measures: Mapping[str, MeasureValue]

    def __getitem__(self, measure: str) -> MeasureValue:
        return self.measures[measure]

    def to_dict(self) -> dict[str, Any]:
        return to_json(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> DocumentResult:
        return from_json(cls, data)


@dataclass(frozen=True)
class Result:
    """Everything that one call of `measure` computed; `result["gamma"]` is the overall value of a measure.

    `signature` is one line with every parameter, the seed and the version: publish it with the number. Results with
    equal signatures and equal `data.sha256` have equal numbers.
    """

    #: The version of the package that measured; first in the JSON, and given by name in Python.
    version: str = field(default_factory=package_version, kw_only=True, metadata={"json": "unisono", "required": True})
    signature: str
    parameters: Mapping[str, Any]
    seed: int
    data: DataSummary
    measures: Mapping[str, MeasureValue]
    documents: tuple[DocumentResult, ...]
    problems: tuple[Problem, ...] = ()
    #: What a reader must know before the values.
    cautions: tuple[Caution, ...] = ()
    #: γ with single choices made differently, where that was asked for.
    sensitivity: tuple[Variation, ...] | None = None
    #: What was measured, and how: the corpus, its fitted dissimilarity, the chance model.
    corpus: Corpus | None = field(default=None, repr=False, compare=False, metadata=NOT_IN_JSON)
    dissimilarity: Any = field(default=None, repr=False, compare=False, metadata=NOT_IN_JSON)
    chance_model: Any = field(default=None, repr=False, compare=False, metadata=NOT_IN_JSON)
    #: How it was measured (`unisono.api.Plan`), to measure parts of the corpus in the same way; None if it was loaded.
    plan: Any = field(default=None, repr=False, compare=False, metadata=NOT_IN_JSON)
    #: What a report shows besides the values (`unisono.report.details.Details`); filled when it is first asked for.
    details: Any = field(default=None, repr=False, compare=False, metadata=NOT_IN_JSON)

    def __getitem__(self, measure: str) -> MeasureValue:
        return self.measures[measure]

    @property
    def has_only_positions(self) -> bool:
        """Whether a measure compares units without categories by position."""
        return any(map(self.is_by_position, self.measures))

    def is_by_position(self, measure: str) -> bool:
        """Whether units without categories are compared by position; text-γ compares texts and any feature."""
        return self.data.has_only_positions and measure != TEXT_MEASURE

    def to_dict(self) -> dict[str, Any]:
        data = {"schema": SCHEMA, **to_json(self, Result)}
        if TEXT_MEASURE in self.measures:
            data["text"] = {**NO_TEXT_DETAILS, **(self[TEXT_MEASURE].text or {})}
        return data

    def to_frame(
        self, shape: Literal["long", "wide"] = "long", *, overall: bool = False, backend: Backend | None = None
    ) -> Any:
        """The values of the documents as a data frame of pandas, polars or pyarrow: the first that is installed.

        shape: "long", one row for each document and measure, and one for each category where a measure has values for
        each; intervals in columns such as chance_low and chance_high. "wide", one row for each document, one column for
        each measure (`gamma-k:PER` for a category). overall: with the values over all documents, whose `document` is
        missing.
        """
        return build_frame(value_columns(self.to_dict(), shape, overall=overall), backend)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], *, where: str = "") -> Result:
        """The result that a dictionary of `to_dict` describes; keys that this version does not know are ignored.

        Anything else is a FormatError; `where` says in its message where the dictionary comes from.
        """
        if isinstance(data, Mapping) and data.get("schema") != SCHEMA:
            raise FormatError.of(
                f"the result has schema {str(data.get('schema'))[:40]}, and this version reads schema {SCHEMA}",
                "Update unisono.",
                where=where,
                code="schema",
            )
        try:
            return from_json(cls, data)
        except ValueError as error:
            raise FormatError.of(
                f"this is not the JSON of a result: {error}",
                "Save it again, or copy it again.",
                where=where,
                code="saved-result",
            ) from None

    def equivalents(self) -> Any:
        """How large errors of each kind alone would give the value: rows of `unisono.diagnosis.equivalents`."""
        # An exception to the layers: the diagnosis, which measures simulated corpora, is imported by name.
        return importlib.import_module("unisono.diagnosis.equivalents").equivalents(self)

    def __str__(self) -> str:
        # An exception to the layers: a result is printed by the report, which is imported by name.
        return str(importlib.import_module("unisono.report.terminal").plain(self))

    def _repr_html_(self) -> str:
        return str(importlib.import_module("unisono.report.notebook").html(self))


def signature_line(measures: Sequence[str], parts: Mapping[str, object]) -> str:
    """One line that says how a number was computed: measures, version, then `key:value` for every part.

    >>> signature_line(["gamma"], {"v": "1.0", "d": "sporadic+nominal", "seed": 42})
    'gamma|v:1.0|d:sporadic+nominal|seed:42'
    """
    return "|".join([",".join(measures), *(f"{key}:{value}" for key, value in parts.items())])
