"""The text of a device file: rows and points, written the same way by every script here."""


def number(value):
    """A figure in its shortest form, three decimals at most."""
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return text if text not in ("", "-0") else "0"


def points_text(points, indent):
    """One line for each point; figures that are zero at every point are left out, delays of a row excepted."""
    keys = []
    for point in points:
        keys += [key for key in point if key not in keys]
    keys = [key for key in keys if key in ("width_bits", "delay_ns", "input_delay_ns") or any(p[key] for p in points)]
    return [indent + "- { " + ", ".join(f"{key}: {number(point[key])}" for key in keys) + " }" for point in points]


def row_text(head, source, points):
    """One row: its own keys, its source, its points."""
    lines = []
    for position, (key, value) in enumerate(head):
        lines.append(("  - " if position == 0 else "    ") + f"{key}: {value}")
    lines.append(f"    source: \"{source}\"")
    lines.append("    points:")
    return lines + points_text(points, "      ")


def rising(points):
    """The points with no figure falling: placement and mapping noise must not make a larger operator cheaper.

    Delays are raised to the greatest before them; counts of cells that fall are replaced by their mean.
    """
    columns = {}
    for key in points[0]:
        values = [point[key] for point in points]
        if key != "width_bits":
            values = raised(values) if key.endswith("_ns") else pooled(values)
        columns[key] = values
    return [{key: columns[key][position] for key in columns} for position in range(len(points))]


def raised(values):
    out = []
    for value in values:
        out.append(max(value, out[-1]) if out else value)
    return out


def pooled(values):
    """Isotonic regression: neighbours that fall are pooled until no mean falls."""
    pools = []
    for value in values:
        pools.append((value, 1))
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            (right, n_right), (left, n_left) = pools.pop(), pools.pop()
            pools.append(((left * n_left + right * n_right) / (n_left + n_right), n_left + n_right))
    return [mean for mean, count in pools for _ in range(count)]
