# SPDX-License-Identifier: MIT
"""d_tγ: how unlike two units of different versions are, text and features together (Barteld et al. 2016, section 5)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from unisono._core import Kernel, TextKernel
from unisono.dissimilarity.categorial import Categorial, Nominal
from unisono.dissimilarity.parameter_checks import not_negative, positive, refuse, short
from unisono.errors import ParameterError, Problem
from unisono.model import Corpus
from unisono.model.versions import TextVersions

TextDistance = Literal["nominal", "levenshtein"]


@dataclass(frozen=True)
class TextDissimilarity:
    """The mean of the dissimilarities of the texts and of each feature, times delta_empty.

    text: "nominal" (equal or not, as the paper's own), or "levenshtein" (edit distance over the longer length).
    features: which features count, by name (nominal) or as a categorial dissimilarity of that feature; None: every
    feature there is, nominal. weights: of each feature, 1 where not given; text_weight: of the text. A feature that
    no unit of a type carries does not count for that type: n is "the number of features of the annotations".

    Definition: Barteld et al. 2016, section 5; with weights, their weighted mean. Never above delta_empty, as
    inequality (1) asks. Deviations: none.

    >>> TextDissimilarity(text="levenshtein", features=("pos",)).signature
    'text:levenshtein,pos:nominal,delta_empty=1'
    """

    text: TextDistance = "nominal"
    features: Sequence[str | Categorial] | None = None
    weights: Mapping[str, float] = field(default_factory=dict, hash=False, kw_only=True)
    text_weight: float = field(default=1.0, kw_only=True)
    delta_empty: float = field(default=1.0, kw_only=True)

    def __post_init__(self) -> None:
        problems = positive(delta_empty=self.delta_empty) + not_negative(text_weight=self.text_weight)
        problems += not_negative(**self.weights)
        if self.text not in ("nominal", "levenshtein"):
            problems.append(
                Problem(
                    "parameter",
                    "error",
                    "text",
                    f"{self.text!r} is not a dissimilarity of texts",
                    "Choose 'nominal' or 'levenshtein'.",
                )
            )
        if self.features is not None:
            if isinstance(self.features, str):
                problems.append(
                    Problem(
                        "parameter",
                        "error",
                        "features",
                        f"{self.features!r} is not a sequence of features",
                        "Give the features as a list.",
                    )
                )
            else:
                given = tuple(Nominal(feature=item) if isinstance(item, str) else item for item in self.features)
                names = [item.feature for item in given]
                if len(set(names)) != len(names):
                    problems.append(
                        Problem(
                            "parameter",
                            "error",
                            "features",
                            f"a feature is given twice ({', '.join(names)})",
                            "Give each feature once.",
                        )
                    )
                problems += [
                    Problem(
                        "parameter",
                        "error",
                        item.feature,
                        f"f_cat is {item.f_cat!r}, and text-γ needs distances from 0 to 1",
                        "Use f_cat='identity'.",
                    )
                    for item in given
                    if item.f_cat != "identity"
                ]
                object.__setattr__(self, "features", given)
        refuse(problems)

    @property
    def categorial(self) -> tuple[Categorial, ...]:
        """A dissimilarity for each feature that counts; known once fitted."""
        return tuple(item for item in self.features or () if isinstance(item, Categorial))

    @property
    def names(self) -> tuple[str, ...]:
        """The features that count, in order."""
        return tuple(item.feature for item in self.categorial)

    @property
    def signature(self) -> str:
        parts = [f"text:{self.text}" + self._weight(self.text_weight)]
        if self.features is None:
            parts.append("features:all")
        for item in self.categorial:
            # The feature's name is written before its signature, so it is left out there.
            inner = replace(item, feature="category").signature
            parts.append(f"{item.feature}:{inner}{self._weight(self.weights.get(item.feature, 1.0))}")
        return ",".join([*parts, f"delta_empty={short(self.delta_empty)}"])

    def _weight(self, weight: float) -> str:
        return "" if weight == 1 else f"*{short(weight)}"

    def fitted(self, versions: TextVersions | Corpus) -> TextDissimilarity:
        """The same with every feature named and every scale fixed from the versions of one text.

        Documents of a corpus may have different features: for a corpus it stays as it is.
        """
        if isinstance(versions, Corpus):
            return self
        known = versions.feature_names
        chosen = tuple(Nominal(feature=name) for name in known) if self.features is None else self.categorial
        problems = [
            Problem(
                "unknown-feature",
                "error",
                versions.name,
                f"no unit has the feature {name!r}",
                f"The features are {', '.join(known)}." if known else "The units have no features.",
            )
            for name in [*(item.feature for item in chosen), *self.weights]
            if name not in known
        ]
        if problems:
            raise ParameterError(problems)
        return replace(self, features=tuple(item.fitted(versions.labels(item.feature)) for item in chosen))

    def kernel(self, versions: TextVersions, has_gaps: bool) -> TextKernel:
        """The core's form, for the types and labels of these versions; to be called on a fitted dissimilarity."""
        features = []
        for item in self.categorial:
            kind, table = item.table(versions.labels(item.feature))
            features.append(
                Kernel(
                    positional="sporadic",
                    scale=1.0,
                    categorial=kind,
                    table=np.ascontiguousarray(table, dtype=np.float64),
                    steep=False,
                    alpha=0.0,
                    beta=1.0,
                    delta_empty=1.0,
                )
            )
        rows = [self._weights(versions, name) for name in versions.types]
        if has_gaps:
            rows.append([1.0, *(0.0 for _ in features)])
        return TextKernel(
            self.text == "levenshtein", float(self.delta_empty), features, np.array(rows, dtype=np.float64).ravel()
        )

    def _weights(self, versions: TextVersions, type_name: str) -> list[float]:
        """The weights of the text and of each feature for units of a type; they sum to 1."""
        weights = [float(self.text_weight)]
        for name in self.names:
            carried = any(
                bool((v.features[name].codes[v.types.codes == v.types.labels.index(type_name)] >= 0).any())
                for v in versions.all_versions
                if name in v.features and type_name in v.types.labels
            )
            weights.append(float(self.weights.get(name, 1.0)) if carried else 0.0)
        total = math.fsum(weights)
        if total == 0:
            raise ParameterError.of(
                f"everything that units of the type {type_name!r} have is weighted 0",
                "Give the text or one of their features a weight above 0.",
                where=versions.name,
            )
        return [weight / total for weight in weights]
