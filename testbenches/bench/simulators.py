#!/usr/bin/env python3
"""Compares `sluice sim` with Verilator on the circuits of designs.py, a gemm of 32 x 32 x 32 and a handshake network.

usage: simulators.py [--sluice FILE] [--seconds S] [--rounds N] [--runs N] [--form FORM] [--forms] [DESIGN...]

Both run the same circuit for the same number of cycles and must give the same checksum. Verilator is built single-threaded and
fully optimised (`-MAKEFLAGS "OPT_FAST=-O3 OPT_SLOW=-O3 OPT_GLOBAL=-O3"`), with gcc and, if available, with clang; the better
one counts. Outputs are those before the last rising edge. Runs are interleaved, medians are compared. Prints a Markdown table:
millions of cycles per second, the ratio to Verilator, the time until the first cycle, also that of a circuit of 10,000
operations, and the cost of waves. With `--form words` the column of native code has that in general registers, as on machines
without AVX-512. `--forms` prints instead the time of a cycle in general registers, in vectors, and in the chosen one of both,
for some kernels too.
"""

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import designs
from polybench import EXAMPLES, ROOT, run

HARNESS = """
#include "Vbench.h"
#include "verilated.h"
#include <chrono>
#include <cstdio>
#include <cstdlib>
int main(int, char** argv) {
    long n = atol(argv[1]);
    Vbench* top = new Vbench;
    auto cycle = [&] { top->clock = 0; top->eval(); top->clock = 1; top->eval(); };
    top->reset = 1; cycle(); cycle();
    top->reset = 0; cycle();
    auto begin = std::chrono::steady_clock::now();
    for (long i = 2; i < n; i++) cycle();
    top->clock = 0; top->eval();
    double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    printf("checksum = 0x%x\\n%.6f s\\n", (unsigned)top->checksum, seconds);
}
"""

TRACED = """
#include "Vbench.h"
#include "verilated_fst_c.h"
#include <cstdlib>
int main(int, char** argv) {
    uint64_t n = atol(argv[1]);
    Verilated::traceEverOn(true);
    Vbench top;
    VerilatedFstC waves;
    top.trace(&waves, 99);
    waves.open(argv[2]);
    for (uint64_t i = 0; i < n + 2; i++) {
        top.reset = i < 2;
        top.clock = 0; top.eval(); waves.dump(10 * i);
        top.clock = 1; top.eval(); waves.dump(10 * i + 5);
    }
    waves.close();
}
"""

GEMM = """
  hw.module @bench(in %clock : !seq.clock, in %reset : i1, out checksum : i32) {
    %true = hw.constant true
    %zero = hw.constant 0 : i32
    %pad = hw.constant 0 : i22
    %odd = hw.constant 40503 : i32
    OUTPUTS = hw.instance "kernel" @gemm(clock: %clock: !seq.clock, reset: %reset: i1, start: %true: i1, A_rdata: %a: i32, B_rdata: %b: i32, C_rdata: %c: i32) -> (TYPES)
    %C = seq.hlmem @C %clock, %reset : <1024xi32>
    %c = seq.read %C[%C_raddr] rden %C_ren {latency = 1} : !seq.hlmem<1024xi32>
    seq.write %C[%C_waddr] %C_wdata wren %C_wen {latency = 1} : !seq.hlmem<1024xi32>
    %wide_a = comb.concat %pad, %A_raddr : i22, i10
    %wide_b = comb.concat %pad, %B_raddr : i22, i10
    %hash_a = comb.mul %wide_a, %odd : i32
    %hash_b = comb.mul %wide_b, %odd : i32
    %a = seq.compreg.ce %hash_a, %clock, %A_ren : i32
    %b = seq.compreg.ce %hash_b, %clock, %B_ren : i32
    %next = comb.xor %sum, %C_wdata : i32
    %sum = seq.compreg.ce %next, %clock, %C_wen reset %reset, %zero : i32
    hw.output %sum : i32
  }
"""


SIEVE = """
  hw.module @bench(in %clock : !seq.clock, in %reset : i1, out checksum : i32) {
    %true = hw.constant true
    %zero = hw.constant 0 : i32
    %one = hw.constant 1 : i32
    %pad = hw.constant 1 : i26
    %runs = seq.compreg.ce %more, %clock, %done reset %reset, %zero : i32
    %more = comb.add %runs, %one : i32
    %low = comb.extract %runs from 0 : (i32) -> i6
    %n = comb.concat %pad, %low : i26, i6
    OUTPUTS = hw.instance "kernel" @prime_sieve(clock: %clock: !seq.clock, reset: %reset: i1, start: %true: i1, n: %n: i32) -> (TYPES)
    %prime = comb.mux %primes_wen, %primes_wdata, %zero : i32
    %found = comb.mux %done, %result0, %prime : i32
    %top = comb.extract %sum from 31 : (i32) -> i1
    %rest = comb.extract %sum from 0 : (i32) -> i31
    %turned = comb.concat %rest, %top : i31, i1
    %next = comb.xor %turned, %found : i32
    %moves = comb.or %primes_wen, %done : i1
    %sum = seq.compreg.ce %next, %clock, %moves reset %reset, %zero : i32
    hw.output %sum : i32
  }
"""


def kernel_in(harness, options, folder, name, top, text, configuration):
    """Returns a kernel with its environment, the module `bench`."""
    kernel = folder / f"{name}.kernel.mlir"
    kernel.write_text(text)
    config = folder / f"{name}.kernel.yaml"
    config.write_text(configuration)
    run([options.sluice, "compile", kernel, "--config", config, "-o", folder / name])
    text = (folder / name / f"{top}.rtl.mlir").read_text()
    head = re.search(rf"hw\.module @{top}\(([^)]*)\)", text).group(1)
    outputs = re.findall(r"out (\w+) : (\w+)", head)
    harness = harness.replace("OUTPUTS", ", ".join(f"%{name}" for name, _ in outputs))
    harness = harness.replace("TYPES", ", ".join(f"{name}: {type_}" for name, type_ in outputs))
    end = text.rindex("}")
    return text[:end] + harness + text[end:]


def gemm32(options, folder):
    """Returns the gemm example at 32 x 32 x 32, with its memories, started again whenever it is done."""
    text = (EXAMPLES / "gemm" / "kernel.mlir").read_text().replace("16", "32")
    return kernel_in(GEMM, options, folder, "gemm32", "gemm", text, "style: static\n")


def sieve(options, folder):
    """Returns the sieve of examples/irregular as a handshake network, run again and again for 64 to 127 numbers."""
    text = (EXAMPLES / "irregular" / "prime_sieve" / "kernel.mlir").read_text()
    return kernel_in(SIEVE, options, folder, "sieve", "prime_sieve", text, "style: elastic\n")


# Circuits that Sluice compiles from kernels.
KERNELS = {"gemm32": gemm32, "sieve": sieve}


def circuit_of(options, folder, name):
    """Returns the file with a circuit, which is written once."""
    circuit = folder / f"{name}.mlir"
    if not circuit.exists():
        circuit.write_text(KERNELS[name](options, folder) if name in KERNELS else designs.DESIGNS[name]())
    return circuit


def names_of(options):
    return options.designs or [*KERNELS, *designs.DESIGNS]


def ours(options, circuit, backend, cycles):
    """Returns checksum, seconds of the run, milliseconds to the first cycle."""
    said = run([options.sluice, "sim", circuit, "--reset", "reset", "--cycles", cycles, "--backend", backend, "--time"])
    checksum = int(re.search(r"checksum = (0x[0-9a-f]+)", said).group(1), 16)
    first, seconds = re.search(r"first cycle after ([\d.]+) ms; \d+ cycles in ([\d.]+) s", said).groups()
    return checksum, float(seconds), float(first)


def side_by_side(options, circuit, cycles):
    """Returns the cycles per second over all runs."""
    said = run([options.sluice, "sim", circuit, "--reset", "reset", "--cycles", cycles, "--batch", options.runs, "--batch-time"])
    return float(re.search(r"([\d.]+) million cycles per second of all", said).group(1)) * 1e6


def verilated(options, folder, name, circuit):
    """Returns the programs that Verilator builds, with the build time of each in seconds."""
    verilog = folder / f"{name}.v"
    run([options.sluice, "sim", circuit, "--verilog", verilog])
    main = folder / "main.cpp"
    main.write_text(HARNESS)
    found = []
    for compiler in ("g++", "clang++"):
        if not shutil.which(compiler):
            continue
        built = folder / f"{name}.{compiler}"
        begin = time.monotonic()
        run(["verilator", "-Wno-fatal", "-O3", "--x-assign", "fast", "--x-initial", "fast", "--noassert", "--cc", "--exe", "--build",
             "-MAKEFLAGS", f"CXX={compiler} LINK={compiler} OPT_FAST=-O3 OPT_SLOW=-O3 OPT_GLOBAL=-O3", "--top-module", "bench",
             "--Mdir", built, verilog, main])
        found.append((built / "Vbench", time.monotonic() - begin))
    return found


def theirs(program, cycles):
    said = subprocess.run([program, str(cycles)], capture_output=True, text=True, check=True).stdout
    return int(re.search(r"checksum = (0x[0-9a-f]+)", said).group(1), 16), float(re.search(r"([\d.]+) s", said).group(1))


def compare(options, folder, name):
    circuit = circuit_of(options, folder, name)
    programs = verilated(options, folder, name, circuit)
    # As many cycles as Verilator simulates in about that time.
    cycles = 1000
    while (taken := theirs(programs[0][0], cycles)[1]) < 0.1:
        cycles *= 4
    cycles = max(2, int(cycles * options.seconds / taken))
    slow = max(2, cycles // 8)
    speeds, firsts = {}, {"native": [], "bytecode": []}
    for _ in range(options.rounds):
        for program, _ in programs:
            checksum, seconds = theirs(program, cycles)
            speeds.setdefault(program, []).append(cycles / seconds / 1e6)
        mine, seconds, first = ours(options, circuit, options.form, cycles)
        if mine != checksum:
            raise SystemExit(f"{name}: checksum {mine:#x}, Verilator has {checksum:#x} after {cycles} cycles")
        speeds.setdefault("native", []).append(cycles / seconds / 1e6)
        firsts["native"].append(first)
        speeds.setdefault("batch", []).append(side_by_side(options, circuit, max(2, cycles // 8)) / 1e6)
        _, seconds, first = ours(options, circuit, "bytecode", slow)
        firsts["bytecode"].append(first)
        speeds.setdefault("bytecode", []).append(slow / seconds / 1e6)
    medians = {key: statistics.median(values) for key, values in speeds.items()}
    best = max(medians[program] for program, _ in programs)
    built = min(seconds for _, seconds in programs)
    native, bytecode, batch = medians["native"], medians["bytecode"], medians["batch"]
    print(f"| {name} | {best:.2f} | {native:.2f} | {native / best:.2f} | {bytecode:.2f} | {bytecode / best:.2f} | "
          f"{batch:.2f} | {batch / native:.2f} | {statistics.median(firsts['bytecode']):.1f} | {statistics.median(firsts['native']):.1f} | {built:.1f} |", flush=True)
    return native / best, bytecode / best, batch / native


# Kernels that are run as circuits, and the way in which they are compiled.
FORMS = (("gemm", "elastic"), ("dot", "static"), ("irregular/string_match", "elastic"), ("polybench/lu/mini", "elastic"),
         ("polybench/cholesky/mini", "static"))


def forms(options, folder):
    """Returns the least time of a cycle in ns over all measurements, in each form of machine code."""
    print("| circuit | words | vectors | words / vectors | native |")
    print("|---|--:|--:|--:|--:|")
    circuits = []
    for name in names_of(options):
        circuit = circuit_of(options, folder, name)
        circuits.append((name, circuit, []))
    for name, style in () if options.designs else FORMS:
        kernel = EXAMPLES / name / "kernel.mlir" if (EXAMPLES / name).is_dir() else EXAMPLES / f"{name}.mlir"
        made = folder / f"{name.replace('/', '_')}_{style}"
        config = folder / "style.yaml"
        config.write_text(f"style: {style}\n")
        run([options.sluice, "compile", kernel, "--config", config, "-o", made])
        circuits.append((f"examples/{name}, {style}", next(made.glob("*.rtl.mlir")), ["--set", "start=1"]))
    for name, circuit, inputs in circuits:
        def taken(form, cycles):
            """Returns nanoseconds per cycle."""
            said = run([options.sluice, "sim", circuit, "--reset", "reset", *inputs, "--cycles", cycles, "--backend", form, "--time"])
            done, seconds = re.search(r"(\d+) cycles in ([\d.]+) s", said).groups()
            return float(seconds) / int(done) * 1e9

        # As many cycles as take about a fifth of a second.
        cycles = int(2e8 / max(1.0, taken("words", 100000)))
        least = {form: min(taken(form, cycles) for _ in range(options.rounds)) for form in ("words", "vectors", "native")}
        words, vectors, native = (least[form] for form in ("words", "vectors", "native"))
        print(f"| {name} | {words:.1f} | {vectors:.1f} | {words / vectors:.2f} | {native:.1f} |", flush=True)


def start(options, folder):
    """Returns the time until the first cycle of FIRs whose taps give 10,000 operations and more."""
    circuit = folder / "start.mlir"
    for n_taps in (2000, 2500):
        circuit.write_text(designs.fir(n_taps))
        said = []
        for backend, form in (("bytecode", "by bytecode"), ("native", "native")):
            firsts = [ours(options, circuit, backend, 1)[2] for _ in range(5 * options.rounds)]
            said.append(f"{statistics.median(firsts):.1f} ms {form}, at least {min(firsts):.1f}")
        n_operations = circuit.read_text().count(" = ")
        print(f"first cycle of a circuit of {n_operations} operations: {'; '.join(said)}")


def traced(options, folder, circuit):
    """Returns the program that Verilator builds with its own waves."""
    verilog, main, built = folder / "traced.v", folder / "traced.cpp", folder / "traced"
    run([options.sluice, "sim", circuit, "--verilog", verilog])
    main.write_text(TRACED)
    run(["verilator", "-Wno-fatal", "-O3", "--trace-fst", "--cc", "--exe", "--build",
         "-MAKEFLAGS", "OPT_FAST=-O3 OPT_SLOW=-O3 OPT_GLOBAL=-O3", "--top-module", "bench", "--Mdir", built, verilog, main])
    return built / "Vbench"


def seconds_of(command):
    begin = time.monotonic()
    run(command)
    return time.monotonic() - begin


def medians(options, ways):
    """Returns the seconds of commands by name, from alternating runs."""
    times = {name: [] for name in ways}
    for _ in range(options.rounds):
        for name, command in ways.items():
            times[name].append(seconds_of(command))
    return {name: statistics.median(all) for name, all in times.items()}


def tracing(options, folder):
    """Measures the cost of waves: for each circuit, of the last cycles and of all cycles; in Verilator, of fir64, whose words
    change in every cycle; and of all kernels, including their compilation."""
    # Each run has its own file, because removing a long file takes time.
    waves, end = folder / "waves.fst", folder / "end.fst"
    print("| waves of | 1,000,000 cycles without, ms | with the last 1,000 | ratio | 100,000 cycles without, ms | with all |")
    print("|---|--:|--:|--:|--:|--:|")
    for name in names_of(options):
        circuit = circuit_of(options, folder, name)
        plain = [options.sluice, "sim", circuit, "--reset", "reset", "--cycles"]
        long, short = [*plain, 1000000], [*plain, 100000]
        ways = {"long": long, "last": [*long, "--fst", end, "--wave-last", 1000], "short": short, "all": [*short, "--fst", waves]}
        found = medians(options, ways)
        last = found["last"] / found["long"]
        print(f"| {name} | {found['long'] * 1e3:.0f} | {found['last'] * 1e3:.0f} | {last:.2f} | {found['short'] * 1e3:.0f} | "
              f"{found['all'] * 1e3:.0f} |", flush=True)
    if options.designs:
        return
    built = traced(options, folder, circuit_of(options, folder, "fir64"))
    found = medians(options, {"Verilator": [built, 100000, waves]})
    print(f"waves of fir64, 100,000 cycles, by Verilator: {found['Verilator'] * 1e3:.0f} ms")
    ratios = []
    for kernel in sorted(EXAMPLES.rglob("kernel.mlir")):
        plain = [options.sluice, "sim", kernel]
        found = medians(options, {"without": plain, "with": [*plain, "--fst", waves]})
        ratios.append((found["with"] / found["without"], kernel.relative_to(EXAMPLES), found["without"], found["with"]))
    most, kernel, without, with_waves = max(ratios)
    print(f"waves of {len(ratios)} kernels of examples, with FST to without: median {statistics.median(r[0] for r in ratios):.2f}, "
          f"most {most:.2f} ({kernel}, {without * 1e3:.0f} to {with_waves * 1e3:.0f} ms)")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("designs", nargs="*", help="of " + ", ".join([*KERNELS, *designs.DESIGNS]) + "; without, all")
    parser.add_argument("--sluice", default=ROOT / "target" / "release" / "sluice", metavar="FILE")
    parser.add_argument("--seconds", type=float, default=1.0, help="about how long Verilator runs in a round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--runs", type=int, default=32, help="how many are run at once in a batch")
    parser.add_argument("--form", default="native", choices=("native", "words", "vectors"), help="which machine code the native column has")
    parser.add_argument("--forms", action="store_true", help="compare forms of machine code with each other")
    options = parser.parse_args()
    options.sluice = os.path.abspath(options.sluice)
    if options.forms:
        with tempfile.TemporaryDirectory() as folder:
            forms(options, Path(folder))
        return 0
    print(f"| design | Verilator, Mcycles/s | native | ratio | bytecode | ratio | {options.runs} runs at once | to one | first cycle, bytecode, ms | native, ms | Verilator's build, s |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as folder:
        ratios = [compare(options, Path(folder), name) for name in names_of(options)]
        start(options, Path(folder))
        tracing(options, Path(folder))
    native, bytecode, batch = (statistics.median(values) for values in zip(*ratios))
    print(f"\nmedian of the ratios: native {native:.2f}, least {min(r[0] for r in ratios):.2f}; bytecode {bytecode:.2f}, "
          f"least {min(r[1] for r in ratios):.2f}; {options.runs} runs at once, to one native, {batch:.2f}, least {min(r[2] for r in ratios):.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
