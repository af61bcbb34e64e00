"""OpenAI chat completions from a plan."""

from __future__ import annotations

from tests.messages.plans import Message, Plan, Step, Turn, arguments, call_id, shuffled

PIXEL = "data:image/png;base64," + "A" * 4_000


def chat_history(plan: Plan) -> list[Message]:
    """Return a history that chat completions take."""
    messages: list[Message] = []
    if plan.system_first:
        messages.append({"role": "system", "content": "be brief"})
    for place, turn in enumerate(plan.turns):
        messages += _users(turn)
        for number, step in enumerate(turn.steps):
            ids = [call_id(plan, place, number, call) for call in range(step.calls)]
            messages += _step(step, ids)
    if not plan.open_end:
        messages.append({"role": "user", "content": "go on", "name": "ann"})
    return messages


def _users(turn: Turn) -> list[Message]:
    parts: list[object] = [{"type": "text", "text": turn.text}]
    image = {"type": "image_url", "image_url": {"url": PIXEL, "detail": "low"}}
    made: list[Message] = [
        {"role": "user", "content": [*parts, image] if turn.image else turn.text}
    ]
    if turn.twice:
        made.insert(0, {"role": "user", "content": "first this"})
    if turn.system:
        made.append({"role": "developer", "content": "mind the rules"})
    return made


def _step(step: Step, ids: list[str]) -> list[Message]:
    said: Message = {"role": "assistant", "content": step.text}
    if not ids:
        return [said]
    called: Message = {
        "role": "assistant",
        "content": (None, step.text, "", [{"type": "text", "text": step.text}])[step.shape],
        "tool_calls": [
            {
                "id": call,
                "type": "function",
                "function": {"name": "look", "arguments": arguments(step, place)},
            }
            for place, call in enumerate(ids)
        ],
    }
    answers = [_answer(step, ids[place]) for place in shuffled(step)]
    return [*([said] if step.split else []), called, *answers]


def _answer(step: Step, call: str) -> Message:
    text = f"{step.answer} {call}"
    parts = [{"type": "text", "text": text}, {"type": "text", "text": "and more"}]
    content = (text, parts, "", None)[step.shape]
    return {"role": "tool", "tool_call_id": call, "content": content}
