"""Purpose: the model store: import, manifest, checksums, quantized layout, tokenizer and chat template.

State owned: the store's folders on disk.
Callers: `blocks`, `engines`, `node` (manifests only, without torch).
"""
