# SPDX-License-Identifier: MIT
"""The papers that define the measures: one entry each, from which references in running text and BibTeX are written."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

Kind = Literal["article", "book", "inproceedings", "phdthesis"]


@dataclass(frozen=True, slots=True)
class Paper:
    """One publication, as BibTeX describes it.

    authors: `Surname, Given names` each; fields: BibTeX's fields of this kind of publication, with single hyphens in
    ranges of pages; place: the part that is cited (`section 6.2`), empty for the whole.
    """

    key: str
    authors: tuple[str, ...]
    year: int
    title: str
    kind: Kind
    fields: Mapping[str, str] = field(hash=False)
    place: str = ""

    def at(self, place: str) -> Paper:
        """The same paper, citing one part of it."""
        return replace(self, place=place)

    @property
    def short(self) -> str:
        """The citation in running text.

        >>> MATHET_2015.short
        'Mathet et al., 2015'
        """
        surnames = [author.partition(", ")[0] for author in self.authors]
        first = surnames[0]
        names = (
            first if len(surnames) == 1 else f"{first} and {surnames[1]}" if len(surnames) == 2 else f"{first} et al."
        )
        return f"{names}, {self.year}"

    @property
    def reference(self) -> str:
        """The entry of a list of references, on one line.

        >>> MATHET_2017.at("section 4.2.6").reference
        'Yann Mathet (2017). The Agreement Measure γcat a Complement to γ Focused on Categorization of a Continuum. \
Computational Linguistics 43(3), 661-681, section 4.2.6. doi:10.1162/COLI_a_00296'
        """
        names = ", ".join(" ".join(reversed(author.split(", "))) for author in self.authors)
        where = ", ".join(filter(None, [self._published_in(), self.place]))
        doi = f" doi:{self.fields['doi']}" if "doi" in self.fields else ""
        return f"{names} ({self.year}). {self.title}. {where}.{doi}"

    def _published_in(self) -> str:
        of = self.fields
        match self.kind:
            case "article":
                number = f"({of['number']})" if "number" in of else ""
                return f"{of['journal']} {of['volume']}{number}, {of['pages']}"
            case "book":
                return f"{of['edition']} edition, {of['publisher']}"
            case "phdthesis":
                return f"PhD thesis, {of['school']}"
            case "inproceedings":
                return ", ".join(filter(None, [of["booktitle"], of.get("pages", "")]))

    @property
    def bibtex(self) -> str:
        """The entry for a bibliography.

        >>> print(COHEN_1960.bibtex)
        @article{cohen1960coefficient,
          author = {Cohen, Jacob},
          title = {{A coefficient of agreement for nominal scales}},
          journal = {Educational and Psychological Measurement},
          volume = {20},
          number = {1},
          pages = {37--46},
          year = {1960},
        }
        """
        ranges = {name: value.replace("-", "--") for name, value in self.fields.items() if name in ("number", "pages")}
        entry = {
            "author": " and ".join(self.authors),
            "title": "{" + self.title + "}",
            **self.fields,
            **ranges,
            "year": str(self.year),
        }
        # A DOI is written as it is: \url{} and \doi{} take underscores.
        lines = [f"  {name} = {{{value if name == 'doi' else _escape(value)}}}," for name, value in entry.items()]
        return "\n".join([f"@{self.kind}{{{self.key},", *lines, "}"])


def references(papers: Sequence[Paper]) -> str:
    """Several papers in one line of text, with `; ` between them."""
    every = [paper.reference for paper in papers]
    return "; ".join([*(reference.removesuffix(".") for reference in every[:-1]), *every[-1:]])


def _escape(text: str) -> str:
    """Text for BibTeX: ampersands and the Greek letters of titles as LaTeX takes them."""
    return re.sub(r"(?<!\\)&", r"\\&", text).replace("γcat", r"$\gamma_{cat}$").replace("γ", r"$\gamma$")


MATHET_2012 = Paper(
    "mathet2012manual",
    (
        "Mathet, Yann",
        "Widlöcher, Antoine",
        "Fort, Karën",
        "François, Claire",
        "Galibert, Olivier",
        "Grouin, Cyril",
        "Kahn, Juliette",
        "Rosset, Sophie",
        "Zweigenbaum, Pierre",
    ),
    2012,
    "Manual corpus annotation: Giving meaning to the evaluation metrics",
    "inproceedings",
    {"booktitle": "COLING 2012", "pages": "809-818"},
)
MATHET_2015 = Paper(
    "mathet2015unified",
    ("Mathet, Yann", "Widlöcher, Antoine", "Métivier, Jean-Philippe"),
    2015,
    "The Unified and Holistic Method Gamma (γ) for Inter-Annotator Agreement Measure and Alignment",
    "article",
    {
        "journal": "Computational Linguistics",
        "volume": "41",
        "number": "3",
        "pages": "437-479",
        "doi": "10.1162/COLI_a_00227",
    },
)
MATHET_2017 = Paper(
    "mathet2017agreement",
    ("Mathet, Yann",),
    2017,
    "The Agreement Measure γcat a Complement to γ Focused on Categorization of a Continuum",
    "article",
    {
        "journal": "Computational Linguistics",
        "volume": "43",
        "number": "3",
        "pages": "661-681",
        "doi": "10.1162/COLI_a_00296",
    },
)
TITEUX_2021 = Paper(
    "titeux2021pygamma",
    ("Titeux, Hadrien", "Riad, Rachid"),
    2021,
    "pygamma-agreement: Gamma γ measure for inter/intra-annotator agreement in Python",
    "article",
    {
        "journal": "Journal of Open Source Software",
        "volume": "6",
        "number": "62",
        "pages": "2989",
        "doi": "10.21105/joss.02989",
    },
)
BARTELD_2016 = Paper(
    "barteld2016text",
    ("Barteld, Fabian", "Schröder, Ingrid", "Zinsmeister, Heike"),
    2016,
    (
        "text-gamma: inter-annotator agreement for categorization with simultaneous segmentation and "
        "transcription-error correction"
    ),
    "inproceedings",
    {"booktitle": "KONVENS 2016"},
)
KRIPPENDORFF_2013 = Paper(
    "krippendorff2013content",
    ("Krippendorff, Klaus",),
    2013,
    "Content Analysis: An Introduction to Its Methodology",
    "book",
    {"edition": "3rd", "publisher": "Sage"},
)
KRIPPENDORFF_1995 = Paper(
    "krippendorff1995reliability",
    ("Krippendorff, Klaus",),
    1995,
    "On the Reliability of Unitizing Continuous Data",
    "article",
    {"journal": "Sociological Methodology", "volume": "25", "pages": "47-76"},
)
KRIPPENDORFF_2016 = Paper(
    "krippendorff2016reliability",
    ("Krippendorff, Klaus", "Mathet, Yann", "Bouvry, Stéphane", "Widlöcher, Antoine"),
    2016,
    "On the Reliability of Unitizing Textual Continua: Further Developments",
    "article",
    {"journal": "Quality & Quantity", "volume": "50", "number": "6", "pages": "2347-2364"},
)
FLEISS_1971 = Paper(
    "fleiss1971measuring",
    ("Fleiss, Joseph L.",),
    1971,
    "Measuring nominal scale agreement among many raters",
    "article",
    {"journal": "Psychological Bulletin", "volume": "76", "number": "5", "pages": "378-382"},
)
BENNETT_1954 = Paper(
    "bennett1954communications",
    ("Bennett, E. M.", "Alpert, R.", "Goldstein, A. C."),
    1954,
    "Communications through limited-response questioning",
    "article",
    {"journal": "Public Opinion Quarterly", "volume": "18", "number": "3", "pages": "303-308"},
)
COHEN_1960 = Paper(
    "cohen1960coefficient",
    ("Cohen, Jacob",),
    1960,
    "A coefficient of agreement for nominal scales",
    "article",
    {"journal": "Educational and Psychological Measurement", "volume": "20", "number": "1", "pages": "37-46"},
)
COHEN_1968 = Paper(
    "cohen1968weighted",
    ("Cohen, Jacob",),
    1968,
    "Weighted kappa: Nominal scale agreement with provision for scaled disagreement or partial credit",
    "article",
    {"journal": "Psychological Bulletin", "volume": "70", "number": "4", "pages": "213-220"},
)
SCOTT_1955 = Paper(
    "scott1955reliability",
    ("Scott, William A.",),
    1955,
    "Reliability of content analysis: The case of nominal scale coding",
    "article",
    {"journal": "Public Opinion Quarterly", "volume": "19", "number": "3", "pages": "321-325"},
)
DAVIES_1982 = Paper(
    "davies1982measuring",
    ("Davies, Mark", "Fleiss, Joseph L."),
    1982,
    "Measuring agreement for multinomial data",
    "article",
    {"journal": "Biometrics", "volume": "38", "number": "4", "pages": "1047-1051"},
)
CONGER_1980 = Paper(
    "conger1980integration",
    ("Conger, Anthony J.",),
    1980,
    "Integration and generalization of kappas for multiple raters",
    "article",
    {"journal": "Psychological Bulletin", "volume": "88", "number": "2", "pages": "322-328"},
)
GWET_2008 = Paper(
    "gwet2008computing",
    ("Gwet, Kilem Li",),
    2008,
    "Computing inter-rater reliability and its variance in the presence of high agreement",
    "article",
    {
        "journal": "British Journal of Mathematical and Statistical Psychology",
        "volume": "61",
        "number": "1",
        "pages": "29-48",
    },
)
GWET_2014 = Paper(
    "gwet2014handbook",
    ("Gwet, Kilem Li",),
    2014,
    ("Handbook of Inter-Rater Reliability: The Definitive Guide to Measuring the Extent of Agreement Among Raters"),
    "book",
    {"edition": "4th", "publisher": "Advanced Analytics"},
)
REIDSMA_2008 = Paper(
    "reidsma2008annotations",
    ("Reidsma, Dennis",),
    2008,
    "Annotations and Subjective Machines: Of Annotators, Embodied Agents, Users, and Other Humans",
    "phdthesis",
    {"school": "University of Twente"},
)
PEVZNER_2002 = Paper(
    "pevzner2002critique",
    ("Pevzner, Lev", "Hearst, Marti A."),
    2002,
    "A Critique and Improvement of an Evaluation Metric for Text Segmentation",
    "article",
    {"journal": "Computational Linguistics", "volume": "28", "number": "1", "pages": "19-36"},
)
BEEFERMAN_1999 = Paper(
    "beeferman1999statistical",
    ("Beeferman, Doug", "Berger, Adam", "Lafferty, John"),
    1999,
    "Statistical Models for Text Segmentation",
    "article",
    {"journal": "Machine Learning", "volume": "34", "number": "1-3", "pages": "177-210"},
)
BOOKSTEIN_2002 = Paper(
    "bookstein2002generalized",
    ("Bookstein, Abraham", "Kulyukin, Vladimir A.", "Raita, Timo"),
    2002,
    "Generalized Hamming Distance",
    "article",
    {"journal": "Information Retrieval", "volume": "5", "number": "4", "pages": "353-375"},
)
FOURNIER_2013 = Paper(
    "fournier2013evaluating",
    ("Fournier, Chris",),
    2013,
    "Evaluating Text Segmentation using Boundary Edit Distance",
    "inproceedings",
    {
        "booktitle": "Proceedings of the 51st Annual Meeting of the Association for Computational Linguistics",
        "pages": "1702-1712",
    },
)
FOURNIER_2012 = Paper(
    "fournier2012segmentation",
    ("Fournier, Chris", "Inkpen, Diana"),
    2012,
    "Segmentation Similarity and Agreement",
    "inproceedings",
    {"booktitle": "Proceedings of NAACL-HLT 2012", "pages": "152-161"},
)
GALIBERT_2010 = Paper(
    "galibert2010named",
    (
        "Galibert, Olivier",
        "Quintard, Ludovic",
        "Rosset, Sophie",
        "Zweigenbaum, Pierre",
        "Nédellec, Claire",
        "Aubin, Sophie",
        "Gillard, Laurent",
        "Raysz, Jean-Pierre",
        "Pois, Delphine",
        "Tannier, Xavier",
        "Deléger, Louise",
        "Laurent, Dominique",
    ),
    2010,
    "Named and Specific Entity Detection in Varied Data: The Quæro Named Entity Baseline Evaluation",
    "inproceedings",
    {"booktitle": "Proceedings of LREC 2010", "pages": "3453-3458"},
)
CONLL_2003 = Paper(
    "tjongkimsang2003introduction",
    ("Tjong Kim Sang, Erik F.", "De Meulder, Fien"),
    2003,
    "Introduction to the CoNLL-2003 Shared Task: Language-Independent Named Entity Recognition",
    "inproceedings",
    {"booktitle": "Proceedings of CoNLL-2003", "pages": "142-147"},
)
SEMEVAL_2013 = Paper(
    "segurabedmar2013semeval",
    ("Segura-Bedmar, Isabel", "Martínez, Paloma", "Herrero-Zazo, María"),
    2013,
    "SemEval-2013 Task 9: Extraction of Drug-Drug Interactions from Biomedical Texts (DDIExtraction 2013)",
    "inproceedings",
    {"booktitle": "Proceedings of SemEval 2013", "pages": "341-350"},
)
MUC_1993 = Paper(
    "chinchor1993muc",
    ("Chinchor, Nancy", "Sundheim, Beth"),
    1993,
    "MUC-5 Evaluation Metrics",
    "inproceedings",
    {"booktitle": "Proceedings of MUC-5", "pages": "69-78"},
)
VOC_2010 = Paper(
    "everingham2010pascal",
    ("Everingham, Mark", "Van Gool, Luc", "Williams, Christopher K. I.", "Winn, John", "Zisserman, Andrew"),
    2010,
    "The Pascal Visual Object Classes (VOC) Challenge",
    "article",
    {"journal": "International Journal of Computer Vision", "volume": "88", "number": "2", "pages": "303-338"},
)
