# SPDX-License-Identifier: MIT
"""What requests may say and what answers hold: the models behind the OpenAPI description."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from unisono.settings import Reading as ReadingSettings
from unisono.settings import ServiceLimits
from unisono.settings import Settings as MeasureSettings
from unisono.web.derived import Name, RequestModel, answer_model, derived_model


class ColumnNames(derived_model(ReadingSettings, are_columns=True)):  # type: ignore[misc]
    """Which column of a table is what: its name, or its number from 1."""


class Reading(derived_model(ReadingSettings)):  # type: ignore[misc]
    """How files are read, by the settings of `unisono measure`; what is left out is worked out from the files."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"annotator_from": "parent"}]})

    columns: ColumnNames = Field(default_factory=ColumnNames, description="Columns of a table.")


class Settings(derived_model(MeasureSettings)):  # type: ignore[misc]
    """How to measure: the settings of `unisono measure`."""

    measures: list[Name] = Field(
        default_factory=lambda: ["gamma"], min_length=1, max_length=100, description="Names, see /measures."
    )


class MeasureRequest(RequestModel):
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
    """One finding: where it is, what is wrong, what to do. Codes: docs/messages.md."""

    code: str
    severity: Literal["error", "warning", "note"]
    where: str
    message: str = Field(default="", description="What is wrong with the value found, in one sentence.")
    expected: str
    found: str = ""
    remedy: str = ""


class Problems(BaseModel):
    """The body of every answer that reports an error."""

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
    categories: int = Field(description="0: positions only.")


class AdviceModel(BaseModel):
    """A recommendation for data like these."""

    setting: str = Field(description="The setting it is about; data: something is missing in the data.")
    choice: str = Field(description="Its value.")
    reason: str
    source: str = Field(description="Who says so.")


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
    properties: list[str] = Field(description="The kind of task that the data come from, one property each.")
    advice: list[AdviceModel] = Field(description="Which measures and settings suit it.")
    problems: list[ProblemModel] = Field(description="The first thousand, errors first.")
    n_problems: int
    reading: Reading = Field(description="The settings it was read with.")


class Progress(BaseModel):
    """How far a job is."""

    stage: Literal["reading", "estimating", "measuring"]
    done: int = Field(description="Documents done in this stage.")
    documents: int
    document: str = Field(description="The document being measured.")
    elapsed: float = Field(description="Seconds since the job began.")
    time_left: float | None = Field(description="Seconds, estimated; null if not known yet.")


class IntervalWords(BaseModel):
    """The uncertainty of a value over documents, or over stretches of one."""

    kind: str
    low: float
    high: float
    over: str = Field(description="What it is over, to stand behind the numbers.")


class MeasureWords(BaseModel):
    """A value in words."""

    symbol: str
    meaning: str = Field(description="What the value says, without a judgement.")
    certainty: list[str] = Field(description="Its interval, or why there is none, and its computation error.")
    from_chance: bool = Field(description="Whether 0 is what chance gives.")
    gap: str = Field(description="What is left open where the best alignment is not proven; empty where it is.")
    alarming: bool = Field(description="Whether what is left open is enough for a warning.")
    interval: IntervalWords | None = Field(description="Its interval over documents or stretches, if there is one.")
    scale_start: float = Field(description="Where a scale for the value begins.")
    scale_labels: list[str] = Field(description="The labels of 0 and 1 on the scale.")
    categories: list[IntervalWords | None] = Field(description="The same for the categories, in their order.")


class MethodsWords(BaseModel):
    """One sentence for a methods section."""

    markdown: str
    latex: str


class SensitivityWords(BaseModel):
    """γ with single choices made differently, as texts."""

    meaning: str
    rows: list[dict[str, Any]]


class Words(BaseModel):
    """A result in words: the sentences of the report."""

    measures: dict[str, MeasureWords]
    basis: str = Field(description="How many random continua there were, and whether the precision was reached.")
    caution: str = Field(description="How to judge a value, for every result.")
    cautions: list[str] = Field(description="What a reader must know before these values.")
    few_units: int = Field(description="Documents and categories with fewer units have values of little meaning.")
    category_units: list[tuple[str | None, int]] = Field(description="The categories, each with its number of units.")
    sensitivity: SensitivityWords | None = Field(description="γ under other choices, where that was asked for.")
    methods: MethodsWords
    bibtex: str = Field(description="The papers to cite.")


class Span(BaseModel):
    """Where a unit is and what it is called."""

    start: int | float
    end: int | float
    category: str | None = Field(max_length=10_000)


class Decision(BaseModel):
    """What a person decided on a unit of a gold standard; the unit is the one that was voted, null for one added."""

    document: str = Field(max_length=10_000)
    unit: Span | None
    unitary_alignment: int | None = Field(default=None, ge=1, description="Which of several equal units, from 1.")
    decision: Literal["keep", "drop", "replace", "add"]
    result: Span | None = None
    by: str | None = Field(default=None, max_length=100)


class Decisions(BaseModel):
    """A decisions file, as `unisono gold --decisions` reads it."""

    model_config = ConfigDict(populate_by_name=True)

    version: Literal[1] = Field(alias="schema")
    data: str | None = Field(default=None, max_length=100, description="The sha256 of the data they were made on.")
    decisions: list[Decision] = Field(max_length=100_000)


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
    """Sample data to start with."""

    name: str
    title: str
    description: str


class Health(BaseModel):
    """Whether the service is running, and what it is doing."""

    status: Literal["ok"] = "ok"
    unisono: str
    workers: int
    running: int
    waiting: int


class LimitsModel(answer_model(ServiceLimits)):  # type: ignore[misc]
    """How much may be asked for: sizes in bytes, times in seconds."""


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
    """A preset: a set of choices where papers and programs differ."""

    name: str
    explanation: str
    alpha: float
    chance: str
    samples: int | None


class Pending(BaseModel):
    """In progress: ask again."""

    status: Literal["running"] = "running"
