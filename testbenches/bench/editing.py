#!/usr/bin/env python3
"""Measures how long a hover waits after many edits of a large document.

    testbenches/bench/editing.py [--sluice FILE] [--lines N] [--edits N]

Starts `sluice lsp`, opens a document of N lines, edits it without a pause, and asks for the type of a value. Prints the time of
one analysis of the document, the time of the hover, and the number of texts that were analysed.
"""

import argparse
import time

from language_client import Client

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--sluice", default="target/release/sluice")
parser.add_argument("--lines", type=int, default=50_000)
parser.add_argument("--edits", type=int, default=100)
options = parser.parse_args()

client = Client(options.sluice)
send, receive = client.send, client.receive


def receive_answer(number):
    analysed = 0
    while (message := receive()).get("id") != number:
        analysed += message.get("method") == "textDocument/publishDiagnostics"
    return message, analysed


URI = "file:///edited.mlir"
send("initialize", {"capabilities": {}}, 1)
receive_answer(1)
send("initialized", {})

lines = ["func.func @f(%a: i32) -> i32 {"]
lines += [f"  %v{n} = arith.addi %a, %a : i32" for n in range(options.lines - 3)]
lines += ["  return %v7 : i32", "}", ""]
begin = time.perf_counter()
send("textDocument/didOpen", {"textDocument": {
    "uri": URI, "languageId": "mlir", "version": 1, "text": "\n".join(lines)}})
assert receive()["params"]["diagnostics"] == []
print(f"{options.lines} lines, opened and analysed: {time.perf_counter() - begin:.3f} s")

begin = time.perf_counter()
for n in range(options.edits):
    place = {"line": 1 + n, "character": 0}
    send("textDocument/didChange", {
        "textDocument": {"uri": URI, "version": n + 2},
        "contentChanges": [{"range": {"start": place, "end": place}, "text": f"// {n}\n"}]})
sent = time.perf_counter()
send("textDocument/hover", {
    "textDocument": {"uri": URI},
    "position": {"line": options.edits + 8, "character": 4}}, 2)
answer, analysed = receive_answer(2)
end = time.perf_counter()
assert "%v7 : i32" in answer["result"]["contents"]["value"], answer
print(f"{options.edits} edits: {sent - begin:.3f} s; hover after them: {end - sent:.3f} s")
send("shutdown", None, 3)
_, more = receive_answer(3)
print(f"diagnostics published meanwhile: {analysed + more}")
send("exit", None)
assert client.server.wait() == 0
