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
    """The points with every figure raised to the greatest before it: placement noise must not make a wider operator cheaper."""
    raised = []
    for point in points:
        if raised:
            point = {key: value if key == "width_bits" else max(value, raised[-1][key]) for key, value in point.items()}
        raised.append(point)
    return raised
