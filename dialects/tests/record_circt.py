#!/usr/bin/env python3
"""Writes what CIRCT answers to the files of its dialects, beside them: the module, or `error at LINE:COLUMN: message`.

    PYTHON dialects/tests/record_circt.py       with a Python that has the wheel pycde, as target/circt/bin/python
"""
import json
import pathlib
import re
import subprocess
import sys

tests = pathlib.Path(__file__).parent
helper = tests / "../../testbenches/circt_opt.py"
for dialect in ["arc", "hw", "comb", "seq", "fsm", "handshake"]:
    for file in sorted((tests / dialect).glob("*.mlir")):
        done = subprocess.run([sys.executable, str(helper), str(file)], capture_output=True, check=True)
        answers = []
        for number, (accepted, text) in enumerate(json.loads(done.stdout)):
            error = re.search(r'error: "-":(\d+:\d+): (.*)', text)
            if not accepted and not error:
                sys.exit(f"{file} part {number}: {text}")
            answers.append(text if accepted else f"error at {error[1]}: {error[2]}\n")
        file.with_suffix(".out").write_text("// -----\n".join(answers))
