"""OpenAI Responses items from a plan: here answers may come late, also in the next turn."""

from __future__ import annotations

from tests.messages.plans import Message, Plan, Step, Turn, arguments, call_id, shuffled

KINDS = (
    ("function_call", "arguments", "function_call_output"),
    ("custom_tool_call", "input", "custom_tool_call_output"),
)


def responses_history(plan: Plan) -> list[Message]:
    """Return a history that Responses take."""
    items: list[Message] = []
    for_next_turn: list[Message] = []
    if plan.system_first:
        items.append({"role": "developer", "content": "be brief"})
    for place, turn in enumerate(plan.turns):
        pending, for_next_turn = for_next_turn, []
        items += _users(turn)
        for number, step in enumerate(turn.steps):
            ids = [call_id(plan, place, number, call) for call in range(step.calls)]
            items += [*_said(step, ids, f"{place}.{number}"), *pending]
            answers = [_answer(step, ids[call]) for call in shuffled(step)]
            pending = answers if step.late == "next step" else []
            for_next_turn += answers if step.late == "next turn" else []
            items += answers if step.late == "no" else []
        items += pending
    items += for_next_turn
    if not plan.open_end:
        items.append({"type": "message", "role": "user", "content": "go on"})
    return items


def _users(turn: Turn) -> list[Message]:
    parts: list[object] = [{"type": "input_text", "text": turn.text}]
    image = {"type": "input_image", "detail": "low", "image_url": "data:image/png;base64,AAAA"}
    made: list[Message] = [
        {"role": "user", "content": [*parts, image] if turn.image else turn.text}
    ]
    if turn.twice:
        made.insert(0, {"role": "user", "content": "first this"})
    if turn.system:
        made.append({"role": "system", "content": "mind the rules"})
    return made


def _said(step: Step, ids: list[str], name: str) -> list[Message]:
    thought: Message = {
        "type": "reasoning",
        "id": f"r{name}",
        "summary": [{"type": "summary_text", "text": "so it is"}],
        "encrypted_content": "e" * 30,
    }
    said: Message = {
        "type": "message",
        "id": f"m{name}",
        "role": "assistant",
        "content": [{"type": "output_text", "text": step.text}],
    }
    kind, field, _ = KINDS[step.shape % 2]
    calls: list[Message] = [
        {"type": kind, "call_id": call, "name": "look", field: arguments(step, place)}
        for place, call in enumerate(ids)
    ]
    own = [said, *calls] if step.split or not calls else calls
    return [thought, *own] if step.thinking else own


def _answer(step: Step, call: str) -> Message:
    text = f"{step.answer} {call}"
    parts = [{"type": "input_text", "text": text}, {"type": "input_text", "text": "and more"}]
    output = (text, parts, "", parts[:1])[step.shape]
    return {"type": KINDS[step.shape % 2][2], "call_id": call, "output": output}
