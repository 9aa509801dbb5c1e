"""Purpose: the model store: import, manifest, checksums, quantized layout, tokenizer and chat template.

`store` and `manifest` are for everybody and need no torch; `importing` is the one entry to an import.
An import goes from a source (`checkpoint`, `ggufsource`, or `download` and then one of these) through
`convert`, block by block, and `quantize` into a folder that `writing` makes visible when it is whole.

State owned: the store's folders on disk.
Callers: `blocks`, `engines`, `node` (manifests only, without torch), `cli` (from within its commands).
"""

from swarm_app import lean

# Before any module here imports transformers.
lean.install()
