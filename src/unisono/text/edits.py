# SPDX-License-Identifier: MIT
"""The chance model of text-γ: random edits of the pre-annotation (Barteld et al. 2016, section 6).

Annotators who correct a text that is mostly right agree on most of it by doing nothing. Chance is therefore not a text
annotated from scratch: random annotators start from the pre-annotation and change it as often as real ones do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unisono._core import EditModel, TextKernel, TextVersion, text_disorders, text_draw, text_pair
from unisono.alignment import core_limits
from unisono.alignment.observed import How
from unisono.chance import key
from unisono.dissimilarity.parameter_checks import short
from unisono.errors import ParameterError
from unisono.model import FloatArray
from unisono.model.versions import Version
from unisono.text.core_text import MEMORY_LIMIT, CoreText, too_different


@dataclass(frozen=True, slots=True)
class Prior:
    """The prior of a probability: a Beta distribution with this mean and strength.

    strength: how many observations the belief is worth (the sum of the two parameters of the distribution).

    >>> Prior(0.04, 100).mode(changes=10, trials=100)
    0.06565656565656566
    """

    mean: float
    strength: float

    def __post_init__(self) -> None:
        if not 0 <= self.mean <= 1 or not 0 < self.strength < float("inf"):
            raise ParameterError.of(
                f"a prior with mean {self.mean:g} and strength {self.strength:g} is not possible",
                "Give a mean from 0 to 1 and a strength above 0.",
                code="probability",
            )

    def mode(self, *, changes: float, trials: float) -> float:
        """The maximum a posteriori estimate after `changes` in `trials`; the mean if there is no single mode."""
        whole = trials + self.strength - 2
        if whole <= 0:
            return self.mean
        return min(1.0, max(0.0, (changes + self.mean * self.strength - 1) / whole))

    @property
    def signature(self) -> str:
        return f"map({short(self.mean)},{short(self.strength)})"


#: A probability: given, estimated from the data (None), or estimated with a prior (MAP).
Probability = float | Prior | None


@dataclass(frozen=True, slots=True)
class Rates:
    """The probabilities that random versions are drawn with, and the counts behind the estimated ones.

    p_label has a value for each feature that the pre-annotation carries; other features are always drawn.
    """

    p_text: float
    p_seg: float
    p_label: Mapping[str, float]
    counts: Mapping[str, tuple[int, int]]

    @property
    def signature(self) -> str:
        labels = "".join(f",p_{name}={value:.6g}" for name, value in self.p_label.items())
        return f"p_text={self.p_text:.6g},p_seg={self.p_seg:.6g}{labels}"


@dataclass(frozen=True)
class RandomEdits:
    """Random versions of the pre-annotation: edits of the text, of the segmentation, then labels (section 6).

    p_text: the probability that a unit's text is edited; p_seg: that of a change of segmentation, per unit; p_label:
    that a label of the pre-annotation is replaced by a random one. Each is given, or estimated from the annotators'
    differences to the pre-annotation (None), or estimated with a Prior (MAP). p_further: the probability that an
    edited unit is edited once more, and again, so that k further edits have the probability p_further**k; 0 as in the
    paper. Without a pre-annotation each annotator's version serves as one in turn, its labels unused.

    The numbers of edits are binomial: every unit is chosen with the same probability. An edit inserts, deletes or
    substitutes a character, each as likely; characters are drawn as often as they occur in the annotators' units. A
    change of segmentation is a split, a merger with the left or with the right neighbour, each as likely, of a
    random unit that allows it, those from earlier changes included; what lies between merged units, such as white
    space, becomes part of the unit. Labels are drawn as often as they occur in units of the type.

    What the paper leaves open is our choice: a deletion never empties a unit and a substitution always changes it; a
    split is at a random place between two characters; a merged unit keeps the labels of the one that was chosen,
    both parts of a split one keep them. With several types, text is edited in units of the innermost, and outer units
    are split between inner ones.
    """

    p_text: Probability = None
    p_seg: Probability = None
    p_label: Probability = None
    p_further: float = 0.0

    def __post_init__(self) -> None:
        for name in ("p_text", "p_seg", "p_label", "p_further"):
            value = getattr(self, name)
            if isinstance(value, Prior) or (value is None and name != "p_further"):
                continue
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
                raise ParameterError.of(
                    f"{name} is {value!r}, not a probability",
                    f"Give a [[{name}]] from 0 to 1.",
                    code="probability",
                )
        if self.p_further == 1:
            raise ParameterError.of(
                "p_further is 1, so edits would never end", "Give a [[p_further]] below 1.", code="probability"
            )

    @property
    def signature(self) -> str:
        def write(value: Probability) -> str:
            if value is None:
                return "estimated"
            return value.signature if isinstance(value, Prior) else short(value)

        parts = [f"p_text={write(self.p_text)}", f"p_seg={write(self.p_seg)}", f"p_label={write(self.p_label)}"]
        if self.p_further:
            parts.append(f"p_further={short(self.p_further)}")
        return f"edits({','.join(parts)})"


@dataclass(frozen=True)
class Observations:
    """What chance is estimated from: how the versions differ from the pre-annotation, and what they contain."""

    core: CoreText

    @cached_property
    def owners(self) -> tuple[int, ...]:
        """The annotators, with units, whose versions are the base in turn, sorted by content; none if there is a
        pre-annotation."""
        if self.core.versions.base is not None:
            return ()
        by_content = sorted(range(len(self.core.full)), key=lambda i: self.core.digests[i])
        return tuple(i for i in by_content if len(self.core.full[i].columns()[1]))

    @cached_property
    def bases(self) -> tuple[TextVersion, ...]:
        """The pre-annotation, or the annotators' versions in turn; without gaps. Empty if there is nothing to edit."""
        base = self.core.versions.base
        if base is None:
            return tuple(self.core.plain[i] for i in self.owners)
        version = self.core.encode_version(base)
        return (version,) if len(self.core.add_gaps(version).columns()[1]) else ()

    def rates(
        self, model: RandomEdits, *, time_limit: float | None = None, memory_limit: int | None = MEMORY_LIMIT
    ) -> Rates:
        """The probabilities of a model, estimated where they are not given.

        p_text: the share of the aligned units whose text differs. p_seg: opening or closing boundaries that only one
        of the two versions has, half their number, per unit of the base: a split or a merger is one of each.
        p_label: the share of aligned units whose label differs, over the chance that a random draw changes it.
        """
        names = self.core.dissimilarity.names
        carried = [name for name in names if self._is_carried(name)]
        given = (model.p_text, model.p_seg, *(model.p_label for _ in carried))
        if all(isinstance(value, int | float) for value in given):
            counts: dict[str, tuple[int, int]] = {}
        else:
            counts = self._counts(carried, time_limit, memory_limit)
        return Rates(
            _resolve(model.p_text, counts.get("text")),
            _resolve(model.p_seg, counts.get("segmentation")),
            {name: _resolve(model.p_label, counts.get(name), self._probability_of_change(name)) for name in carried},
            counts,
        )

    def _is_carried(self, name: str) -> bool:
        base = self.core.versions.base
        return base is not None and name in base.features and bool((base.features[name].codes >= 0).any())

    def _probability_of_change(self, name: str) -> float:
        """The chance that a random label differs from the one of the pre-annotation it replaces."""
        *_, types, labels = self.bases[0].columns()
        width, place = len(self.core.dissimilarity.names), self.core.dissimilarity.names.index(name)
        codes = labels.reshape(len(types), width)[:, place]
        differs = 0.0
        for type_code in np.unique(types).tolist():
            values, until = self.labels[type_code * width + place]
            if not len(values):
                continue
            share = dict(zip(values.tolist(), (np.diff(until, prepend=np.uint64(0)) / until[-1]).tolist(), strict=True))
            used, counts = np.unique(codes[types == type_code], return_counts=True)
            differs += sum(
                n * (1 - share.get(code, 0.0)) for code, n in zip(used.tolist(), counts.tolist(), strict=True)
            )
        return differs / len(types) if len(types) else 0.0

    def _counts(
        self, carried: list[str], time_limit: float | None, memory_limit: int | None
    ) -> dict[str, tuple[int, int]]:
        """(changes, trials) of each kind, over all annotators and all bases that are not their own."""
        core = self.core
        kernel = core.kernel
        inner = len(core.versions.types) - 1
        totals = {name: [0, 0] for name in ("text", "segmentation", *carried)}
        for number, base in enumerate(self.bases):
            first = core.add_gaps(base)
            *_, types_a, labels_a = first.columns()
            for annotator, second in enumerate(core.full):
                if self.owners and self.owners[number] == annotator:
                    continue
                _, opened, closed, limit = text_pair(
                    first, second, kernel, *core.gaps.whole, core_limits(time_limit, memory_limit)
                )
                if limit:
                    raise too_different(core.versions.name, limit)
                *_, types_b, labels_b = second.columns()
                both = np.flatnonzero((opened >= 0) & (opened == closed)).astype(np.int32)
                other = opened[both]
                edited = types_a[both] >= inner
                texts = _text_kernel(len(core.types)).between(first, both[edited], second, other[edited])
                _add(totals["text"], int(np.count_nonzero(texts)), len(texts))
                real_a, real_b = types_a <= inner, types_b <= inner
                matched = np.count_nonzero(opened[real_a] >= 0) + np.count_nonzero(closed[real_a] >= 0)
                units = int(real_a.sum())
                _add(totals["segmentation"], units + int(real_b.sum()) - int(matched), units)
                width = len(core.dissimilarity.names)
                for name in carried:
                    place = core.dissimilarity.names.index(name)
                    before = labels_a.reshape(len(types_a), width)[both, place]
                    after = labels_b.reshape(len(types_b), width)[other, place]
                    labelled = types_a[both] <= inner
                    _add(totals[name], int(np.count_nonzero((before != after) & labelled)), int(labelled.sum()))
        return {name: (changes, trials) for name, (changes, trials) in totals.items()}

    @cached_property
    def characters(self) -> tuple[NDArray[np.int32], NDArray[np.uint64]]:
        """The characters of the units that are edited, with running sums of how often they occur."""
        inner = len(self.core.versions.types) - 1
        texts = []
        for version in self.core.full:
            text, starts, ends, types, _ = version.columns()
            edited = types >= inner
            depth = np.zeros(len(text) + 1, dtype=np.int64)
            np.add.at(depth, starts[edited], 1)
            np.add.at(depth, ends[edited], -1)
            texts.append(text[np.cumsum(depth)[:-1] > 0])
        return _table(np.concatenate(texts))

    @cached_property
    def labels(self) -> list[tuple[NDArray[np.int32], NDArray[np.uint64]]]:
        """For each type and each feature, the labels of the annotators' units with running sums."""
        width = len(self.core.dissimilarity.names)
        columns = [version.columns() for version in self.core.plain]
        return [
            _table(
                np.concatenate(
                    [labels.reshape(len(types), width)[types == code, place] for *_, types, labels in columns]
                )
            )
            for code in range(len(self.core.versions.types))
            for place in range(width)
        ]

    def edit_model(
        self,
        rates: Rates,
        *,
        seed: int,
        p_further: float = 0.0,
        is_exact: bool = False,
        key_of: str | bytes | None = None,
    ) -> EditModel:
        """The parameters of random versions in the form that the core takes, keyed by their content or by `key_of`."""
        characters, until = self.characters
        names = self.core.dissimilarity.names
        return EditModel(
            list(self.bases),
            len(self.core.versions.types),
            self.core.has_gaps,
            is_exact,
            rates.p_text if len(characters) else 0.0,
            rates.p_seg,
            p_further,
            np.array([rates.p_label.get(name, -1.0) for name in names], dtype=np.float64),
            characters,
            until,
            self.labels,
            key(seed, self.core.digest if key_of is None else key_of),
        )

    def draw(
        self,
        rates: Rates,
        *,
        seed: int,
        sample: int,
        annotator: int = 0,
        p_further: float = 0.0,
        is_exact: bool = False,
        key_of: str | bytes | None = None,
    ) -> Version:
        """One random version; with `is_exact`, exactly these shares of the units are changed."""
        model = self.edit_model(rates, seed=seed, p_further=p_further, is_exact=is_exact, key_of=key_of)
        return self.core.decode_version(text_draw(model, sample, annotator))


@dataclass(frozen=True)
class RandomVersions:
    """Draws and aligns random versions for the expected disorder: a single case, without categories."""

    core: CoreText
    model: EditModel

    @property
    def case_of(self) -> NDArray[np.int64]:
        return np.zeros(1, dtype=np.int64)

    @property
    def labels(self) -> tuple[tuple[str | None, ...], ...]:
        return ((),)

    @property
    def identities(self) -> tuple[bytes, ...]:
        return (self.core.digest,)

    def sample(
        self, cases: NDArray[np.int64], firsts: NDArray[np.int64], counts: NDArray[np.int64], how: How
    ) -> tuple[FloatArray, FloatArray, NDArray[np.int64], FloatArray, FloatArray]:
        """Samples firsts .. firsts + counts - 1 of the only case; a limit that stops one is a SolverLimitError."""
        (first,), (count,) = firsts.tolist(), counts.tolist()
        disorders, bounds, stopped = text_disorders(
            self.model,
            self.core.kernel,
            *self.core.gaps.whole,
            self.core.versions.n_annotators,
            first,
            count,
            how.threads,
            how.limits,
        )
        if stopped:
            raise too_different(f"random versions of {self.core.versions.name}".strip(), "time or memory")
        return disorders, bounds, np.zeros(count, dtype=np.int64), np.empty(0), np.empty(0)


def _resolve(value: Probability, counts: tuple[int, int] | None, visible: float = 1.0) -> float:
    """A probability as it is given, or from (changes, trials); `visible` is the share of changes that can be seen."""
    if value is not None and not isinstance(value, Prior):
        return float(value)
    changes, trials = counts or (0, 0)
    if isinstance(value, Prior):
        share = value.mode(changes=changes, trials=trials)
    else:
        share = changes / trials if trials else 0.0
    return min(1.0, share / visible) if visible > 0 else 0.0


def _text_kernel(n_types: int) -> TextKernel:
    """The dissimilarity of texts alone: 1 if those of two units differ, 0 if they are equal."""
    return TextKernel(False, 1.0, [], np.ones(n_types))


def _add(total: list[int], changes: int, trials: int) -> None:
    total[0] += changes
    total[1] += trials


def _table(values: Any) -> tuple[NDArray[np.int32], NDArray[np.uint64]]:
    distinct, counts = np.unique(values, return_counts=True)
    return np.ascontiguousarray(distinct, dtype=np.int32), np.cumsum(counts).astype(np.uint64)
