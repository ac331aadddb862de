# SPDX-License-Identifier: MIT
"""Measures of segmentation: boundaries between units that cover the continuum."""

from __future__ import annotations

from unisono.measures.info import MeasureInfo
from unisono.measures.papers import BEEFERMAN_1999, BOOKSTEIN_2002, FOURNIER_2012, FOURNIER_2013, PEVZNER_2002

_COVERING = "units that cover the whole continuum without overlap; compared two by two"
_ATOMS = f"{_COVERING}; integer positions or a step"
_HOME = "unisono.measures.segmentation"

MEASURES = (
    MeasureInfo(
        name="window-diff",
        symbol="1-WD",
        needs=_COVERING,
        explanation=(
            "How often a window that slides over the continuum has the same number of boundaries for both "
            "annotators; a near miss costs less than a miss. Categories and chance are not taken into account, and "
            "boundaries near the ends count less."
        ),
        papers=(PEVZNER_2002,),
        home=f"{_HOME}:window_diff",
        is_corrected=False,
        is_share=True,
    ),
    MeasureInfo(
        name="pk",
        symbol="1-Pk",
        needs=_COVERING,
        explanation=(
            "How often two annotators agree whether the two ends of a sliding window lie in the same unit. Categories "
            "and chance are not taken into account, nor is a boundary beside another in the same window."
        ),
        papers=(BEEFERMAN_1999,),
        home=f"{_HOME}:pk",
        is_corrected=False,
        is_share=True,
    ),
    MeasureInfo(
        name="ghd",
        symbol="1-GHD",
        needs=_COVERING,
        explanation=(
            "How few boundaries have to be moved, inserted and deleted to turn one annotator's into the other's, in "
            "proportion to their number. Categories and chance are not taken into account."
        ),
        papers=(BOOKSTEIN_2002,),
        home=f"{_HOME}:ghd",
        is_corrected=False,
    ),
    MeasureInfo(
        name="boundary-similarity",
        symbol="B",
        needs=_ATOMS,
        explanation=(
            "The mean correctness of the boundaries that either annotator placed: 1 for the same place, 1/2 for the "
            "next one, 0 for a miss. Categories and chance are not taken into account."
        ),
        papers=(FOURNIER_2013,),
        home=f"{_HOME}:boundary_similarity",
        is_corrected=False,
        is_share=True,
    ),
    MeasureInfo(
        name="boundary-similarity-pi",
        symbol="π*B",
        needs=_ATOMS,
        explanation=(
            "B corrected for chance, which places boundaries as often as all annotators together did: 0 at chance "
            "level. Categories are not taken into account, nor is chance agreement on near misses."
        ),
        papers=(FOURNIER_2013,),
        home=f"{_HOME}:boundary_similarity_pi",
    ),
    MeasureInfo(
        name="boundary-similarity-kappa",
        symbol="κ*B",
        needs=_ATOMS,
        explanation=(
            "B corrected for chance, which places boundaries as often as each annotator did: 0 at chance level. "
            "Categories are not taken into account, nor is chance agreement on near misses."
        ),
        papers=(FOURNIER_2013,),
        home=f"{_HOME}:boundary_similarity_kappa",
    ),
    MeasureInfo(
        name="segmentation-similarity",
        symbol="S (Fournier)",
        needs=_ATOMS,
        explanation=(
            "The share of the places where a boundary could be that need no edit to make the annotators agree. It is "
            "close to 1 wherever boundaries are rare, even for annotators who share none; B was made to replace it."
        ),
        papers=(FOURNIER_2012,),
        home=f"{_HOME}:segmentation_similarity",
        is_corrected=False,
        is_share=True,
    ),
    MeasureInfo(
        name="segmentation-similarity-pi",
        symbol="π*S",
        needs=_ATOMS,
        explanation=(
            "S corrected for chance, which places boundaries as often as all annotators together did. The correction "
            "is small where boundaries are rare, and the value then as close to 1 as that of S."
        ),
        papers=(FOURNIER_2012,),
        home=f"{_HOME}:segmentation_similarity_pi",
    ),
    MeasureInfo(
        name="segmentation-similarity-kappa",
        symbol="κ*S",
        needs=_ATOMS,
        explanation=(
            "S corrected for chance, which places boundaries as often as each annotator did. The correction is small "
            "where boundaries are rare, and the value then as close to 1 as that of S."
        ),
        papers=(FOURNIER_2012,),
        home=f"{_HOME}:segmentation_similarity_kappa",
    ),
)
