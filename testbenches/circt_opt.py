"""Reads every part of a file with CIRCT (the wheel `pycde`), and prints CIRCT's answer for each as JSON.

    python circt_opt.py FILE        one list: [accepted, text or message] for each part between `// -----`
"""
import json
import os
import pathlib
import sys

from pycde import circt
from pycde.circt.ir import Context, MLIRError, Module


def answer(text):
    with Context() as context:
        circt.register_dialects(context)
        context.allow_unregistered_dialects = True
        try:
            module = Module.parse(text)
            module.operation.verify()
            return [True, str(module)]
        except MLIRError as error:
            return [False, str(error)]
        except Exception as error:  # what the bindings cannot say in another way
            return [False, str(error)]


def apart(text):
    """Returns the answer of a separate process, because some inputs abort the bindings."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        with os.fdopen(writer, "w") as out:
            json.dump(answer(text), out)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as answers:
        said = answers.read()
    os.waitpid(child, 0)
    try:
        return json.loads(said)
    except ValueError:
        return [None, "CIRCT aborts"]


parts = pathlib.Path(sys.argv[1]).read_text(errors="replace").split("// -----\n")
print(json.dumps([apart(part) for part in parts]))
