# SPDX-License-Identifier: MIT
"""Agreement on the categories of given items, from the percentage to Gwet's AC2."""

from __future__ import annotations

from unisono.measures.info import MeasureInfo

_TWO = "predefined units, with categories; more than two annotators: mean over their pairs"
_ANY = "predefined units, with categories; at least two annotators"
_DISTANCES = "; distances of the categories"

MEASURES = (
    MeasureInfo(
        name="percentage",
        symbol="%",
        needs=_ANY,
        explanation=(
            "The share of pairs of annotators that gave an item the same category. "
            "It takes no account of chance: with two categories, half of it comes by itself."
        ),
        citation=(
            "Joseph L. Fleiss (1971). Measuring nominal scale agreement among many raters. "
            "Psychological Bulletin 76(5), 378-382."
        ),
        home="unisono.measures.kappa:percentage",
    ),
    MeasureInfo(
        name="s",
        symbol="S",
        needs=_ANY,
        explanation=(
            "Agreement on the category of each item beyond chance, where chance gives all categories alike. "
            "It does not know that some categories are more frequent, and grows with categories that are rarely used."
        ),
        citation=(
            "E. M. Bennett, R. Alpert, A. C. Goldstein (1954). Communications through limited-response questioning. "
            "Public Opinion Quarterly 18(3), 303-308."
        ),
        home="unisono.measures.kappa:s",
    ),
    MeasureInfo(
        name="kappa",
        symbol="κ",
        needs=_TWO,
        explanation=(
            "Agreement on the category of each item beyond chance, where chance keeps each annotator's frequencies. "
            "All disagreements count the same, and different habits of the annotators raise the value."
        ),
        citation=(
            "Jacob Cohen (1960). A coefficient of agreement for nominal scales. "
            "Educational and Psychological Measurement 20(1), 37-46."
        ),
        home="unisono.measures.kappa:kappa",
    ),
    MeasureInfo(
        name="weighted-kappa",
        symbol="κw",
        needs=_TWO + _DISTANCES,
        explanation=(
            "κ in which a disagreement counts as much as its two categories are apart in the categorial dissimilarity. "
            "Where that is nominal it is κ itself; it says nothing about where units are."
        ),
        citation=(
            "Jacob Cohen (1968). Weighted kappa: Nominal scale agreement with provision for scaled disagreement or "
            "partial credit. Psychological Bulletin 70(4), 213-220."
        ),
        home="unisono.measures.kappa:weighted_kappa",
    ),
    MeasureInfo(
        name="pi",
        symbol="π",
        needs=_TWO,
        explanation=(
            "Agreement on the category of each item beyond chance, where chance keeps the frequencies of both "
            "annotators together. All disagreements count the same, and rare categories make the value unsteady."
        ),
        citation=(
            "William A. Scott (1955). Reliability of content analysis: The case of nominal scale coding. "
            "Public Opinion Quarterly 19(3), 321-325."
        ),
        home="unisono.measures.kappa:pi",
    ),
    MeasureInfo(
        name="fleiss-k",
        symbol="K",
        needs=_ANY,
        explanation=(
            "π for any number of annotators, who need not be the same for every item; overall and for each category. "
            "All disagreements count the same, and who gave a value is not looked at."
        ),
        citation=(
            "Joseph L. Fleiss (1971). Measuring nominal scale agreement among many raters. "
            "Psychological Bulletin 76(5), 378-382."
        ),
        home="unisono.measures.kappa:fleiss_k",
    ),
    MeasureInfo(
        name="multi-kappa",
        symbol="multi-κ",
        needs=_ANY,
        explanation=(
            "κ for any number of annotators: chance keeps each one's own frequencies, over all pairs of annotators. "
            "All disagreements count the same, and different habits of the annotators raise the value."
        ),
        citation=(
            "Mark Davies, Joseph L. Fleiss (1982). Measuring agreement for multinomial data. Biometrics 38(4), "
            "1047-1051; Anthony J. Conger (1980). Integration and generalization of kappas for multiple raters. "
            "Psychological Bulletin 88(2), 322-328."
        ),
        home="unisono.measures.kappa:multi_kappa",
    ),
    MeasureInfo(
        name="ac1",
        symbol="AC1",
        needs=_ANY,
        explanation=(
            "Agreement on the category of each item beyond chance, where chance strikes on hard items only: it stays "
            "high where one category prevails and κ drops. It depends on how many categories there are."
        ),
        citation=(
            "Kilem Li Gwet (2008). Computing inter-rater reliability and its variance in the presence of high "
            "agreement. British Journal of Mathematical and Statistical Psychology 61(1), 29-48."
        ),
        home="unisono.measures.kappa:ac1",
    ),
    MeasureInfo(
        name="ac2",
        symbol="AC2",
        needs=_ANY + _DISTANCES,
        explanation=(
            "AC1 in which a disagreement counts as much as its two categories are apart in the categorial "
            "dissimilarity. Where that is nominal it is AC1 itself; it depends on how many categories there are."
        ),
        citation=(
            "Kilem Li Gwet (2014). Handbook of Inter-Rater Reliability: The Definitive Guide to Measuring the Extent "
            "of Agreement Among Raters, 4th edition. Advanced Analytics."
        ),
        home="unisono.measures.kappa:ac2",
    ),
)
