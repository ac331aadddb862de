# SPDX-License-Identifier: MIT
"""What requests may say and what answers hold: the models behind the OpenAPI description."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Name = Annotated[str, Field(min_length=1, max_length=1_000)]
Finite = Annotated[float, Field(allow_inf_nan=False)]
Fraction = Annotated[float, Field(gt=0, lt=1)]
Weight = Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False)]


class _Request(BaseModel):
    """Unknown keys are refused: a misspelt setting must not be ignored."""

    model_config = ConfigDict(extra="forbid")


class ColumnNames(_Request):
    """Which column of a table is what: its name, or its number from 1."""

    document: Name | None = None
    annotator: Name | None = None
    start: Name | None = None
    end: Name | None = None
    duration: Name | None = None
    category: Name | None = None


class Reading(_Request):
    """How files are read; what is left out is found out. The same settings as the options of `unisono measure`."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"annotator_from": "parent"}]})

    format: Name | None = Field(default=None, description="Name of the format, see /formats.")
    encoding: Name | None = Field(default=None, description="Encoding of the text.")
    layer: list[Name] = Field(default_factory=list, max_length=1_000, description="Layers or tiers to read.")
    annotator_from: Name | None = Field(
        default=None, description="Where annotators' names are: parent, stem, tier, field:NAME or regex:PATTERN."
    )
    document_from: Name | None = Field(default=None, description="Where documents' names are: the same rules.")
    tier_pattern: Name | None = Field(
        default=None, description="Takes tier names apart by groups annotator, layer, document."
    )
    category_from: Name | None = Field(default=None, description="Feature that is the category; one:other joins two.")
    category_map: dict[Name, Name] = Field(default_factory=dict, description="New names of categories.")
    ignore: list[Name] = Field(default_factory=list, max_length=10_000, description="Categories to leave out.")
    discontinuous: Literal["hull", "pieces", "skip"] = Field(default="hull", description="Units in several pieces.")
    columns: ColumnNames = Field(default_factory=ColumnNames, description="Columns of a table.")
    header: bool | None = Field(default=None, description="Whether the first row of a table names the columns.")
    decimal: Literal[".", ","] = Field(default=".", description="Decimal sign.")
    extent: tuple[int | Finite, int | Finite] | None = Field(
        default=None, description="Where every continuum begins and ends; found out or guessed if not given."
    )
    documents: Name | None = Field(default=None, description="Name of an uploaded table: document, start, end, text.")
    participation: Name | None = Field(default=None, description="Name of an uploaded table of who saw what.")
    skip_invalid: bool = Field(default=False, description="Go on without the rows that are invalid.")
    curation: bool = Field(default=False, description="Read the curated documents of an INCEpTION export too.")


class Settings(_Request):
    """How is measured; the same settings as the options of `unisono measure`."""

    measures: list[Name] = Field(
        default_factory=lambda: ["gamma"], min_length=1, max_length=100, description="Names, see /measures."
    )
    preset: Name = Field(default="paper", description="Whose choices, see /presets.")
    alpha: Weight | None = Field(
        default=None, description="Weight of the positions; what the preset says if not given."
    )
    beta: Weight = Field(default=1.0, description="Weight of the categories.")
    delta_empty: Annotated[float, Field(gt=0, le=1e9)] = Field(
        default=1.0, description="Dissimilarity of a unit to the empty unit."
    )
    positional: Literal["sporadic", "absolute", "boundary"] = Field(
        default="sporadic", description="How positions are compared; absolute and boundary need a scale."
    )
    scale: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = Field(
        default=None, description="Length that counts as one, for absolute and boundary."
    )
    categorial: Literal["nominal", "ordinal", "interval", "levenshtein", "jaccard", "masi", "tree"] | None = Field(
        default=None, description="How categories are compared; nominal if not given."
    )
    category_distances: dict[Name, dict[Name, Fraction | Literal[0, 1]]] | None = Field(
        default=None,
        description="Distance of every two categories, from 0 to 1; half of the matrix is enough.",
        examples=[{"Person": {"Location": 1, "Organisation": 0.5}, "Location": {"Organisation": 0.5}}],
    )
    category_order: list[Name] | None = Field(
        default=None, description="Categories from lowest to highest, for ordinal."
    )
    category_separator: Annotated[str, Field(min_length=1, max_length=10)] | None = Field(
        default=None, description="What parts a category, for jaccard, masi and tree."
    )
    f_cat: Literal["identity", "steep"] = Field(
        default="identity", description="What is made of a distance of categories."
    )
    chance: Literal["shift", "corpus", "statistical", "positions-kept"] | None = Field(
        default=None, description="How random continua are made; what the preset says if not given."
    )
    precision: Fraction | None = Field(default=None, description="Relative precision of the expected disorder; 0.02.")
    level: Fraction = Field(default=0.95, description="Confidence level of precision and intervals.")
    samples: Annotated[int, Field(ge=2, le=100_000)] | None = Field(
        default=None, description="A fixed number of random continua, instead of a precision."
    )
    seed: Annotated[int, Field(ge=0, lt=2**64)] | None = Field(
        default=None, description="Drawn, and told, if not given."
    )
    categories: list[Name] | None = Field(default=None, description="Only these categories in gamma-k.")
    tie_range: bool = Field(default=False, description="Range of gamma-cat and gamma-k over all tied best alignments.")
    reference: Name | None = Field(default=None, description="The annotator who is right, for measures that know one.")
    step: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = Field(
        default=None, description="Length of an atom."
    )
    atoms: Literal["position", "word"] = Field(default="position", description="What a text is cut into.")
    predefined: bool | None = Field(default=None, description="Whether the units are given items.")
    window: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = Field(
        default=None, description="How far a moved boundary is forgiven, for segmentation measures."
    )
    time_limit: Annotated[float, Field(gt=0, le=1e6)] | None = Field(
        default=None, description="Seconds for all the alignments of a document; part of the signature."
    )


class MeasureRequest(_Request):
    """What to measure, and how."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"upload": "id of an upload", "settings": {"measures": ["gamma", "gamma-cat"], "seed": 42}}]
        },
    )

    upload: Name = Field(description="The id that /uploads gave.")
    settings: Settings = Field(default_factory=lambda: Settings())
    wait: bool | None = Field(
        default=None,
        description="Whether to answer with the result (200) or with a job (202); by the number of units if not "
        "given. A call that waits longer than ten seconds is answered with its job all the same.",
    )


class ProblemModel(BaseModel):
    """One finding: where it is, what was expected, what was found, what to do. Codes: docs/messages.md."""

    code: str
    severity: Literal["error", "warning", "note"]
    where: str
    expected: str
    found: str = ""
    remedy: str = ""


class Problems(BaseModel):
    """Every answer that is no success."""

    problems: list[ProblemModel]


class Contents(BaseModel):
    """What the files offer to choose from."""

    kinds: dict[str, int] = Field(description="Kinds of files, and how many of each.")
    layers: dict[str, int] = Field(description="Layers or tiers, and their numbers of units.")
    read_layers: list[str] = Field(description="Those of the layers that were read.")
    features: list[str] = Field(description="Features that can be the category (category_from).")
    fields: list[str] = Field(description="Fields that can name the annotator (annotator_from field:NAME).")
    columns: list[str] = Field(description="Columns of the first table.")
    sources: dict[str, str] = Field(description="Where annotators, documents and categories were found, in words.")


class ExtentModel(BaseModel):
    """Where a continuum begins and ends, and who says so."""

    start: int | float
    end: int | float
    source: str


class DocumentModel(BaseModel):
    """One document of an upload."""

    name: str
    annotators: list[str]
    units: int
    extent: ExtentModel | None
    has_text: bool


class DataModel(BaseModel):
    """Which data, and how many: the same object as in results."""

    sha256: str
    documents: int
    annotators: int
    units: int


class Upload(BaseModel):
    """What was sent, and how it was understood."""

    id: str
    files: list[str] = Field(description="The names sent.")
    readable: bool = Field(description="Whether it can be measured.")
    skippable: bool = Field(description="Whether it can be measured with skip_invalid.")
    understood: str = Field(description="In one sentence.")
    contents: Contents
    data: DataModel | None
    annotators: list[str]
    categories: list[str]
    documents: list[DocumentModel]
    problems: list[ProblemModel] = Field(description="The first thousand, errors first.")
    n_problems: int
    reading: Reading = Field(description="The settings it was read with.")


class Progress(BaseModel):
    """How far a job is."""

    stage: Literal["reading", "estimating", "measuring"]
    done: int = Field(description="Documents done in this stage.")
    documents: int
    document: str = Field(description="The one at hand.")
    elapsed: float = Field(description="Seconds since the job began.")
    time_left: float | None = Field(description="Seconds, as far as they can be told.")


class MeasureWords(BaseModel):
    """A value in words."""

    symbol: str
    meaning: str = Field(description="What the value says, without a judgement.")
    certainty: list[str] = Field(description="What each of its intervals is.")
    from_chance: bool = Field(description="Whether 0 is what chance gives.")
    gap: str = Field(description="What is left open where the best alignment is not proven; empty where it is.")


class MethodsWords(BaseModel):
    """One sentence for a methods section."""

    markdown: str
    latex: str


class Words(BaseModel):
    """A result in words: the sentences of the report."""

    measures: dict[str, MeasureWords]
    basis: str = Field(description="How many random continua there were, and whether the precision was reached.")
    caution: str
    methods: MethodsWords
    bibtex: str = Field(description="The papers to cite.")


class Estimate(BaseModel):
    """Values from the samples drawn so far."""

    samples: int = Field(description="Random continua of each document behind it.")
    required: int | None = Field(description="As many as the precision will ask for, by this estimate.")
    seed: int
    measures: dict[str, Any] = Field(description="Name of the measure to its overall VALUE, as in results.")
    words: dict[str, MeasureWords]


class Job(BaseModel):
    """A measurement."""

    id: str
    upload: str
    status: Literal["waiting", "running", "done", "failed", "cancelled"]
    place: int | None = Field(description="How many wait before it.")
    progress: Progress | None
    estimate: Estimate | None
    problems: list[ProblemModel] = Field(description="Why it failed; warnings of the measurement.")
    settings: Settings


class ResultModel(BaseModel):
    """The object that `unisono measure --json` prints; docs/json.md says what is in it."""

    model_config = ConfigDict(extra="allow")

    format_version: int = Field(alias="schema")
    unisono: str
    signature: str = Field(description="One line with every parameter, the seed, the version.")
    parameters: dict[str, Any]
    seed: int
    data: DataModel
    measures: dict[str, dict[str, Any]] = Field(description="Name of the measure to a VALUE, over all documents.")
    documents: list[dict[str, Any]]
    problems: list[ProblemModel]


class Sample(BaseModel):
    """Data to begin with."""

    name: str
    title: str
    description: str


class Health(BaseModel):
    """That the service is there, and what it is doing."""

    status: Literal["ok"] = "ok"
    unisono: str
    workers: int
    running: int
    waiting: int


class LimitsModel(BaseModel):
    """How much may be asked for: sizes in bytes, times in seconds."""

    upload: int
    unpacked: int
    files: int
    units: int
    time: float
    reading_time: float
    memory: int
    jobs: int
    waiting: int
    storage: int
    kept: int
    keep: float
    small: int


class FormatModel(BaseModel):
    """A format that is read; the same object as `unisono formats --json` prints."""

    name: str
    suffixes: list[str]
    description: str
    extra: str | None
    example: str
    is_written: bool


class MeasureModel(BaseModel):
    """A measure; the same object as `unisono measures --json` prints."""

    name: str
    symbol: str
    needs: str
    explanation: str
    citation: str


class PresetModel(BaseModel):
    """Whose choices where papers and programs differ."""

    name: str
    explanation: str
    alpha: float
    chance: str
    samples: int | None


class Pending(BaseModel):
    """Under way: ask again."""

    status: Literal["running"] = "running"
