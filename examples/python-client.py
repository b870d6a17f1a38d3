"""Asks a Second Wind server what waits for a person, why, and decides. Standard library only.

    python3 python-client.py                 lists what waits, and why
    python3 python-client.py approve <id>    lets one go out
    python3 python-client.py reject <id>     does not
"""

import json
import os
import sys
import urllib.error
import urllib.request

SERVER = os.environ.get("SECONDWIND_SERVER", "http://127.0.0.1:8737")
TOKEN = os.environ.get("SECONDWIND_TOKEN", "")


def ask(method, path, body=None, key=None):
    """One call of the API. A repeat with the same key gives the first answer again."""
    headers = {"Authorization": f"Bearer {TOKEN}"}
    data = None
    if body is not None:
        headers["Content-Type"] = "application/json"
        data = json.dumps(body).encode()
    if key is not None:
        headers["Idempotency-Key"] = key
    request = urllib.request.Request(f"{SERVER}/api/v1{path}", data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            text = answer.read()
    except urllib.error.HTTPError as error:
        problem = json.loads(error.read() or b"{}")
        sys.exit(f"{error.code}: {problem.get('detail', problem.get('title', ''))}")
    return json.loads(text) if text else None


def waiting():
    """Every action that waits for a person, page by page."""
    cursor = ""
    while cursor is not None:
        page = ask("GET", f"/actions?state=awaiting_approval&limit=50{cursor}")
        yield from page["items"]
        cursor = None if page["next"] is None else f"&cursor={page['next']}"


def show():
    overview = ask("GET", "/overview")
    print(f"{overview['watched']} posts are watched, {overview['stalled']} of them stall.")
    for action in waiting():
        print(f"\n{action['action']} {action['id']} for {action['handle']}")
        print(f"  {action['text']}")
        verdict = ask("POST", f"/posts/{action['postId']}/evaluate", {})["verdict"]
        print(f"  {verdict['sentence']}")


def decide(decision, action_id):
    # The hash binds an approval to the text that was read: another one by now is refused.
    action = ask("GET", f"/actions/{action_id}")
    body = {"textHash": action["textHash"]} if decision == "approve" else {"reason": "not now"}
    done = ask("POST", f"/actions/{action_id}/{decision}", body, key=f"{decision}-{action_id}")
    print(f"{action_id} is {done['state']}.")


if __name__ == "__main__":
    match sys.argv[1:]:
        case []:
            show()
        case ["approve" | "reject" as decision, action_id]:
            decide(decision, action_id)
        case _:
            sys.exit(__doc__)
