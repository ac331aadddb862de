# SPDX-License-Identifier: MIT
"""The web page and the JSON service behind it: `unisono serve` (needs the extra `web`).

limits: how much visitors may ask for; models, derived, arguments: what requests may contain; security: access control
and headers; store: uploads and results, and how long they are kept; pool: the worker processes; worker, tasks: their
work; jobs: measurements in progress; routes: the paths of the service; app: the application; server: sockets and
addresses.
"""
