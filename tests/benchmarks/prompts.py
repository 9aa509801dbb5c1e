"""The fixed texts, and prompts of an exact number of tokens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from swarm_app.childproto import ChatMessage

if TYPE_CHECKING:
    from swarm_app.engines.prompt import PromptBuilder

SYSTEM = "You are a helpful assistant."
"""Said with every question, so that the prompts stay the same when the product's own words change."""

QUESTION = "Write a long story about a lighthouse keeper."
"""Whatever the weights, its answer is longer than any that is timed."""

TEXT = """\
The old house at the end of the lane had four computers, and none of them was new. The one in the study had
been bought for a thesis that was finished long ago; it hummed under the desk and was never turned off. A
laptop travelled between the kitchen table and the sofa, asleep more often than awake. Another laptop, with
a cracked corner, belonged to the eldest daughter, who took it to school in the morning and brought it back
at four. In the attic stood a machine that somebody had built for games, with more fans than it needed.

One winter evening the family wondered what all of them together could do. A language model, the father had
read, is a tall stack of layers. Each layer takes a row of numbers, mixes it with what it remembers of the
words before, and hands it on to the next. Nothing says that the whole stack must stand in one place. The
lowest ten layers could live in the study, the next ten in the attic, and the last ten wherever a laptop
happened to be open.

They tried it. The question was typed in the kitchen, and the first numbers went through the wall to the
study, from there up to the attic, and back down to the kitchen, where they became a word. Then the next
word, and the next, about thirty in a second. It was slower than the machines that companies keep in halls
of their own, but the questions never left the house, and nobody had to pay for them.

Of course things went wrong. The laptop on the sofa fell asleep in the middle of a sentence, and the
sentence stopped with it. The daughter closed the lid and walked to the garden, where another access point
gave her computer another address. Once the cat lay down on the power button in the attic. Each time they
learned the same lesson: a household is not a hall of machines. Its computers come and go, and whatever runs
on them has to expect it, notice it soon, and go on with those that are left.
"""
"""For the difference between two sets of weights: 450 tokens or so of plain English, written for this."""


@dataclass(frozen=True, slots=True)
class ExactPrompt:
    """A user's message that makes a prompt of exactly ``len(ids)`` tokens, template included."""

    text: str
    ids: list[int]


def exact_prompt(builder: PromptBuilder, tokens: int) -> ExactPrompt:
    """A prompt of exactly `tokens` tokens that ends with QUESTION. ValueError where there is none."""

    def ids_of(filling: str) -> list[int]:
        text = f"{filling}\n\n{QUESTION}" if filling else QUESTION
        turns = [ChatMessage("system", SYSTEM), ChatMessage("user", text)]
        return builder.build(turns, max_tokens=1, trim=False).ids

    filling = ""
    words = TEXT.split()
    while words and len(ids_of(f"{filling} {words[0]}".strip())) <= tokens:
        filling = f"{filling} {words.pop(0)}".strip()
    pieces = (" a", " is", "!", "a", " Z", "?", ";")
    while (count := len(ids_of(filling))) < tokens:
        longer = [filling + piece for piece in pieces if count < len(ids_of(filling + piece)) <= tokens]
        if not longer:
            raise ValueError(f"no prompt of exactly {tokens} tokens was found, only of {count}")
        filling = longer[0]
    if count > tokens:
        raise ValueError(f"the shortest prompt has {count} tokens, not {tokens}")
    text = f"{filling}\n\n{QUESTION}" if filling else QUESTION
    return ExactPrompt(text, ids_of(filling))
