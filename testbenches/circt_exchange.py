"""Exchanges the accepted parts of files with CIRCT (the wheel `pycde`) in bytecode, in both directions.

    python circt_exchange.py SLUICE FILE...

CIRCT writes bytecode that Sluice prints, and Sluice writes bytecode that CIRCT prints: both texts must equal CIRCT's own.
"""
import io
import json
import os
import pathlib
import subprocess
import sys

from pycde import circt
from pycde.circt.ir import Context, MLIRError, Module

sluice, files = sys.argv[1], sys.argv[2:]


def opt(options, data):
    command = [sluice, "opt", "-", "--allow-unregistered-dialect", *options]
    return subprocess.run(command, input=data, capture_output=True)


def cross(text):
    """Returns the difference; nothing for a part that CIRCT rejects."""
    with Context() as context:
        circt.register_dialects(context)
        context.allow_unregistered_dialects = True
        try:
            module = Module.parse(text)
            module.operation.verify()
        except MLIRError:
            return None
        differ = []
        written = io.BytesIO()
        module.operation.write_bytecode(written)
        ours = opt([], written.getvalue())
        if ours.stdout.decode().strip() != str(module).strip():
            differ.append("from CIRCT: " + (ours.stderr.decode().strip()[:200] or "another text"))
        ours = opt(["--emit-bytecode"], text.encode())
        try:
            if str(Module.parse(ours.stdout)) != str(module):
                differ.append("to CIRCT: another text")
        except MLIRError as error:
            differ.append("to CIRCT: " + str(error).replace("\n", " ")[:200])
        return differ


n_parts = n_differ = 0
for file in files:
    for number, part in enumerate(pathlib.Path(file).read_text().split("// -----\n")):
        # Some inputs abort the bindings.
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reader)
            os.write(writer, json.dumps(cross(part)).encode())
            os._exit(0)
        os.close(writer)
        with os.fdopen(reader) as answer:
            said = answer.read()
        os.waitpid(child, 0)
        differ = json.loads(said) if said else None
        if differ is None:
            continue
        n_parts += 1
        n_differ += bool(differ)
        for line in differ:
            print(f"{file} part {number}: {line}")
print(f"{n_parts - n_differ} of {n_parts} parts cross in bytecode")
