# SPDX-License-Identifier: MIT
"""How sure a value is: bootstrap over documents and stretches, permutation tests. Annotators are taken as fixed.

Everything here rests on per-document pairs (numerator, denominator): weight times observed disorder, weight times
expected disorder. Nothing is aligned again.
"""

from __future__ import annotations
