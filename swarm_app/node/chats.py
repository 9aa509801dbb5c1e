"""The conversations of this computer's user: keeps them, and answers in them (implements
`swarm_app.localapi.chats.Chats`).

State owned: the answers in flight, and the history through one thread. Callers: `swarm_app.node.process`, the
local API. An answer goes on whoever follows it, and what of it has come is written down every second.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, Protocol, TypeVar

from swarm_app.domain.errors import BadRequest, Busy, ChildDown, HomeswarmError
from swarm_app.localapi.answers import Answer, Choice, Done, Turn
from swarm_app.localapi.chats import Followed
from swarm_app.localapi.chatview import (
    AskedView,
    BudgetView,
    ChatListView,
    ChatRowView,
    ChatView,
    ConversationView,
    MessageView,
)
from swarm_app.node.chatviews import (
    answer_view,
    budget_view,
    chat_view,
    choice_of,
    complaint_view,
    message_view,
)
from swarm_app.node.chatwords import MAX_TITLE, exported, prompt_turns, title_of
from swarm_app.node.history import Attachment, ChatRecord, History, MessageRecord
from swarm_app.node.running import Running

if TYPE_CHECKING:
    from swarm_app.localapi.chatschema import AskBody, ChatBody

P = ParamSpec("P")
R = TypeVar("R")

BUDGET_MESSAGES = 30
"""So many of the latest are looked through for one whose tokens are known."""

SAVE_S = 1.0
"""At most so much of an answer is lost when the node is killed."""

log = logging.getLogger("homeswarm.node")


class Answers(Protocol):
    """Who answers: `swarm_app.node.wiring.NodeHost`."""

    async def answer(self, turns: Sequence[Turn], choice: Choice, trim: bool) -> Answer: ...


class Conversations:
    """`changed` hears the ids of the chats that are being answered, whenever a chat changes; `put_aside`
    where a damaged file lies now."""

    def __init__(
        self,
        path: Path,
        answers: Answers,
        model: Callable[[], str],
        context_tokens: int,
        changed: Callable[[tuple[str, ...]], None],
        put_aside: Callable[[Path], None] = lambda path: None,
    ) -> None:
        self._path = path
        self._answers = answers
        self._model = model
        self._context_tokens = context_tokens
        self._changed = changed
        self._put_aside = put_aside
        self._running: dict[str, Running] = {}
        self._unsaved: dict[int, MessageRecord] = {}
        """Finished answers that the disk has refused; shown from here, and written when it takes them."""
        self._refusal: HomeswarmError | None = None
        """Why it has refused them."""
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="history")
        self._history: History | None = None
        self._closing = False
        """Nothing new is begun."""
        self._closed = False
        """The file is closed, or about to be."""

    async def close(self) -> None:
        """Stop the answers, write down what there is of them, and close the file. Nothing begins any more.
        Safe to call twice."""
        self._closing = True
        tasks = [await self._begun(running) for running in tuple(self._running.values())]
        for task in tasks:
            if task is not None:
                task.cancel()
        await asyncio.gather(*filter(None, tasks), return_exceptions=True)
        if (history := self._history) is not None and not self._closed:
            await self._save(history)
            closing = self._in_thread(history.close)
            self._closed = True
            await closing
        self._closed = True
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
        return chat_view(record, running=record.id in self._running)

    async def read(self, chat: str, before: int | None, limit: int) -> ConversationView:
        history = await self._open()
        record = await self._in_thread(history.chat, chat)
        messages, older = await self._in_thread(history.branch, record, before, limit)
        return ConversationView(
            chat=chat_view(record, running=record.id in self._running),
            messages=[self._message_view(self._current(chat, message)) for message in messages],
            older=older,
            budget=await self._in_thread(self._budget, history, chat),
        )

    async def change(self, chat: str, body: ChatBody) -> ChatView:
        history = await self._open()
        sampling = None if body.sampling is None else body.sampling.model_dump()
        record = await self._in_thread(history.change, chat, body.title, body.system, sampling)
        self._tell()
        return chat_view(record, running=record.id in self._running)

    async def delete(self, chat: str) -> None:
        history = await self._open()
        await self.stop(chat)
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
        if self._closing:
            raise _stopping()
        if chat in self._running:
            raise Busy("This chat is being answered already.", remedy="Stop the answer first.")
        # Nobody else may begin in this chat while the history is asked.
        placeholder = Running(MessageRecord(0, None, "assistant", "", "running", 0.0, {}, (), ()))
        self._running[chat] = placeholder
        try:
            question, answer, budget = await self._in_thread(self._put_down, history, record, body)
        except BaseException:
            del self._running[chat]
            placeholder.news.set()
            raise
        running = self._running[chat] = Running(answer)
        running.tell(("message", message_view(answer)))
        running.task = placeholder.task = asyncio.create_task(self._give(history, chat, running))
        placeholder.news.set()
        await asyncio.sleep(0)  # a task that is cancelled before it began would never come to its end
        self._tell()
        return AskedView(
            question=None if question is None else message_view(question),
            answer=message_view(answer),
            budget=budget,
        )

    async def stop(self, chat: str) -> None:
        running = self._running.get(chat)
        task = None if running is None else await self._begun(running)
        running = self._running.get(chat)
        if task is None or running is None or running.task is not task:
            return  # it could not be put down, or is over
        running.stopped = True
        task.cancel()
        # Whoever asks again at once is not told "busy".
        await asyncio.wait({task})

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
        async for event in running.follow():
            yield event

    # ------------------------------------------------ answering

    def _put_down(
        self, history: History, chat: ChatRecord, body: AskBody
    ) -> tuple[MessageRecord | None, MessageRecord, BudgetView]:
        """The question, the answer's empty place, and how full the context is now; in the history's thread.

        Raises NoSuchChat where `chat` has been deleted since it was read.
        """
        chat = history.chat(chat.id)
        if body.regenerate is not None:
            old = history.message(chat.id, body.regenerate)
            if old.role != "assistant":
                raise BadRequest("regenerate: this message is not an answer.", param="regenerate")
            answer = history.add(chat.id, old.parent, "assistant", "", state="running")
            return None, answer, self._budget(history, chat.id)
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
        answer = history.add(chat.id, question.id, "assistant", "", state="running")
        return question, answer, self._budget(history, chat.id)

    async def _begun(self, running: Running) -> asyncio.Task[None] | None:
        """What gives that answer, once its question is put down; None where that failed."""
        if running.task is None:
            await running.news.wait()
        return running.task

    async def _give(self, history: History, chat: str, running: Running) -> None:
        about: dict[str, Any] = {}
        state, left_out = "stopped", 0
        try:
            record = await self._in_thread(history.chat, chat)
            turns, left_out = await self._in_thread(prompt_turns, history, record, self._context_tokens)
            choice = choice_of(record.sampling)
            about["prompt_characters"] = sum(len(turn.content) for turn in turns)
            done = await self._stream(history, turns, choice, running)
            state = "complete"
            about["answer"] = answer_view(done, left_out)
        except HomeswarmError as error:
            state = "failed"
            about["error"] = complaint_view(error)
        except asyncio.CancelledError:
            state = "stopped" if running.stopped else "interrupted"
        except Exception:
            log.exception("an answer ended by an error of our own")
            state = "failed"
            about["error"] = complaint_view(
                HomeswarmError("Something went wrong inside the node.", remedy="Its log has the details.")
            )
        if "answer" not in about and running.begun is not None:
            about["answer"] = answer_view(running.as_far(self._model()), left_out)
        ending = asyncio.ensure_future(self._end(history, chat, running, state, about))
        while not ending.done():
            # Whoever stops it now, or once more, must not keep it from its end.
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.shield(ending)
        ending.result()

    async def _stream(
        self, history: History, turns: Sequence[Turn], choice: Choice, running: Running
    ) -> Done:
        answer = await self._answers.answer(turns, choice, True)
        saving: asyncio.Future[None] | None = None
        saved_s = time.monotonic()
        try:
            while True:
                event = await answer.next()
                if isinstance(event, Done):
                    return event
                running.take(event)
                if time.monotonic() - saved_s > SAVE_S and (saving is None or saving.done()):
                    saved_s = time.monotonic()
                    saving = asyncio.ensure_future(self._save_so_far(history, running))
        finally:
            answer.close()

    async def _save_so_far(self, history: History, running: Running) -> None:
        try:
            await self._in_thread(history.update, running.message.id, running.text, "running", {})
        except HomeswarmError as error:
            # Told to the reader when the end cannot be saved either; once is enough for the log.
            log.log(logging.DEBUG if running.refused else logging.WARNING, "%s", error.message)
            running.refused = True

    async def _end(
        self, history: History, chat: str, running: Running, state: str, about: dict[str, Any]
    ) -> None:
        message = running.record(state, about)
        self._unsaved[message.id] = message
        try:
            await self._save(history)
        finally:
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

    # ------------------------------------------------ small things

    def _budget(self, history: History, chat: str) -> BudgetView:
        """Of the shown branch with the answer that is being given; in the history's thread."""
        record, running = history.chat(chat), self._running.get(chat)
        messages = [self._current(chat, one) for one in history.branch(record, None, BUDGET_MESSAGES)[0]]
        if running is not None and running.begun is not None and messages[-1].id == running.message.id:
            so_far = answer_view(running.as_far(self._model()))
            messages[-1] = replace(messages[-1], about={"answer": so_far})
        return budget_view(record, messages, self._context_tokens)

    def _current(self, chat: str, message: MessageRecord) -> MessageRecord:
        """The message as it is now, ahead of what the file has."""
        if message.id in self._unsaved:
            return self._unsaved[message.id]
        running = self._running.get(chat)
        if running is None or running.message.id != message.id:
            return message
        return running.record("running")

    def _message_view(self, message: MessageRecord) -> MessageView:
        """With why it is not written down, as long as it would be lost with the node."""
        return message_view(message, self._refusal if message.id in self._unsaved else None)

    def _tell(self) -> None:
        self._changed(tuple(self._running))

    async def _open(self) -> History:
        if self._closing:
            raise _stopping()
        history = await self._in_thread(self._open_once)
        if history.put_aside is not None:
            self._put_aside(history.put_aside)
        if self._unsaved:
            await self._save(history)
        return history

    def _open_once(self) -> History:
        """In the history's thread, so that two first requests open it once."""
        if self._history is None:
            self._history = History(self._path)
        return self._history

    def _in_thread(self, call: Callable[P, R], *args: P.args, **more: P.kwargs) -> Awaitable[R]:
        if self._closed:
            raise _stopping()
        loop = asyncio.get_running_loop()
        return loop.run_in_executor(self._thread, lambda: call(*args, **more))


def _stopping() -> HomeswarmError:
    return ChildDown("The node is stopping.", remedy="Start it again with: homeswarm node")
