"""Purpose: the quantized model on this computer alone: llama.cpp in a process of its own, behind the same
contract and messages as the swarm's engine, so that a native crash costs nothing else.

`llama` is the only importer of xllamacpp, `wording` renders the model's own template, `seam` lets an answer
go on in the middle of a word, `engine` makes answers of it all and `process` is the child. It needs no torch.

State owned: the loaded model and its answers in flight.
Callers: `swarm_app.__main__` starts the process; nothing else imports it.
"""
