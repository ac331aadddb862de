# SPDX-License-Identifier: MIT
"""The OpenAPI description, and the service held to it. Oracle: schemathesis, which makes requests out of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from hypothesis.strategies import just
from schemathesis.core.errors import InvalidSchema

from serving import Service, serving

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::hypothesis.errors.HypothesisWarning")


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    with serving("--jobs-limit", "1", "--job-time-limit", "5", "--upload-limit", "1M") as running:
        yield running


def test_every_path_is_described(service: Service) -> None:
    description = service.client.get("/openapi.json").json()
    paths = {path.removeprefix("/api/v1") for path in description["paths"]}
    assert paths == {
        "/uploads", "/uploads/{id}", "/uploads/{id}/reading", "/samples", "/samples/{name}", "/measure", "/jobs/{id}",
        "/jobs/{id}/events", "/jobs/{id}/result", "/jobs/{id}/words", "/jobs/{id}/alignment", "/jobs/{id}/pairwise",
        "/jobs/{id}/comparison", "/jobs/{id}/explanation", "/jobs/{id}/overview", "/uploads/{id}/decisions",
        "/jobs/{id}/gold", "/jobs/{id}/report", "/jobs/{id}/save", "/formats", "/measures", "/presets", "/limits",
        "/health",
    }  # fmt: skip
    for path, methods in description["paths"].items():
        for method, operation in methods.items():
            assert operation["description"], (path, method)
            assert {"404", "422", "429"} <= set(operation["responses"])
            for status, answer in operation["responses"].items():
                if status >= "400":
                    assert answer["content"]["application/json"]["schema"]["$ref"].endswith("/Problems")


def test_no_page_of_documentation_from_elsewhere(service: Service) -> None:
    for path in ("docs", "redoc"):
        assert service.client.get(f"{service.url}{path}").status_code == 404


def _held(service: Service, n_examples: int) -> int:
    """Make requests of every kind, right and wrong, with real ids among them; how many were made."""
    schema = schemathesis.openapi.from_dict(service.client.get("/openapi.json").json())
    upload = service.client.post("/samples/entities").json()["id"]
    job = service.client.post("/measure", json={"upload": upload, "settings": {"samples": 10}}).headers["location"]
    ids = {"uploads": upload, "jobs": job.rpartition("/")[2]}
    n_made = 0

    def check(case: schemathesis.Case, declared: dict[str, object]) -> None:
        nonlocal n_made
        n_made += 1
        kind = case.path.split("/")[3]
        if "id" in (case.path_parameters or {}) and kind in ids and n_made % 2 and case.method != "DELETE":
            case.path_parameters["id"] = ids[kind]
        if isinstance(case.body, dict) and "upload" in case.body and n_made % 2:
            case.body["upload"] = upload
        answer = case.call(base_url=service.url.rstrip("/"), timeout=60)
        assert answer.status_code < 500, (case.method, case.path, answer.text)
        if answer.status_code >= 400:
            assert answer.json()["problems"], (case.method, case.path)
        assert str(answer.status_code) in declared, (case.method, case.path, answer.status_code)

    how = settings(
        max_examples=n_examples,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.explicit, Phase.generate],
        derandomize=True,
    )
    for found in schema.get_all_operations():
        operation = found.ok()
        declared = operation.definition.raw["responses"]
        for mode in schemathesis.GenerationMode:
            # Nothing wrong can be made of an operation without parameters.
            with suppress(InvalidSchema, Unsatisfiable):
                strategies = {"case": operation.as_strategy(generation_mode=mode), "declared": just(declared)}
                how(given(**strategies)(check))()
    return n_made


def test_nothing_that_fits_the_description_breaks_it(service: Service) -> None:
    print(f"{_held(service, 2)} requests")


@pytest.mark.long
def test_nothing_breaks_it_at_length(service: Service) -> None:
    print(f"{_held(service, 60)} requests")
