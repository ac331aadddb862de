# SPDX-License-Identifier: MIT
"""Uncertainty of values: jackknife over documents, bootstrap over stretches, permutation tests.

Annotators are taken as fixed. For γ and its family all of it rests on per-document pairs (numerator, denominator):
weight times observed disorder, weight times expected disorder; nothing is aligned again. Other measures are computed
again without each document.
"""

from __future__ import annotations
