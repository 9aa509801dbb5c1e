"""The conversations of this computer's user: keeps them, and answers in them (implements
`swarm_app.localapi.chats.Chats`).

State owned: the answers in flight, and the history through one thread. Callers: `swarm_app.node.process`, the
local API. An answer goes on whoever follows it, and what of it has come is written down every second.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, Protocol, TypeVar

from swarm_app.domain.errors import BadRequest, Busy, HomeswarmError
from swarm_app.localapi.answers import (
    Answer,
    Begun,
    Choice,
    Done,
    Offered,
    OfferOver,
    Pause,
    Paused,
    Segment,
    Switched,
    Text,
    Turn,
)
from swarm_app.localapi.chats import Followed
from swarm_app.localapi.chatview import (
    AskedView,
    BudgetView,
    ChatListView,
    ChatRowView,
    ChatView,
    ConversationView,
    MessageView,
    SamplingView,
)
from swarm_app.localapi.completions import (
    begun_view,
    metadata,
    offer_over_view,
    offer_view,
    pause_view,
    switched_view,
)
from swarm_app.localapi.view import ComplaintView
from swarm_app.node.chatwords import CHARACTERS_PER_TOKEN, MAX_TITLE, exported, prompt_turns, title_of
from swarm_app.node.history import Attachment, ChatRecord, History, MessageRecord

if TYPE_CHECKING:
    from swarm_app.localapi.chatschema import AskBody, ChatBody

P = ParamSpec("P")
R = TypeVar("R")

SAVE_S = 1.0
"""At most so much of an answer is lost when the node is killed."""

DEFAULT_SAMPLING = SamplingView(temperature=0.2, top_p=1.0, max_tokens=None, seed=None)

log = logging.getLogger("homeswarm.node")


class Answers(Protocol):
    """Who answers: `swarm_app.node.wiring.NodeHost`."""

    async def answer(self, turns: Sequence[Turn], choice: Choice, trim: bool) -> Answer: ...


@dataclass(slots=True)
class _Running:
    """An answer that is being given. `events` only grows: each follower reads it at its own pace."""

    message: MessageRecord
    events: list[Followed] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    pauses: list[Pause] = field(default_factory=list)
    begun: Begun | None = None
    switched: Switched | None = None
    offered: Offered | None = None
    """An offer that is open."""
    news: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] | None = None
    stopped: bool = False
    refused: bool = False
    """The disk has refused what there was of it."""

    def tell(self, event: Followed) -> None:
        self.events.append(event)
        news, self.news = self.news, asyncio.Event()
        news.set()


class Conversations:
    """`changed` hears the ids of the chats that are being answered, whenever a chat changes."""

    def __init__(
        self,
        path: Path,
        answers: Answers,
        model: Callable[[], str],
        context_tokens: int,
        changed: Callable[[tuple[str, ...]], None],
    ) -> None:
        self._path = path
        self._answers = answers
        self._model = model
        self._context_tokens = context_tokens
        self._changed = changed
        self._running: dict[str, _Running] = {}
        self._unsaved: dict[int, MessageRecord] = {}
        """Finished answers that the disk has refused; shown from here, and written when it takes them."""
        self._refusal: HomeswarmError | None = None
        """Why it has refused them."""
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="history")
        self._history: History | None = None

    async def close(self) -> None:
        """Stop the answers, write down what there is of them, and close the file."""
        for running in tuple(self._running.values()):
            if running.task is not None:
                running.task.cancel()
        await asyncio.gather(*(r.task for r in self._running.values() if r.task), return_exceptions=True)
        if self._history is not None:
            await self._save(self._history)
            await self._in_thread(self._history.close)
        self._thread.shutdown()

    # ------------------------------------------------ the local API's

    async def list(self, query: str) -> ChatListView:
        history = await self._open()
        found = await self._in_thread(history.chats, query)
        return ChatListView(
            chats=[
                ChatRowView(
                    id=record.id,
                    title=record.title,
                    created_at=record.created_at,
                    changed_at=record.changed_at,
                    running=record.id in self._running,
                    snippet=words,
                )
                for record, words in found
            ]
        )

    async def create(self, body: ChatBody) -> ChatView:
        history = await self._open()
        sampling = {} if body.sampling is None else body.sampling.model_dump()
        record = await self._in_thread(history.create, body.title or "", body.system or "", sampling)
        self._tell()
        return self._chat_view(record)

    async def read(self, chat: str, before: int | None, limit: int) -> ConversationView:
        history = await self._open()
        record = await self._in_thread(history.chat, chat)
        messages, older = await self._in_thread(history.branch, record, before, limit)
        return ConversationView(
            chat=self._chat_view(record),
            messages=[self._message_view(self._current(chat, message)) for message in messages],
            older=older,
            budget=self._budget(messages),
        )

    async def change(self, chat: str, body: ChatBody) -> ChatView:
        history = await self._open()
        sampling = None if body.sampling is None else body.sampling.model_dump()
        record = await self._in_thread(history.change, chat, body.title, body.system, sampling)
        self._tell()
        return self._chat_view(record)

    async def delete(self, chat: str) -> None:
        history = await self._open()
        if running := self._running.get(chat):
            assert running.task is not None
            running.stopped = True
            running.task.cancel()
            await asyncio.gather(running.task, return_exceptions=True)
        await self._in_thread(history.delete, chat)
        self._tell()

    async def export(self, chat: str, form: str) -> str:
        history = await self._open()
        record = await self._in_thread(history.chat, chat)

        def write() -> str:
            if form == "json":
                messages, shown = history.everything(chat), history.branch(record)[0]
            else:
                messages = shown = history.branch(record)[0]
            attachments = {one.id: history.attachments(one.id) for one in messages if one.attachments}
            return exported(record, messages, [one.id for one in shown], attachments, form)

        return await self._in_thread(write)

    async def ask(self, chat: str, body: AskBody) -> AskedView:
        history = await self._open()
        record = await self._in_thread(history.chat, chat)
        if chat in self._running:
            raise Busy("This chat is being answered already.", remedy="Stop the answer first.")
        # Nobody else may begin in this chat while the history is asked.
        placeholder = _Running(MessageRecord(0, None, "assistant", "", "running", 0.0, {}, (), ()))
        self._running[chat] = placeholder
        try:
            question, answer = await self._in_thread(self._put_down, history, record, body)
        except BaseException:
            del self._running[chat]
            raise
        running = self._running[chat] = _Running(answer)
        running.tell(("message", self._message_view(answer)))
        running.task = asyncio.create_task(self._give(history, chat, running))
        await asyncio.sleep(0)  # a task that is cancelled before it began would never come to its end
        self._tell()
        return AskedView(
            question=None if question is None else self._message_view(question),
            answer=self._message_view(answer),
        )

    async def stop(self, chat: str) -> None:
        if (running := self._running.get(chat)) and running.task is not None:
            running.stopped = True
            running.task.cancel()
            # Whoever asks again at once is not told "busy".
            await asyncio.gather(running.task, return_exceptions=True)

    async def show(self, chat: str, message: int) -> None:
        history = await self._open()
        if chat in self._running:
            raise Busy("This chat is being answered.", remedy="Wait, or stop the answer first.")
        await self._in_thread(history.show, chat, message)
        self._tell()

    async def follow(self, chat: str) -> AsyncIterator[Followed]:
        running = self._running.get(chat)
        if running is None or running.task is None:
            return
        sent = 0
        if len(running.events) > 1:
            sent = len(running.events)
            yield "message", self._message_view(self._current(chat, running.message))
            if running.begun is not None:
                yield "begun", begun_view(running.begun)
            for pause in tuple(running.pauses):
                yield "paused", pause_view(pause)
            if running.switched is not None:
                yield "switched", switched_view(running.switched)
            if running.offered is not None:
                yield "offered", offer_view(running.offered)
            if running.events[sent - 1][0] == "done":
                yield running.events[sent - 1]
                return
        while True:
            while sent < len(running.events):
                event = running.events[sent]
                sent += 1
                yield event
                if event[0] == "done":
                    return
            await running.news.wait()

    # ------------------------------------------------ answering

    def _put_down(
        self, history: History, chat: ChatRecord, body: AskBody
    ) -> tuple[MessageRecord | None, MessageRecord]:
        """The question and the answer's empty place; in the history's thread."""
        if body.regenerate is not None:
            old = history.message(chat.id, body.regenerate)
            if old.role != "assistant":
                raise BadRequest("regenerate: this message is not an answer.", param="regenerate")
            return None, history.add(chat.id, old.parent, "assistant", "", state="running")
        parent, copied = chat.leaf, None
        if body.edit is not None:
            old = history.message(chat.id, body.edit)
            if old.role != "user":
                raise BadRequest("edit: this message is not a question.", param="edit")
            parent, copied = old.parent, old.id
        attachments = [Attachment(one.name, one.text) for one in body.attachments]
        question = history.add(
            chat.id, parent, "user", body.text, attachments=attachments, attachments_of=copied
        )
        if not chat.title:
            named = title_of(body.text, [one.name for one in attachments])
            history.change(chat.id, named[:MAX_TITLE], None, None)
        return question, history.add(chat.id, question.id, "assistant", "", state="running")

    async def _give(self, history: History, chat: str, running: _Running) -> None:
        about: dict[str, Any] = {}
        state = "stopped"
        try:
            record = await self._in_thread(history.chat, chat)
            turns, left_out = await self._in_thread(prompt_turns, history, record, self._context_tokens)
            choice = _choice({**DEFAULT_SAMPLING, **record.sampling})
            about["prompt_characters"] = sum(len(turn.content) for turn in turns)
            done = await self._stream(history, turns, choice, running)
            state = "complete"
            about["answer"] = {
                **metadata(done),
                "reason": done.reason,
                "prompt_tokens": done.prompt_tokens,
                "completion_tokens": done.completion_tokens,
                "trimmed_messages": done.trimmed_messages + left_out,
            }
        except HomeswarmError as error:
            state = "failed"
            about["error"] = _complaint(error)
        except asyncio.CancelledError:
            state = "stopped" if running.stopped else "interrupted"
        except Exception:
            log.exception("an answer ended by an error of our own")
            state = "failed"
            about["error"] = _complaint(
                HomeswarmError("Something went wrong inside the node.", remedy="Its log has the details.")
            )
        if "answer" not in about and running.begun is not None:
            about["answer"] = self._as_far(running)
        await self._end(history, chat, running, state, about)

    async def _stream(
        self, history: History, turns: Sequence[Turn], choice: Choice, running: _Running
    ) -> Done:
        answer = await self._answers.answer(turns, choice, True)
        saving: asyncio.Future[None] | None = None
        saved_s = time.monotonic()
        try:
            while True:
                event = await answer.next()
                match event:
                    case Begun():
                        running.begun = event
                        running.tell(("begun", begun_view(event)))
                    case Switched():
                        running.switched = event
                        running.tell(("switched", switched_view(event)))
                    case Offered():
                        running.offered = event
                        running.tell(("offered", offer_view(event)))
                    case OfferOver():
                        running.offered = None
                        running.tell(("offer-over", offer_over_view(event)))
                    case Text(text):
                        running.texts.append(text)
                        running.tell(("text", {"text": text}))
                    case Paused(pause):
                        running.pauses.append(pause)
                        running.tell(("paused", pause_view(pause)))
                    case Done():
                        return event
                if time.monotonic() - saved_s > SAVE_S and (saving is None or saving.done()):
                    saved_s = time.monotonic()
                    saving = asyncio.ensure_future(self._save_so_far(history, running))
        finally:
            answer.close()

    async def _save_so_far(self, history: History, running: _Running) -> None:
        try:
            await self._in_thread(history.update, running.message.id, "".join(running.texts), "running", {})
        except HomeswarmError as error:
            # Told to the reader when the end cannot be saved either; once is enough for the log.
            log.log(logging.DEBUG if running.refused else logging.WARNING, "%s", error.message)
            running.refused = True

    async def _end(
        self, history: History, chat: str, running: _Running, state: str, about: dict[str, Any]
    ) -> None:
        old = running.message
        text = "".join(running.texts)
        message = MessageRecord(
            old.id, old.parent, old.role, text, state, old.created_at, about, (), old.versions
        )
        self._unsaved[message.id] = message
        await asyncio.shield(asyncio.ensure_future(self._save(history)))
        running.tell(("done", self._message_view(message)))
        self._running.pop(chat, None)
        self._tell()

    async def _save(self, history: History) -> None:
        """Write down what is not yet; what the disk refused stays for the next time."""
        for message in tuple(self._unsaved.values()):
            try:
                await self._in_thread(history.update, message.id, message.text, message.state, message.about)
            except HomeswarmError as error:
                self._refusal = error
                return
            self._unsaved.pop(message.id, None)
        self._refusal = None

    def _as_far(self, running: _Running) -> dict[str, Any]:
        """What is known of an answer that did not come to its end."""
        assert running.begun is not None
        begun = running.begun
        model = begun.model or self._model()
        segments = [Segment(begun.engine, model, begun.route, 0, begun.reason, begun.remedy)]
        if (then := running.switched) is not None:
            segments.append(Segment("local", then.model, (), 0, then.reason, then.remedy))
        done = Done("cancelled", begun.prompt_tokens, 0, tuple(segments), None, 0, tuple(running.pauses))
        return {
            **metadata(done),
            "reason": "cancelled",
            "prompt_tokens": running.begun.prompt_tokens,
            "completion_tokens": None,
            "trimmed_messages": running.begun.trimmed_messages,
        }

    # ------------------------------------------------ views

    def _current(self, chat: str, message: MessageRecord) -> MessageRecord:
        """The message as it is now, ahead of what the file has."""
        if message.id in self._unsaved:
            return self._unsaved[message.id]
        running = self._running.get(chat)
        if running is None or running.message.id != message.id:
            return message
        old = running.message
        text = "".join(running.texts)
        return MessageRecord(
            old.id, old.parent, old.role, text, "running", old.created_at, {}, (), old.versions
        )

    def _budget(self, messages: Sequence[MessageRecord]) -> BudgetView:
        for message in reversed(messages):
            answer = message.about.get("answer")
            if answer and answer["prompt_tokens"]:
                used = answer["prompt_tokens"] + (answer["completion_tokens"] or len(message.text) // 4)
                characters = message.about.get("prompt_characters", 0)
                # Of a long prompt the share is known well; a short one is mostly the template's own tokens.
                known = answer["prompt_tokens"] >= 100 and characters
                per_token = characters / answer["prompt_tokens"] if known else CHARACTERS_PER_TOKEN
                return BudgetView(
                    context_tokens=self._context_tokens,
                    used_tokens=min(used, self._context_tokens),
                    characters_per_token=round(min(max(per_token, 0.5), 8.0), 2),
                )
        return BudgetView(
            context_tokens=self._context_tokens, used_tokens=0, characters_per_token=CHARACTERS_PER_TOKEN
        )

    def _chat_view(self, record: ChatRecord) -> ChatView:
        sampling: Any = {**DEFAULT_SAMPLING, **record.sampling}
        return ChatView(
            id=record.id,
            title=record.title,
            created_at=record.created_at,
            changed_at=record.changed_at,
            running=record.id in self._running,
            system=record.system,
            sampling=sampling,
        )

    def _message_view(self, message: MessageRecord) -> MessageView:
        state: Any = message.state
        error = message.about.get("error")
        if error is None and message.id in self._unsaved and self._refusal is not None:
            error = _complaint(self._refusal)  # as long as it would be lost with the node
        return MessageView(
            id=message.id,
            role=message.role,
            text=message.text,
            state=state,
            created_at=message.created_at,
            attachments=[{"name": name, "characters": count} for name, count in message.attachments],
            answer=message.about.get("answer"),
            error=error,
            versions=list(message.versions),
        )

    # ------------------------------------------------ small things

    def _tell(self) -> None:
        self._changed(tuple(self._running))

    async def _open(self) -> History:
        history = await self._in_thread(self._open_once)
        if self._unsaved:
            await self._save(history)
        return history

    def _open_once(self) -> History:
        """In the history's thread, so that two first requests open it once."""
        if self._history is None:
            self._history = History(self._path)
            if self._history.put_aside is not None:
                log.warning("history: the file was damaged; it lies at %s now", self._history.put_aside)
        return self._history

    def _in_thread(self, call: Callable[P, R], *args: P.args, **more: P.kwargs) -> Awaitable[R]:
        loop = asyncio.get_running_loop()
        return loop.run_in_executor(self._thread, lambda: call(*args, **more))


def _complaint(error: HomeswarmError) -> ComplaintView:
    return ComplaintView(code=error.code, message=error.message, remedy=error.remedy)


def _choice(sampling: dict[str, Any]) -> Choice:
    return Choice(
        temperature=sampling["temperature"],
        top_p=sampling["top_p"],
        max_tokens=sampling["max_tokens"],
        seed=sampling["seed"],
        prefer=sampling.get("prefer", ""),
        fallback=sampling.get("fallback", ""),
        decides=True,
    )
