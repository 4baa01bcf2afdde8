#!/usr/bin/env python3
"""Writes the PolyBench kernels from their templates, and their data: inputs, and answers computed here.

    examples/polybench/generate.py                      write all files of this folder
    examples/polybench/generate.py --check              fail if a file is missing or differs
    examples/polybench/generate.py --mini FOLDER [NAME...]  write kernels and data at PolyBench's MINI_DATASET

The answers come from the mathematics of each kernel, on Python's integers, and know nothing of Sluice or MLIR.
"""

import math
import operator
import re
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent))

from reference import Source, entry, rows, unsigned, wrap  # noqa: E402

# The sizes of each kernel: at 8 (12 where a kernel of five has two), and PolyBench/C 4.2's MINI_DATASET.
SIZES = {
    "2mm": ({"NI": 8, "NJ": 8, "NK": 8, "NL": 8}, {"NI": 16, "NJ": 18, "NK": 22, "NL": 24}),
    "3mm": ({"NI": 8, "NJ": 8, "NK": 8, "NL": 8, "NM": 8}, {"NI": 16, "NJ": 18, "NK": 20, "NL": 22, "NM": 24}),
    "adi": ({"TSTEPS": 2, "N": 8}, {"TSTEPS": 20, "N": 20}),
    "atax": ({"M": 8, "N": 8}, {"M": 38, "N": 42}),
    "bicg": ({"M": 8, "N": 8}, {"M": 38, "N": 42}),
    "cholesky": ({"N": 8}, {"N": 40}),
    "correlation": ({"M": 8, "N": 8}, {"M": 28, "N": 32}),
    "covariance": ({"M": 8, "N": 8}, {"M": 28, "N": 32}),
    "deriche": ({"W": 8, "H": 8}, {"W": 64, "H": 64}),
    "doitgen": ({"NQ": 8, "NR": 8, "NP": 8}, {"NQ": 8, "NR": 10, "NP": 12}),
    "durbin": ({"N": 8}, {"N": 40}),
    "fdtd-2d": ({"TMAX": 2, "NX": 8, "NY": 8}, {"TMAX": 20, "NX": 20, "NY": 30}),
    "floyd-warshall": ({"N": 8}, {"N": 60}),
    "gemm": ({"NI": 8, "NJ": 8, "NK": 8}, {"NI": 20, "NJ": 25, "NK": 30}),
    "gemver": ({"N": 8}, {"N": 40}),
    "gesummv": ({"N": 8}, {"N": 30}),
    "gramschmidt": ({"M": 8, "N": 12}, {"M": 20, "N": 30}),
    "heat-3d": ({"TSTEPS": 2, "N": 8}, {"TSTEPS": 20, "N": 10}),
    "jacobi-1d": ({"TSTEPS": 2, "N": 8}, {"TSTEPS": 20, "N": 30}),
    "jacobi-2d": ({"TSTEPS": 2, "N": 8}, {"TSTEPS": 20, "N": 30}),
    "lu": ({"N": 8}, {"N": 40}),
    "ludcmp": ({"N": 8}, {"N": 40}),
    "mvt": ({"N": 8}, {"N": 40}),
    "nussinov": ({"N": 8}, {"N": 60}),
    "seidel-2d": ({"TSTEPS": 2, "N": 8}, {"TSTEPS": 20, "N": 40}),
    "symm": ({"M": 8, "N": 12}, {"M": 20, "N": 30}),
    "syr2k": ({"M": 8, "N": 12}, {"M": 20, "N": 30}),
    "syrk": ({"M": 8, "N": 12}, {"M": 20, "N": 30}),
    "trisolv": ({"N": 8}, {"N": 40}),
    "trmm": ({"M": 8, "N": 12}, {"M": 20, "N": 30}),
}
EIGHT, MINI = 0, 1

OPERATORS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.floordiv}


def expand(template, sizes):
    """The template with each `${SIZE}` and `${SIZE op SIZE ...}`, from left to right, as a number."""

    def value(word):
        return int(word) if word.isdigit() else sizes[word]

    def number(match):
        first, *rest = match[1].split()
        total = value(first)
        for sign, word in zip(rest[::2], rest[1::2]):
            total = OPERATORS[sign](total, value(word))
        return str(total)

    return re.sub(r"\$\{([^}]*)\}", number, template)


def template(name):
    return (FOLDER / "templates" / f"{name}.mlir.in").read_text()


def arguments(kernel):
    """Names and shapes of the arguments, in order; a scalar has the shape `None`."""
    inside = re.search(r"func\.func @\w+\(([^)]*)\)", kernel)[1]
    for argument in inside.split(","):
        name, type_text = (part.strip() for part in argument.split(":"))
        shape = re.fullmatch(r"memref<([\dx]+)xi32>", type_text)
        yield name[1:], [int(extent) for extent in shape[1].split("x")] if shape else None


# Arithmetic of 32 bits.


def word(value):
    return wrap(value, 32)


def words(values):
    return [word(value) for value in values]


def flat(matrix):
    return [word(element) for row in matrix for element in row]


def divide(dividend, divisor):
    """`arith.divsi`: towards zero; the undefined cases are errors of the data."""
    dividend, divisor = word(dividend), word(divisor)
    if divisor == 0 or (dividend == -(2**31) and divisor == -1):
        raise ZeroDivisionError(f"{dividend} / {divisor} is undefined")
    quotient = abs(dividend) // abs(divisor)
    return quotient if (dividend < 0) == (divisor < 0) else -quotient


def square_root(value):
    return math.isqrt(unsigned(value, 32))


def transpose(matrix):
    return [list(column) for column in zip(*matrix)]


def inner(left, right):
    return sum(a * b for a, b in zip(left, right))


def multiply(left, right):
    columns = transpose(right)
    return [[inner(row, column) for column in columns] for row in left]


def times_vector(matrix, vector):
    return [inner(row, vector) for row in matrix]


def plus(left, right):
    return [a + b for a, b in zip(left, right)]


def scale(factor, matrix):
    return [[factor * element for element in row] for row in matrix]


# The answers. `i` are the inputs, `n` the sizes; a matrix is one flat list in the data, a list of rows in between.


def two_mm(i, n):
    product = scale(i["alpha"], multiply(rows(i["A"], n["NK"]), rows(i["B"], n["NJ"])))
    result = multiply(product, rows(i["C"], n["NL"]))
    return {"tmp": flat(product), "D": words(plus(flat(result), [i["beta"] * d for d in i["D"]]))}


def three_mm(i, n):
    e = multiply(rows(i["A"], n["NK"]), rows(i["B"], n["NJ"]))
    f = multiply(rows(i["C"], n["NM"]), rows(i["D"], n["NL"]))
    return {"E": flat(e), "F": flat(f), "G": flat(multiply(e, f))}


def adi(i, n):
    last, steps = n["N"] - 1, n["TSTEPS"]
    a, d, bits = -(n["N"] ** 2) // steps, -(n["N"] ** 2) // (2 * steps), 10
    one = 1 << bits
    u, v, p, q = (rows(i[key], n["N"]) for key in "uvpq")
    inside = range(1, last)

    def sweep(p_row, q_row, line, sideways, own):
        """One line, implicit along it: `sideways` couples to the neighbouring lines, `own` along the line."""
        p_row[0], q_row[0] = 0, one
        for j in inside:
            divisor = own * p_row[j - 1] + ((1 - 2 * own) << bits)
            before, here, after = line(j)
            right = -sideways * before + (1 + 2 * sideways) * here - sideways * after - own * q_row[j - 1]
            p_row[j] = divide(-own << (2 * bits), divisor)
            q_row[j] = divide(right << bits, divisor)
        found = [0] * n["N"]
        found[0] = found[last] = one
        for j in reversed(inside):
            product = word(p_row[j] * found[j + 1])
            found[j] = word((product >> bits) + q_row[j])
        return found

    for _ in range(steps):
        for k in inside:
            column = sweep(p[k], q[k], lambda j: u[j][k - 1 : k + 2], d, a)
            for j, value in enumerate(column):
                v[j][k] = value
        for k in inside:
            u[k] = sweep(p[k], q[k], lambda j: [v[k - 1][j], v[k][j], v[k + 1][j]], a, d)
    return {"u": flat(u), "v": flat(v), "p": flat(p), "q": flat(q)}


def atax(i, n):
    matrix = rows(i["A"], n["N"])
    tmp = times_vector(matrix, i["x"])
    return {"y": words(times_vector(transpose(matrix), tmp)), "tmp": words(tmp)}


def bicg(i, n):
    matrix = rows(i["A"], n["M"])
    return {"s": words(times_vector(transpose(matrix), i["r"])), "q": words(times_vector(matrix, i["p"]))}


def cholesky(i, n):
    a = rows(i["A"], n["N"])
    for row in range(n["N"]):
        for column in range(row):
            rest = a[row][column] - inner(a[row][:column], a[column][:column])
            a[row][column] = divide(rest, a[column][column])
        a[row][row] = square_root(a[row][row] - inner(a[row][:row], a[row][:row]))
    return {"A": flat(a)}


def centred(i, n):
    columns = transpose(rows(i["data"], n["M"]))
    mean = [divide(sum(column), i["float_n"]) for column in columns]
    return mean, [[word(value - m) for value in column] for m, column in zip(mean, columns)]


def correlation(i, n):
    mean, columns = centred(i, n)
    deviation = [square_root(divide(inner(column, column), i["float_n"])) or 1 for column in columns]
    root = square_root(i["float_n"])
    columns = [[divide(value << 12, root * s) for value in column] for s, column in zip(deviation, columns)]
    corr = multiply(columns, transpose(columns))
    for diagonal in range(n["M"]):
        corr[diagonal][diagonal] = 1 << 24
    return {"data": flat(transpose(columns)), "corr": flat(corr), "mean": mean, "stddev": deviation}


def covariance(i, n):
    mean, columns = centred(i, n)
    cov = [[divide(element, i["float_n"] - 1) for element in row] for row in multiply(columns, transpose(columns))]
    return {"data": flat(transpose(columns)), "cov": flat(cov), "mean": mean}


def deriche(i, n):
    def recursive(line, now, before, earlier):
        """One direction: two taps of the input (`now` and `before`, or `before` and `earlier`), two of the output."""
        outputs, inputs = [0, 0], [0, 0]
        for value in line:
            total = i["b1"] * outputs[-1] + i["b2"] * outputs[-2]
            total += now * value + before * inputs[-1] + earlier * inputs[-2]
            outputs.append(word(total) >> 12)
            inputs.append(value)
        return outputs[2:]

    def both(line):
        forward = recursive(line, i["a1"], i["a2"], 0)
        backward = recursive(line[::-1], 0, i["a3"], i["a4"])[::-1]
        return forward, backward, words(plus(forward, backward))

    horizontal = [both(line)[2] for line in rows(i["imgIn"], n["H"])]
    forward, backward, image = zip(*(both(line) for line in transpose(horizontal)))
    return {key: flat(transpose(plane)) for key, plane in (("imgOut", image), ("y1", forward), ("y2", backward))}


def doitgen(i, n):
    result = multiply(rows(i["A"], n["NP"]), rows(i["C4"], n["NP"]))
    return {"A": flat(result), "sum": words(result[-1])}


def durbin_step(r, y, beta):
    """The next `y` and `beta` of Durbin's recursion, with the reflection coefficient last in `y`."""
    beta = word((1 - y[-1] ** 2) * beta)
    alpha = divide(-(r[len(y)] + inner(reversed(r[: len(y)]), y)), beta)
    return [word(value + alpha * mirrored) for value, mirrored in zip(y, reversed(y))] + [alpha], beta


def durbin(i, n):
    y, beta = [word(-i["r"][0])], 1
    for _ in range(1, n["N"]):
        y, beta = durbin_step(i["r"], y, beta)
    return {"y": y}


def fdtd_2d(i, n):
    ex, ey, hz = (rows(i[key], n["NY"]) for key in ("ex", "ey", "hz"))
    across, along = range(n["NX"]), range(n["NY"])
    for step in range(n["TMAX"]):
        ey[0] = [i["fict"][step]] * n["NY"]
        for x in across[1:]:
            ey[x] = [word(ey[x][y] - (word(hz[x][y] - hz[x - 1][y]) >> 1)) for y in along]
        for x in across:
            ex[x][1:] = [word(ex[x][y] - (word(hz[x][y] - hz[x][y - 1]) >> 1)) for y in along[1:]]
        for x in across[:-1]:
            for y in along[:-1]:
                change = ex[x][y + 1] - ex[x][y] + ey[x + 1][y] - ey[x][y]
                hz[x][y] = word(hz[x][y] - (word(179 * change) >> 8))
    return {"ex": flat(ex), "ey": flat(ey), "hz": flat(hz)}


def floyd_warshall(i, n):
    path, vertices = rows(i["path"], n["N"]), range(n["N"])
    for k in vertices:
        for a in vertices:
            for b in vertices:
                path[a][b] = min(path[a][b], word(path[a][k] + path[k][b]))
    return {"path": flat(path)}


def gemm(i, n):
    product = flat(multiply(rows(i["A"], n["NK"]), rows(i["B"], n["NJ"])))
    return {"C": words(i["alpha"] * p + i["beta"] * c for p, c in zip(product, i["C"]))}


def gemver(i, n):
    span = range(n["N"])
    updates = [[i["u1"][r] * i["v1"][c] + i["u2"][r] * i["v2"][c] for c in span] for r in span]
    a = rows(words(plus(i["A"], flat(updates))), n["N"])
    x = [x + i["beta"] * s + z for x, s, z in zip(i["x"], times_vector(transpose(a), i["y"]), i["z"])]
    w = [w + i["alpha"] * s for w, s in zip(i["w"], times_vector(a, x))]
    return {"A": flat(a), "w": words(w), "x": words(x)}


def gesummv(i, n):
    tmp, other = (times_vector(rows(i[key], n["N"]), i["x"]) for key in "AB")
    return {"tmp": words(tmp), "y": words(i["alpha"] * t + i["beta"] * o for t, o in zip(tmp, other))}


def gramschmidt(i, n):
    columns, q = transpose(rows(i["A"], n["N"])), rows(i["Q"], n["N"])
    r = rows(i["R"], n["N"])
    for k in range(n["N"]):
        r[k][k] = square_root(inner(columns[k], columns[k]))
        unit = [divide(value, r[k][k]) for value in columns[k]]
        for row, value in zip(q, unit):
            row[k] = value
        for j in range(k + 1, n["N"]):
            r[k][j] = word(inner(unit, columns[j]))
            columns[j] = [word(value - u * r[k][j]) for value, u in zip(columns[j], unit)]
    return {"A": flat(transpose(columns)), "R": flat(r), "Q": flat(q)}


def stencil(source, target, extent, weigh):
    """Writes to the inner cells of `target`, cubes of any dimension as flat lists, what `weigh` makes of the source."""
    dimensions = round(math.log(len(source), extent))
    strides = [extent**power for power in range(dimensions)]
    for cell in range(len(source)):
        if all(0 < cell // stride % extent < extent - 1 for stride in strides):
            target[cell] = word(weigh(source, cell, strides))


def heat_3d(i, n):
    def weigh(cells, c, strides):
        return cells[c] + sum(word(cells[c + s] - 2 * cells[c] + cells[c - s]) >> 3 for s in strides)

    for _ in range(n["TSTEPS"]):
        stencil(i["A"], i["B"], n["N"], weigh)
        stencil(i["B"], i["A"], n["N"], weigh)
    return {"A": i["A"], "B": i["B"]}


def jacobi(i, n):
    def weigh(cells, c, strides):
        return divide(cells[c] + sum(cells[c + s] + cells[c - s] for s in strides), 2 * len(strides) + 1)

    for _ in range(n["TSTEPS"]):
        stencil(i["A"], i["B"], n["N"], weigh)
        stencil(i["B"], i["A"], n["N"], weigh)
    return {"A": i["A"], "B": i["B"]}


def factor(matrix):
    """L U in one matrix, as Doolittle's method leaves it."""
    a = [list(row) for row in matrix]
    for row in range(len(a)):
        for column in range(len(a)):
            upto = min(row, column)
            rest = word(a[row][column] - sum(a[row][k] * a[k][column] for k in range(upto)))
            a[row][column] = divide(rest, a[column][column]) if column < row else rest
    return a


def lu(i, n):
    return {"A": flat(factor(rows(i["A"], n["N"])))}


def forwards(matrix, right, pivot):
    """Solves a lower triangular system; `pivot` divides by the diagonal or leaves it out."""
    found = []
    for row, value in enumerate(right):
        found.append(pivot(word(value - inner(matrix[row], found)), matrix[row][row]))
    return found


def ludcmp(i, n):
    a = factor(rows(i["A"], n["N"]))
    y = forwards(a, i["b"], lambda rest, _: rest)
    # Seen from its last row and column, an upper triangular matrix is a lower triangular one.
    turned = [row[::-1] for row in a[::-1]]
    return {"A": flat(a), "x": forwards(turned, y[::-1], divide)[::-1], "y": y}


def mvt(i, n):
    matrix = rows(i["A"], n["N"])
    return {
        "x1": words(plus(i["x1"], times_vector(matrix, i["y1"]))),
        "x2": words(plus(i["x2"], times_vector(transpose(matrix), i["y2"]))),
    }


def nussinov(i, n):
    table, last = rows(i["table"], n["N"]), n["N"] - 1
    for left in reversed(range(last)):
        for right in range(left + 1, last + 1):
            inside = table[left + 1][right - 1]
            if left < right - 1:
                inside += 1 if word(i["seq"][left] + i["seq"][right]) == 3 else 0
            split = [table[left][k] + table[k + 1][right] for k in range(left + 1, right)]
            single = [table[left][right], table[left][right - 1], table[left + 1][right]]
            table[left][right] = max(words([*single, inside, *split]))
    return {"table": flat(table)}


def seidel_2d(i, n):
    a = rows(i["A"], n["N"])
    for _ in range(n["TSTEPS"]):
        for row in range(1, n["N"] - 1):
            for column in range(1, n["N"] - 1):
                a[row][column] = divide(sum(sum(line[column - 1 : column + 2]) for line in a[row - 1 : row + 2]), 9)
    return {"A": flat(a)}


def symm(i, n):
    a, span = rows(i["A"], n["M"]), range(n["M"])
    whole = [[a[max(r, c)][min(r, c)] for c in span] for r in span]
    product = flat(multiply(whole, rows(i["B"], n["N"])))
    return {"C": words(i["alpha"] * p + i["beta"] * c for p, c in zip(product, i["C"]))}


def lower_update(i, n, product):
    span = range(n["N"])
    c = rows(i["C"], n["N"])
    return flat([i["alpha"] * product[r][k] + i["beta"] * c[r][k] if k <= r else c[r][k] for k in span] for r in span)


def syr2k(i, n):
    a, b = rows(i["A"], n["M"]), rows(i["B"], n["M"])
    both = [plus(x, y) for x, y in zip(multiply(a, transpose(b)), multiply(b, transpose(a)))]
    return {"C": lower_update(i, n, both)}


def syrk(i, n):
    a = rows(i["A"], n["M"])
    return {"C": lower_update(i, n, multiply(a, transpose(a)))}


def trisolv(i, n):
    return {"x": forwards(rows(i["L"], n["N"]), i["b"], divide)}


def trmm(i, n):
    span, a = range(n["M"]), rows(i["A"], n["M"])
    upper = [[a[c][r] if c > r else int(c == r) for c in span] for r in span]
    return {"B": flat(scale(i["alpha"], multiply(upper, rows(i["B"], n["N"]))))}


REFERENCES = {
    "2mm": two_mm,
    "3mm": three_mm,
    "adi": adi,
    "atax": atax,
    "bicg": bicg,
    "cholesky": cholesky,
    "correlation": correlation,
    "covariance": covariance,
    "deriche": deriche,
    "doitgen": doitgen,
    "durbin": durbin,
    "fdtd-2d": fdtd_2d,
    "floyd-warshall": floyd_warshall,
    "gemm": gemm,
    "gemver": gemver,
    "gesummv": gesummv,
    "gramschmidt": gramschmidt,
    "heat-3d": heat_3d,
    "jacobi-1d": jacobi,
    "jacobi-2d": jacobi,
    "lu": lu,
    "ludcmp": ludcmp,
    "mvt": mvt,
    "nussinov": nussinov,
    "seidel-2d": seidel_2d,
    "symm": symm,
    "syr2k": syr2k,
    "syrk": syrk,
    "trisolv": trisolv,
    "trmm": trmm,
}

# The inputs. Each kernel gets small values and any values of 32 bits; below are those that need more care.

# alpha = 1/4 in Deriche's filter, with 12 fractional bits.
SMOOTHING = 0.25


def deriche_coefficients():
    decay = math.exp(-SMOOTHING)
    k = (1 - decay) ** 2 / (1 + 2 * SMOOTHING * decay - decay**2)
    exact = {
        "a1": k,
        "a2": k * decay * (SMOOTHING - 1),
        "a3": k * decay * (SMOOTHING + 1),
        "a4": -k * decay**2,
        "b1": 2 * decay,
        "b2": -(decay**2),
    }
    return {key: round(value * 4096) for key, value in exact.items()}


def triangle(source, size, diagonal):
    """A lower triangular matrix with what `diagonal` gives on its diagonal."""
    return [
        [diagonal() if column == row else source.between(-3, 3) if column < row else 0 for column in range(size)]
        for row in range(size)
    ]


def pivot(source):
    return source.between(1, 9) * (1 - 2 * source.between(0, 1))


def solvable(name, inputs, sizes, source):
    """Systems whose factors and solutions are whole numbers."""
    size = sizes["N"]
    if name == "cholesky":
        root = triangle(source, size, lambda: source.between(1, 9))
        inputs["A"] = flat(multiply(root, transpose(root)))
        return
    if name == "trisolv":
        matrix = triangle(source, size, lambda: pivot(source))
        inputs["L"] = flat(matrix)
    else:
        upper = transpose(triangle(source, size, lambda: pivot(source)))
        matrix = multiply(triangle(source, size, lambda: 1), upper)
        inputs["A"] = flat(matrix)
    if "b" in inputs:
        inputs["b"] = words(times_vector(matrix, source.list(size, -9, 9)))


def defined_durbin(size, source, low, high):
    """Each element is drawn again until the next coefficient is even: then beta stays odd, and is never zero.

    All but the first come from all 32 bits, where about half of the draws will do whatever came before."""
    r = [2 * source.between(low // 2, high // 2)]
    y, beta = [word(-r[0])], 1
    while len(r) < size:
        candidate = [*r, *source.signed(1, 32)]
        try:
            found, next_beta = durbin_step(candidate, y, beta)
        except ZeroDivisionError:
            continue
        if found[-1] % 2 == 0:
            r, y, beta = candidate, found, next_beta
    return r


def cases(name, kernel, sizes, source):
    for small in (True, False):
        low, high = (-20, 20) if small else (-(2**31), 2**31 - 1)
        inputs = {}
        for argument, shape in arguments(kernel):
            inputs[argument] = source.list(math.prod(shape), low, high) if shape else source.between(low, high)
        match name:
            case "cholesky" | "lu" | "ludcmp" | "trisolv" if small:
                solvable(name, inputs, sizes, source)
            case "durbin":
                inputs["r"] = defined_durbin(sizes["N"], source, low, high)
            case "gramschmidt" if small:
                inputs["A"] = source.list(len(inputs["A"]), -1000, 1000)
            case "correlation" | "covariance":
                inputs["float_n"] = sizes["N"]
                if small:
                    inputs["data"] = source.list(len(inputs["data"]), -1000, 1000)
            case "deriche" if small:
                inputs |= deriche_coefficients()
                inputs["imgIn"] = source.list(len(inputs["imgIn"]), 0, 255)
            case "adi" if small:
                inputs["u"] = source.list(len(inputs["u"]), 0, 2048)
            case "floyd-warshall" if small:
                inputs["path"] = source.list(len(inputs["path"]), 1, 100)
            case "nussinov" if small:
                inputs["seq"] = source.list(sizes["N"], 0, 3)
                inputs["table"] = [0] * len(inputs["table"])
        yield inputs


def document(name, kernel, sizes):
    function = "kernel_" + name.replace("-", "_")
    lines = ["# Written by examples/polybench/generate.py.", f"function: {function}"]
    if "float_n" in kernel:
        lines += ["random:", f"  float_n: {{min: {sizes['N']}, max: {sizes['N']}}}"]
    lines.append("cases:")
    for inputs in cases(name, kernel, sizes, Source(list(SIZES).index(name) + 1)):
        lines.append("  - inputs:")
        for key, value in inputs.items():
            lines += entry("      ", key, value)
        lines.append("    outputs:")
        for key, value in REFERENCES[name](inputs, sizes).items():
            lines += entry("      ", key, value)
    return "\n".join(lines) + "\n"


def files(name, dataset):
    """Kernel and data of one size, by name."""
    sizes = SIZES[name][dataset]
    kernel = expand(template(name), sizes)
    return {"kernel.mlir": kernel, "data.yaml": document(name, kernel, sizes)}


def kept(name):
    """The files of this folder: size 8, and the kernel alone at MINI_DATASET, whose data are large."""
    return files(name, EIGHT) | {"mini.mlir": expand(template(name), SIZES[name][MINI])}


def write(folder, name, texts):
    (folder / name).mkdir(parents=True, exist_ok=True)
    for file, text in texts.items():
        (folder / name / file).write_text(text)


def stale():
    """The files of this folder that are missing or differ."""
    for name in SIZES:
        for file, text in kept(name).items():
            path = FOLDER / name / file
            if not path.is_file() or path.read_text() != text:
                yield f"{name}/{file}"


def main(given):
    names = given[2:]
    if given[:1] == ["--mini"] and len(given) > 1 and all(name in SIZES for name in names):
        for name in names or SIZES:
            write(Path(given[1]), name, files(name, MINI))
        return 0
    if given not in ([], ["--check"]):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    folders = sorted(path.parent.name for path in FOLDER.glob("*/kernel.mlir"))
    if given and folders != sorted(SIZES):
        print(f"folders and references differ: {sorted(set(folders) ^ set(SIZES))}", file=sys.stderr)
        return 1
    if not given:
        for name in SIZES:
            write(FOLDER, name, kept(name))
        return 0
    differing = list(stale())
    for path in differing:
        print(f"{path}: differs from the reference; accept: examples/polybench/generate.py", file=sys.stderr)
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
