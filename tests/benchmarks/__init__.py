"""The benchmark: how fast a household answers, measured beside one ``transformers`` process.

Purpose: time prefill and decode of real households on this computer, take the hop's own cost apart, and
measure what quantization does to a model's output. State owned: a temporary folder with the models and the
households' profiles. Callers: ``python -m tests.benchmarks`` (``make bench``). Nothing timed is asserted.
"""
