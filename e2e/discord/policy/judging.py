"""Whether what came of a scenario is what its page says, and what is compared between places."""

import json
import re


def judged(scenario, place, journal, said, asked):
    """Everything that is wrong, in words."""
    lines = [told(place, entry) for entry in journal]
    wrong, at = [], 0
    for wanted in filter(place.is_told, scenario.journal):
        if wanted["never"]:
            if any(fits(line, wanted) for line in lines):
                wrong.append(f"there is {wanted['written']}")
            continue
        found = next((index for index in range(at, len(lines)) if fits(lines[index], wanted)), None)
        if found is None:
            near = [line["detail"] for line in lines if line["name"] == wanted["name"]]
            wrong.append(f"no {wanted['written']}; there is {near[:4]}")
        else:
            at = found + 1
    if scenario.sent is not None and sorted(scenario.sent) != sorted(said):
        wrong.append(f"it was to write {scenario.sent}, and wrote {said}")
    for which, wishes in scenario.prompts:
        number = int(re.match(r"\d+", which)[0]) if which[:1].isdigit() else 1
        wrong += prompt(number, wishes, asked)
    return wrong


def prompt(number, wishes, asked):
    if len(asked) < number:
        return [f"the model was asked {len(asked)} times and not {number}"]
    question = asked[number - 1]
    text = "\n".join(words(message["content"]) for message in question["messages"])
    wrong = []
    for wish in wishes:
        quoted = re.search(r'"(?:\\.|[^"\\])*"', wish)
        if wish.startswith("has ") and json.loads(quoted[0]) not in text:
            wrong.append(f"prompt {number} lacks {quoted[0]}")
        if wish.startswith("lacks ") and json.loads(quoted[0]) in text:
            wrong.append(f"prompt {number} has {quoted[0]}")
        if wish.startswith("asks for a typed") and "response_format" not in question:
            wrong.append(f"prompt {number} asks for text")
        if wish == "asks for text" and "response_format" in question:
            wrong.append(f"prompt {number} asks for a typed answer")
    return wrong


def words(content):
    return content if isinstance(content, str) else "\n".join(part.get("text", "") for part in content)


def told(place, entry):
    """A journal line as pages write it: names of fields in small letters, people and messages by their labels."""
    labels = {**place.labels, **place.names()}
    known = lambda value: labels.get(value, value) if isinstance(value, str) else value  # noqa: E731
    fields = {re.sub(r"[A-Z]", lambda letter: "_" + letter[0].lower(), key): value for key, value in entry.get("data", {}).items()}
    fields = {key: [known(one) for one in value] if isinstance(value, list) else known(value) for key, value in fields.items()}
    fields |= {"room": known(entry.get("room")), "turn": entry.get("turn"), "about": [known(one) for one in entry.get("messages", [])]}
    return {"name": entry["name"], "fields": fields, "detail": {key: value for key, value in fields.items() if value not in (None, "", [])}}


def fits(line, wanted):
    return line["name"] == wanted["name"] and all(equals(line["fields"].get(key), value) for key, value in wanted["fields"])


def equals(actual, wanted):
    if actual is None:
        return wanted == "none"
    if isinstance(actual, bool):
        return wanted == str(actual).lower()
    if isinstance(actual, list):
        return f"[{','.join(map(str, actual))}]" == wanted if wanted.startswith("[") else any(equals(one, wanted) for one in actual)
    if isinstance(actual, (int, float)):
        try:
            return float(wanted) == float(actual)
        except ValueError:
            return False
    return json.loads(wanted) == actual if wanted.startswith('"') else str(actual) == wanted


def outcome(place, journal, said):
    """What is the same wherever a scenario is played: what became of each message, and what was written."""
    fates = {}
    for entry in journal:
        line = told(place, entry)
        about = [label for label in line["fields"]["about"] if label in place.labels.values()]
        name, fields = line["name"], line["fields"]
        fate = {
            "text_admission_decided": lambda: ("gate", fields.get("gate"), fields.get("allow"), fields.get("reason"), fields.get("rule")),
            "reply_skipped": lambda: ("skipped", fields.get("reason")),
            "text_message_ignored": lambda: ("ignored", fields.get("reason")),
            "sent_reply": lambda: ("replied", fields.get("reply_to"), tuple(fields.get("trigger_message_ids") or ())),
            "sent_message": lambda: ("said", tuple(fields.get("trigger_message_ids") or ())),
            "text_turn_ended": lambda: ("turn", fields.get("outcome")),
        }.get(name)
        for label in about if fate else ():
            fates.setdefault(label, []).append(fate())
    return {"fates": fates, "said": sorted(said), "dice": any(entry["name"] == "dice_rolled" for entry in journal)}


def differences(one, other):
    """None where dice were rolled, which every place rolls for itself."""
    if one["dice"] or other["dice"]:
        return None
    found = [f"{label}: {one['fates'].get(label)} and {other['fates'].get(label)}"
             for label in sorted({*one["fates"], *other["fates"]}) if one["fates"].get(label) != other["fates"].get(label)]
    if one["said"] != other["said"]:
        found.append(f"{one['said']} and {other['said']}")
    return found
