"""The instrument's windows that are more than a table and its proof, a module each: `numbers` for the words, `figure`
for the template, `data` for the script, as far as a window needs them.
"""

from posenc.web.windows import formats, graveyard, lineage, model, tamper, wall

__all__ = ["formats", "graveyard", "lineage", "model", "tamper", "wall"]
