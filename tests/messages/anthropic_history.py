"""Anthropic messages from a plan."""

from __future__ import annotations

from tests.messages.plans import Message, Plan, Step, Turn, call_id, shuffled

IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "A" * 99}}


def anthropic_history(plan: Plan) -> list[Message]:
    """Return a history that Anthropic takes: it ends with a user or with results."""
    messages: list[Message] = []
    for place, turn in enumerate(plan.turns):
        messages += _users(turn)
        for number, step in enumerate(turn.steps):
            ids = [call_id(plan, place, number, call) for call in range(step.calls)]
            messages += _step(step, ids)
    if not plan.open_end or messages[-1]["role"] == "assistant":
        messages.append({"role": "user", "content": "go on"})
    return messages


def _users(turn: Turn) -> list[Message]:
    content: object = [{"type": "text", "text": turn.text}, IMAGE] if turn.image else turn.text
    made: list[Message] = [{"role": "user", "content": content}]
    if turn.twice:
        made.insert(0, {"role": "user", "content": "first this"})
    if turn.system:
        made.append({"role": "system", "content": "mind the rules"})
    return made


def _step(step: Step, ids: list[str]) -> list[Message]:
    said: list[object] = [{"type": "text", "text": step.text}]
    if step.thinking:
        said.insert(0, {"type": "thinking", "thinking": "so it is", "signature": "s" * 21})
    if step.thinking and step.shape == 1:
        said.insert(0, {"type": "redacted_thinking", "data": "d" * 13})
    calls: list[object] = [
        {"type": "tool_use", "id": call, "name": "look", "input": {"z": [place], "q": "x y"}}
        for place, call in enumerate(ids)
    ]
    if step.split:
        made: list[Message] = [{"role": "assistant", "content": said}]
        made += [{"role": "assistant", "content": calls}] if calls else []
    else:
        made = [{"role": "assistant", "content": [*said, *calls]}]
    return [*made, *_answers(step, ids)]


def _answers(step: Step, ids: list[str]) -> list[Message]:
    if not ids:
        return []
    results: list[object] = [_result(step, ids[place]) for place in shuffled(step)]
    made: list[Message] = [{"role": "user", "content": results}]
    if step.split:
        made = [{"role": "user", "content": [result]} for result in results]
    if step.shape == 2:
        last = results[-1:] if step.split else results
        made[-1] = {"role": "user", "content": [*last, {"type": "text", "text": "also this"}]}
    return made


def _result(step: Step, call: str) -> Message:
    text = f"{step.answer} {call}"
    parts = [{"type": "text", "text": text}, IMAGE, {"type": "text", "text": "and more"}]
    result: Message = {"type": "tool_result", "tool_use_id": call}
    return result | ({"content": text}, {"content": parts}, {}, {"content": ""})[step.shape]
