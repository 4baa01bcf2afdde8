#!/usr/bin/env python3
"""Measures how long an editor waits for the figures of a kernel after a change.

    testbenches/bench/hints.py [--sluice FILE] [--show] [KERNEL ...]

Starts `sluice lsp`, opens each kernel (default: those of examples/polybench), inserts an empty line before it, and measures the time until
the server says that there are new hints. This includes the pause of 100 ms that the server waits for. `--show` prints the hints.
"""

import argparse
import statistics
import time
from pathlib import Path

from language_client import Client

ROOT = Path(__file__).resolve().parents[2]
parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--sluice", default=ROOT / "target/release/sluice")
parser.add_argument("--show", action="store_true")
parser.add_argument("kernels", nargs="*", type=Path)
options = parser.parse_args()
kernels = options.kernels or sorted((ROOT / "examples/polybench").glob("*/kernel.mlir"))

client = Client(options.sluice)
send, receive = client.send, client.receive


def receive_until(is_wanted):
    """Returns the first wanted message, and the diagnostics before it."""
    diagnostics = []
    while not is_wanted(message := receive()):
        if message.get("method") == "textDocument/publishDiagnostics":
            diagnostics = message["params"]["diagnostics"]
            if any(found["severity"] == 1 for found in diagnostics):
                return None, diagnostics
    return message, diagnostics


def ask(method, params):
    send(method, params, 7)
    return receive_until(lambda message: message.get("id") == 7)[0]["result"]


def is_refresh(message):
    return message.get("method") == "workspace/inlayHint/refresh"


refresh = {"inlayHint": {"refreshSupport": True}}
send("initialize", {"capabilities": {"workspace": refresh}}, 1)
receive_until(lambda message: message.get("id") == 1)
send("initialized", {})
times = []
for kernel in kernels:
    uri, text = kernel.resolve().as_uri(), kernel.read_text()
    document = {"uri": uri, "languageId": "mlir", "version": 1, "text": text}
    send("textDocument/didOpen", {"textDocument": document})
    message, diagnostics = receive_until(is_refresh)
    if message is None:
        print(f"{kernel.parent.name:20} error: {diagnostics[0]['message'].splitlines()[0]}")
        continue
    begin = time.perf_counter()
    send("textDocument/didChange", {
        "textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": "\n" + text}]})
    receive_until(is_refresh)
    taken = time.perf_counter() - begin
    times.append(taken)
    place, end = {"line": 0, "character": 0}, {"line": 1 << 20, "character": 0}
    lenses = ask("textDocument/codeLens", {"textDocument": {"uri": uri}})
    hints = ask("textDocument/inlayHint", {
        "textDocument": {"uri": uri}, "range": {"start": place, "end": end}})
    print(f"{kernel.parent.name:20} {1000 * taken:6.0f} ms  {len(hints)} hints")
    if options.show:
        print("   ", "; ".join(lens["command"]["title"] for lens in lenses))
        for hint in hints:
            print("   ", hint["position"]["line"], hint["label"])
            print("       ", hint["tooltip"]["value"].replace("\n", "\n        "))
    send("textDocument/didClose", {"textDocument": {"uri": uri}})
print(f"median {1000 * statistics.median(times):.0f} ms, most {1000 * max(times):.0f} ms")
ask("shutdown", None)
send("exit", None)
assert client.server.wait() == 0
