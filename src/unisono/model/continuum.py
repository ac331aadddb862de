# SPDX-License-Identifier: MIT
"""One annotated medium with the units of all its annotators.

Units are stored in columns (numpy arrays, labels as codes) and are returned as `Unit` when indexed. A continuum is
canonical: annotators are sorted by name and units by (annotator, start, end, category, ...), so that the order
of the rows in a file cannot change a number.
"""

from __future__ import annotations

import importlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from unisono.errors import ParameterError, UnitError
from unisono.frames import Backend, build_frame
from unisono.model.extents import check_extent, common_extent, guess_extent
from unisono.model.frame_columns import document_columns, unit_columns
from unisono.model.merging import concatenate_positions, merge_feature
from unisono.model.units import (
    CATEGORY,
    Extent,
    Feature,
    IntArray,
    Position,
    PositionArray,
    Unit,
    check_codes,
    check_positions,
    freeze,
    unknown_annotators,
)
from unisono.model.versions import OwnTexts, TextVersions, columns_of_versions, join_texts, make_versions
from unisono.nouns import quantity


class Continuum(Sequence[Unit]):
    """One annotated medium with the units of all its annotators, those who marked nothing included.

    A continuum is a sequence of units. Two continua are equal if they have the same name, annotators, units with their
    features, start and end of the extent, and text. What the extent was taken from is not compared, nor is a feature
    that no unit has.

    >>> c = Continuum.of({"ann": [(0, 5, "PER"), (7, 9, "LOC")], "bob": [(0, 4, "PER")], "cem": []})
    >>> len(c), c.annotators, c[0]
    (3, ('ann', 'bob', 'cem'), Unit(start=0, end=5, category='PER', annotator='ann', features={}))
    >>> c == Continuum.of({"cem": [], "bob": [(0, 4, "PER")], "ann": [(7, 9, "LOC"), (0, 5, "PER")]})
    True
    """

    __slots__ = (
        "__dict__", "annotator_codes", "annotators", "ends", "extent", "features", "name", "own_texts", "starts",
        "text",
    )  # fmt: skip

    def __init__(
        self,
        *,
        starts: Sequence[Position] | PositionArray,
        ends: Sequence[Position] | PositionArray,
        annotator_codes: Sequence[int] | NDArray[Any],
        annotators: Sequence[str],
        features: Mapping[str, Feature] | None = None,
        extent: Extent | None = None,
        name: str = "",
        text: str | None = None,
        own_texts: OwnTexts | None = None,
    ):
        start_column, end_column = check_positions(starts, ends, name)
        codes = np.asarray(annotator_codes, dtype=np.int32)
        columns = dict(features or {})
        columns.setdefault(CATEGORY, Feature(np.full(len(codes), -1, dtype=np.int32), ()))
        lengths = {len(start_column), len(end_column), len(codes), *(len(f.codes) for f in columns.values())}
        if len(lengths) != 1:
            raise ParameterError.of(
                f"the columns have different lengths ({', '.join(map(str, sorted(lengths)))})",
                "Give one value for each unit in every column.",
                where=name,
            )
        # The canonical form: annotators sorted by name, units by content.
        order_of_names = sorted(range(len(annotators)), key=lambda i: annotators[i])
        if len(set(annotators)) != len(annotators):
            repeated = sorted({annotator for annotator in annotators if list(annotators).count(annotator) > 1})
            raise ParameterError.of(
                f"several annotators are called {', '.join(map(repr, repeated))}",
                "Give each annotator a name of their own.",
                where=name,
            )
        check_codes(codes, 0, annotators, "annotator", where=name)
        new_code = np.empty(len(annotators), dtype=np.int32)
        new_code[order_of_names] = np.arange(len(annotators), dtype=np.int32)
        codes = new_code[codes]
        others = [columns[key].codes for key in sorted(columns, reverse=True) if key != CATEGORY]
        order = np.lexsort((*others, columns[CATEGORY].codes, end_column, start_column, codes))
        self._keep(
            start_column[order],
            end_column[order],
            codes[order],
            tuple(annotators[i] for i in order_of_names),
            {key: feature.take(order) for key, feature in columns.items()},
            extent,
            name,
            text,
            None if own_texts is None else own_texts.take(order_of_names),
        )
        if self.extent is not None:
            check_extent(self.extent, self.starts, self.ends, self.annotator_codes, self.annotators, where=self.name)

    @classmethod
    def canonical(
        cls,
        *,
        starts: PositionArray,
        ends: PositionArray,
        annotator_codes: IntArray,
        annotators: tuple[str, ...],
        features: Mapping[str, Feature],
        extent: Extent | None = None,
        name: str = "",
        text: str | None = None,
        own_texts: OwnTexts | None = None,
    ) -> Continuum:
        """A continuum from columns that are canonical already: the constructor without its checks and its sorting.

        The caller guarantees: annotators sorted by name, units sorted by (annotator, start, end, category, other
        features by name), no unit outside the extent, columns of one length, the category among the features.
        Readers use it, because checking and sorting thousands of short documents one by one takes longer than reading
        the file.
        """
        self = cls.__new__(cls)
        self._keep(starts, ends, annotator_codes, annotators, features, extent, name, text, own_texts)
        return self

    def _keep(
        self,
        starts: PositionArray,
        ends: PositionArray,
        annotator_codes: IntArray,
        annotators: tuple[str, ...],
        features: Mapping[str, Feature],
        extent: Extent | None,
        name: str,
        text: str | None,
        own_texts: OwnTexts | None,
    ) -> None:
        """Set every attribute and make the columns read-only; all constructors end here."""
        self.name = name
        self.text = text
        self.annotators = annotators
        self.starts: PositionArray = freeze(starts)
        self.ends: PositionArray = freeze(ends)
        self.annotator_codes: IntArray = freeze(annotator_codes)
        self.features = features
        for feature in features.values():
            freeze(feature.codes)
        self.extent: Extent | None = extent or guess_extent(self.starts, self.ends, text)
        #: The text of each annotator, where they have their own.
        self.own_texts = own_texts

    @classmethod
    def of(
        cls,
        units: Mapping[str, Iterable[Sequence[Any] | Unit]],
        *,
        extent: tuple[Position, Position] | Extent | None = None,
        name: str = "",
        text: str | None = None,
    ) -> Continuum:
        """A continuum from `{annotator: [(start, end, category), ...]}`; the category may be left out."""
        rows = [(annotator, _unit(item)) for annotator, items in units.items() for item in items]
        annotators = list(units)
        code = {annotator: i for i, annotator in enumerate(annotators)}
        names = sorted({key for _, unit in rows for key in unit.features})
        features = {CATEGORY: Feature.encode([unit.category for _, unit in rows])}
        features |= {key: Feature.encode([unit.features.get(key) for _, unit in rows]) for key in names}
        return cls(
            starts=[unit.start for _, unit in rows],
            ends=[unit.end for _, unit in rows],
            annotator_codes=[code[annotator] for annotator, _ in rows],
            annotators=annotators,
            features=features,
            extent=Extent(*extent) if isinstance(extent, tuple) else extent,
            name=name,
            text=text,
        )

    @classmethod
    def of_versions(cls, versions: TextVersions) -> Continuum:
        """The continuum of annotators who each have a version of the text; its features are those of the versions.

        >>> from unisono.model.versions import Version
        >>> texts = {"ann": Version.of("so so", [(0, 2)]), "bob": Version.of("sso", [(0, 1), (1, 3)])}
        >>> Continuum.of_versions(TextVersions.of(texts)).versions["bob"].text
        'sso'
        """
        return cls(**columns_of_versions(versions))

    @cached_property
    def versions(self) -> TextVersions | None:
        """The annotators' own versions of the text, with their units; None where they share one text."""
        return None if self.own_texts is None else make_versions(self, self.own_texts)

    def with_texts(self, own_texts: OwnTexts | None) -> Continuum:
        """The continuum with these texts of its annotators, in their order."""
        return self._take(slice(None), self.annotator_codes, self.annotators, self.name, own_texts)

    @property
    def n_annotators(self) -> int:
        return len(self.annotators)

    @property
    def n_units(self) -> int:
        return len(self.starts)

    @property
    def mean_units(self) -> float:
        """x̄: the mean number of units per annotator, those without units included (2015, section 4.3)."""
        return self.n_units / self.n_annotators

    @property
    def categories(self) -> tuple[str, ...]:
        return self.features[CATEGORY].labels

    @property
    def category_codes(self) -> IntArray:
        return self.features[CATEGORY].codes

    @property
    def has_integer_positions(self) -> bool:
        return self.starts.dtype.kind == "i"

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """Number of units of each annotator."""
        return np.bincount(self.annotator_codes, minlength=self.n_annotators)

    def __len__(self) -> int:
        return self.n_units

    @overload
    def __getitem__(self, index: int) -> Unit: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Unit, ...]: ...
    def __getitem__(self, index: int | slice) -> Unit | tuple[Unit, ...]:
        if isinstance(index, slice):
            return tuple(self[i] for i in range(*index.indices(len(self))))
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        return Unit(
            self.starts[index].item(),
            self.ends[index].item(),
            self.features[CATEGORY][index],
            self.annotators[self.annotator_codes[index]],
            {key: feature[index] for key, feature in self.features.items() if key != CATEGORY},
        )

    def __iter__(self) -> Iterator[Unit]:
        return (self[i] for i in range(len(self)))

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Continuum):
            return NotImplemented
        return self._summary() == other._summary() and self._content() == other._content()

    def __hash__(self) -> int:
        return hash(self._summary())

    def _summary(self) -> tuple[Any, ...]:
        """What is compared first: everything but the units."""
        bounds = None if self.extent is None else (self.extent.start, self.extent.end)
        return self.name, self.annotators, self.n_units, bounds, self.text, self.own_texts

    def _content(self) -> tuple[dict[str, tuple[str, ...]], bytes]:
        """The units as labels in use and sorted columns: the same whatever tables their codes refer to."""
        # Positions as doubles, because 3 == 3.0; adding 0 turns -0.0 into 0.0.
        columns: list[NDArray[np.float64]] = [c.astype(np.float64) + 0.0 for c in (self.starts, self.ends)]
        labels: dict[str, tuple[str, ...]] = {}
        for name in sorted(self.features):
            feature = self.features[name].compact()
            if feature.labels:
                labels[name] = feature.labels
                columns.append(feature.codes.astype(np.float64))
        table = np.stack([self.annotator_codes.astype(np.float64), *columns])
        return labels, table[:, np.lexsort(table[::-1])].tobytes()

    def units_of(self, annotator: str) -> tuple[Unit, ...]:
        code = self.annotators.index(annotator)
        return tuple(self[i] for i in np.flatnonzero(self.annotator_codes == code).tolist())

    def restrict(self, annotators: Iterable[str]) -> Continuum:
        """The continuum as if only these of its annotators had seen it; name, extent and text stay.

        >>> Continuum.of({"ann": [(0, 5)], "bob": [(0, 4)], "cem": []}).restrict(["cem", "ann"])
        <Continuum '': 1 unit by 2 annotators>
        """
        wanted = {annotators} if isinstance(annotators, str) else set(annotators)
        unknown = sorted(wanted - set(self.annotators))
        if unknown:
            raise unknown_annotators(unknown, self.annotators, where=self.name)
        kept = [i for i, name in enumerate(self.annotators) if name in wanted]
        code = np.full(self.n_annotators, -1, dtype=np.int32)
        code[kept] = np.arange(len(kept), dtype=np.int32)
        units = np.flatnonzero(code[self.annotator_codes] >= 0)
        # Annotators and units keep their order: the result is canonical.
        names = tuple(self.annotators[i] for i in kept)
        texts = None if self.own_texts is None else self.own_texts.take(kept)
        return self._take(units, code[self.annotator_codes[units]], names, self.name, texts)

    def with_extent(self, extent: Extent) -> Continuum:
        """The same units on a continuum that begins and ends elsewhere; UnitError if a unit is outside of it."""
        return self.replace(extent=extent)

    def with_features(self, features: Mapping[str, Feature]) -> Continuum:
        """The same units with these features, whose codes must not change the order of the units."""
        return self._take(slice(None), self.annotator_codes, self.annotators, self.name, self.own_texts, features)

    def without_equal_units(self) -> Continuum:
        """The continuum with one unit where an annotator marked several that are equal in every respect.

        >>> Continuum.of({"ann": [(0, 5, "A"), (0, 5, "A")], "bob": [(0, 5, "B")]}).without_equal_units()
        <Continuum '': 2 units by 2 annotators>
        """
        return self.take(~self.is_repeat)

    @property
    def is_repeat(self) -> NDArray[np.bool_]:
        """Which units equal the one before them in every respect; equal units are neighbours."""
        same = np.zeros(len(self), dtype=np.bool_)
        same[1:] = True
        codes = (feature.codes for feature in self.features.values())
        for column in (self.annotator_codes, self.starts, self.ends, *codes):
            same[1:] &= column[1:] == column[:-1]
        return same

    def take(self, units: NDArray[np.bool_]) -> Continuum:
        """The continuum with the units for which `units` is true; annotators, extent and text stay.

        >>> c = Continuum.of({"ann": [(0, 5, "A"), (7, 9, "B")], "bob": [(0, 5, "B")]})
        >>> [str(unit.category) for unit in c.take(c.starts < 7)]
        ['A', 'B']
        """
        if units.dtype != np.bool_ or units.shape != self.starts.shape:  # indices would select other units
            raise ParameterError.of(
                f"the choice of units is {units.dtype} of length {len(units)}",
                f"Give true or false for each of the {quantity(len(self), 'unit')}.",
                where=self.name,
            )
        places = np.flatnonzero(units)
        return self._take(places, self.annotator_codes[places], self.annotators, self.name, self.own_texts)

    def _take(
        self,
        units: NDArray[np.intp] | slice,
        annotator_codes: IntArray,
        annotators: tuple[str, ...],
        name: str,
        own_texts: OwnTexts | None,
        features: Mapping[str, Feature] | None = None,
    ) -> Continuum:
        """The continuum with these of its units, whose order is kept."""
        return Continuum.canonical(
            starts=self.starts[units],
            ends=self.ends[units],
            annotator_codes=annotator_codes,
            annotators=annotators,
            features={key: feature.take(units) for key, feature in (features or self.features).items()},
            extent=self.extent,
            name=name,
            text=self.text,
            own_texts=own_texts,
        )

    def rename(self, name: str | None = None, *, annotators: Mapping[str, str] | None = None) -> Continuum:
        """The continuum under another name, with other names for some annotators: {old name: new name}.

        >>> Continuum.of({"ann": [(0, 5)], "bob": []}, name="d").rename("e", annotators={"bob": "alf"}).annotators
        ('alf', 'ann')
        """
        new_name = self.name if name is None else name
        if not annotators:
            return self._take(slice(None), self.annotator_codes, self.annotators, new_name, self.own_texts)
        unknown = sorted(set(annotators) - set(self.annotators))
        if unknown:
            raise unknown_annotators(unknown, self.annotators, where=self.name)
        return self.replace(name=new_name, annotators=[annotators.get(old, old) for old in self.annotators])

    def relabel(self, mapping: Mapping[str, str], annotators: Collection[str] | None = None) -> Continuum:
        """The continuum with other categories: {old category: new category}; those not in the mapping stay.

        annotators: whose units are changed; everybody's if left out. Names of annotators who are not there are ignored.
        Categories that no unit has any more are no longer among `categories`.

        >>> c = Continuum.of({"ann": [(0, 5, "PERSON")], "gold": [(0, 5, "PER")]})
        >>> [unit.category for unit in c.relabel({"PERSON": "PER"}, ["ann"])]
        ['PER', 'PER']
        """
        is_changed = np.array([annotators is None or name in annotators for name in self.annotators], dtype=bool)
        renamed = self.features[CATEGORY].rename(mapping, is_changed[self.annotator_codes])
        return self.replace(features={**self.features, CATEGORY: renamed.compact()})

    def join(self, other: Continuum) -> Continuum:
        """The annotators of two continua of one document as one continuum; its extent is what both cover.

        Name and text are those of the first; the text is the second's where the first has none.

        >>> both = Continuum.of({"ann": [(0, 5)]}, name="d").join(Continuum.of({"bob": [(2, 9)]}, name="d"))
        >>> both.annotators, both.extent
        (('ann', 'bob'), Extent(start=0, end=9, source='guessed'))
        """
        repeated = sorted(set(self.annotators) & set(other.annotators))
        if repeated:
            raise ParameterError.of(
                f"{', '.join(map(repr, repeated))} annotated both of the continua that are joined",
                "Rename one of them, or leave one out.",
                where=self.name,
                code="annotator-twice",
            )
        return Continuum(
            starts=concatenate_positions(self.starts, other.starts),
            ends=concatenate_positions(self.ends, other.ends),
            annotator_codes=np.concatenate([self.annotator_codes, other.annotator_codes + self.n_annotators]),
            annotators=[*self.annotators, *other.annotators],
            features={
                name: merge_feature([(part.features.get(name), len(part)) for part in (self, other)])
                for name in sorted({*self.features, *other.features})
            },
            extent=common_extent(self.extent, other.extent),
            name=self.name,
            text=self.text if self.text is not None else other.text,
            own_texts=join_texts(self, other),
        )

    def replace(self, **changes: Any) -> Continuum:
        """The continuum with some of the constructor's arguments changed; its units are sorted anew.

        >>> Continuum.of({"ann": [(0, 5)], "bob": [(2, 9)]}).replace(starts=np.array([1, 2]))[0].start
        1
        """
        attributes: dict[str, Any] = {
            "starts": self.starts,
            "ends": self.ends,
            "annotator_codes": self.annotator_codes,
            "annotators": self.annotators,
            "features": self.features,
            "extent": self.extent,
            "name": self.name,
            "text": self.text,
            "own_texts": self.own_texts,
        }
        return Continuum(**(attributes | changes))

    def to_frame(self, rows: Literal["units", "documents"] = "units", *, backend: Backend | None = None) -> Any:
        """The continuum as a data frame, with the rows and columns of `Corpus.to_frame`."""
        columns = unit_columns([self]) if rows == "units" else document_columns([self], rows)
        return build_frame(columns, backend, empty=str)

    def _repr_html_(self) -> str:
        # An exception to the layers, as for alignments: the report, which makes the HTML, is loaded by name.
        return str(importlib.import_module("unisono.report.notebook").html(self))

    def __repr__(self) -> str:
        units, annotators = quantity(self.n_units, "unit"), quantity(self.n_annotators, "annotator")
        return f"<Continuum {self.name!r}: {units} by {annotators}>"


def _unit(item: Sequence[Any] | Unit) -> Unit:
    if isinstance(item, Unit):
        return item
    if not 2 <= len(item) <= 3:
        raise UnitError.of(f"{item!r} is not a unit", "Give a unit as (start, end) or (start, end, category).")
    category = item[2] if len(item) == 3 else None
    return Unit(item[0], item[1], None if category is None else str(category))
