# SPDX-License-Identifier: MIT
"""The web page and the JSON service behind it: `unisono serve` (needs the extra `web`).

limits: how much strangers may ask for; settings, models: what they may say; security: who may say it;
store: what is kept of them, and for how long; pool: the processes that do the work; worker, tasks: what they do;
jobs: measurements under way; app: the paths of the service; server: sockets and addresses.
"""
