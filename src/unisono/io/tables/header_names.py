# SPDX-License-Identifier: MIT
"""The names that columns usually have, in several languages, and which columns of a header fit which role."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence

#: The names a column may have, the least ambiguous first: English, then German, French, Spanish, Italian, Portuguese
#: and Dutch. Case, accents, blanks and punctuation do not matter.
SYNONYMS: Mapping[str, tuple[str, ...]] = {
    "annotator": (
        "annotator", "annotator_id", "annotator_name", "coder", "coder_id", "coder_name", "rater", "rater_id",
        "rater_name", "worker", "worker_id", "worker_name", "user", "user_id", "user_name", "annotated_by", "labeler",
        "labeler_id", "labeller", "labeller_id", "judge", "judge_id", "observer", "observer_id", "expert", "expert_id",
        "evaluator", "evaluator_id", "assessor", "assessor_id", "transcriber", "transcriber_id", "reviewer",
        "reviewer_id", "labeled_by", "labelled_by", "coded_by", "rated_by", "tagged_by", "marked_by", "completed_by",
        "created_by", "who", "set",
        "Annotatorin", "Annotierer", "Kodierer", "Codierer", "Kodiererin", "Beurteiler", "Bewerter", "Beobachter",
        "annotateur", "annotatrice", "codeur", "évaluateur", "observateur", "juge",
        "anotador", "anotadora", "codificador", "evaluador", "observador", "juez",
        "annotatore", "codificatore", "valutatore", "osservatore", "giudice",
        "avaliador", "juiz", "beoordelaar", "codeerder", "waarnemer",
    ),
    "start": (
        "start", "begin", "onset", "from", "start_offset", "begin_offset", "start_char", "char_start", "begin_char",
        "start_position", "start_pos", "start_time", "begin_time", "onset_time", "start_index", "start_token",
        "segment_onset", "segment_start", "span_start", "tmin", "xmin", "start_s", "start_sec", "start_ms",
        "Anfang", "Beginn", "Startzeit", "Anfangszeit", "Beginnzeit", "von",
        "début", "temps_début", "début_temps", "inicio", "comienzo", "tiempo_inicio", "hora_inicio", "desde",
        "inizio", "tempo_inizio", "ora_inizio", "início", "começo", "tempo_início", "begintijd", "starttijd", "van",
    ),
    "end": (
        "end", "stop", "to", "until", "end_offset", "stop_offset", "end_char", "char_end", "end_position", "end_pos",
        "end_time", "stop_time", "offset_time", "end_index", "end_token", "segment_offset", "segment_end", "span_end",
        "tmax", "xmax", "finish", "end_s", "end_sec", "end_ms", "offset",
        "Ende", "Endzeit", "Schluss", "bis", "fin", "temps_fin", "fin_temps", "tiempo_fin", "hora_fin", "hasta",
        "fine", "tempo_fine", "ora_fine", "fim", "tempo_fim", "até", "einde", "eind", "eindtijd", "tot",
    ),
    "category": (
        "category", "label", "type", "tag", "class", "code", "categories", "labels", "entity_type", "entity_label",
        "annotation_type", "annotation", "concept", "speaker_type", "entity", "value",
        "Kategorie", "Klasse", "Etikett", "Typ", "Kode", "catégorie", "étiquette", "classe",
        "categoría", "etiqueta", "clase", "tipo", "categoria", "etichetta", "categorie", "soort",
    ),
    "document": (
        "document", "doc", "document_id", "doc_id", "document_name", "doc_name", "file", "file_name", "file_id",
        "text_id", "item", "item_id", "recording", "recording_filename", "recording_id", "track", "track_id",
        "continuum", "media", "media_file", "task_id", "instance_id", "record_id", "example_id",
        "sentence_id", "sent_id", "post_id", "comment_id",
        "Dokument", "Dokument_ID", "Dokumentname", "Datei", "Dateiname", "Aufnahme", "Text_Nr",
        "fichier", "nom_fichier", "nom_de_fichier", "enregistrement", "documento", "archivo", "fichero",
        "nombre_archivo", "grabación", "nome_file", "registrazione", "arquivo", "ficheiro", "gravação",
        "bestand", "bestandsnaam", "opname",
    ),
    "duration": (
        "duration", "length", "dur", "len", "Dauer", "Länge", "durée", "longueur", "duración", "longitud",
        "durata", "lunghezza", "duração", "comprimento", "duur", "lengte",
    ),
    "text": ("text", "content", "body"),
}  # fmt: skip


def plain(name: str) -> str:
    """A name without case, accents, blanks and punctuation, for comparing.

    >>> plain("Annotator ID") == plain("annotator_id"), plain("Début")
    (True, 'debut')
    """
    letters = unicodedata.normalize("NFKD", name.casefold())
    return "".join(character for character in letters if character.isalnum())


#: The same names as `plain` writes them.
PLAIN_NAMES = {role: tuple(dict.fromkeys(map(plain, names))) for role, names in SYNONYMS.items()}


def match_names(names: Sequence[str], roles: Sequence[str], taken: Mapping[str, int]) -> dict[str, list[int]]:
    """For each role the columns whose names fit it, the least ambiguous first."""
    normal = [plain(name) for name in names]
    free = [i for i in range(len(names)) if i not in taken.values()]
    matches = {}
    for role in roles:
        if role not in taken:
            rank = {name: i for i, name in enumerate(PLAIN_NAMES[role])}
            hits = sorted((i for i in free if normal[i] in rank), key=lambda i: (rank[normal[i]], i))
            if hits:
                matches[role] = hits
    # "offset" beside a duration is where a unit starts, not where it ends.
    has_start = "start" in matches or "start" in taken
    if "start" in roles and not has_start and "duration" in matches and "end" in matches:
        offset = [i for i in matches["end"] if normal[i] == "offset"]
        if offset and len(matches["end"]) == 1:
            matches["start"] = offset
            del matches["end"]
    return matches
