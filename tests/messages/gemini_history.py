"""Gemini contents from a plan: with ids, without, or with an id on one side only."""

from __future__ import annotations

from tests.messages.plans import Message, Plan, Step, Turn, call_id, shuffled

IMAGE = {"inlineData": {"mimeType": "image/png", "data": "A" * 99}}


def gemini_history(plan: Plan) -> list[Message]:
    """Return a history that Gemini takes: it ends with a user or a function response."""
    contents: list[Message] = []
    for place, turn in enumerate(plan.turns):
        contents += _users(turn)
        for number, step in enumerate(turn.steps):
            ids = [call_id(plan, place, number, call) for call in range(step.calls)]
            if ids or number == len(turn.steps) - 1:
                contents += _step(plan, step, ids)
    if not plan.open_end or contents[-1]["role"] == "model":
        contents.append({"role": "user", "parts": [{"text": "go on"}]})
    return contents


def _users(turn: Turn) -> list[Message]:
    parts: list[object] = [{"text": turn.text}]
    made: list[Message] = [{"role": "user", "parts": [*parts, IMAGE] if turn.image else parts}]
    if turn.twice:
        made.insert(0, {"role": "user", "parts": [{"text": "first this"}]})
    return made


def _step(plan: Plan, step: Step, ids: list[str]) -> list[Message]:
    said: list[object] = [{"text": step.text}] if step.split or not ids else []
    if step.thinking:
        said.insert(0, {"text": "so it is", "thought": True})
    calls: list[object] = [
        {
            "functionCall": _id(plan, call, "call")
            | {"name": f"look{place % 2}", "args": {"q": 1}},
            "thoughtSignature": "s" * 9,
        }
        for place, call in enumerate(ids)
    ]
    made: list[Message] = [{"role": "model", "parts": [*said, *calls]}]
    if not ids:
        return made
    # Answers without an id of one function are told apart by their order alone.
    order = shuffled(step) if plan.ids in {"fresh", "repeated"} else range(step.calls)
    answers: list[object] = [
        {"functionResponse": _id(plan, ids[place], "answer") | _response(step, ids[place], place)}
        for place in order
    ]
    return [*made, {"role": "user", "parts": answers}]


def _id(plan: Plan, call: str, side: str) -> Message:
    if plan.ids == "none" or (plan.ids == "mixed" and side == "answer"):
        return {}
    return {"id": call}


def _response(step: Step, call: str, place: int) -> Message:
    text = f"{step.answer} {call}"
    response: tuple[object, ...] = ({"output": text}, {"ok": True, "rows": [text, "x"]}, {}, None)
    return {"name": f"look{place % 2}", "response": response[step.shape]}
