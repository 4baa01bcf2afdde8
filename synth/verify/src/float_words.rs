//! Words that hold floats: decimal text, printing, and distances in units of the last place.

use sluice_ir::algebra::FloatFormat;
use sluice_ir::bits::Bits;
use sluice_ir::text::{parse_float, print_float};

/// Parses a float: a decimal number, rounded to the nearest, `inf` or `nan` with or without a sign, or its bits with `0x`.
///
/// # Errors
/// A text that is no number, or bits that do not fit.
pub fn parse(text: &str, format: FloatFormat) -> Result<Bits, String> {
    let width_bits = format.width_bits();
    if let Some(digits) = text.strip_prefix("0x") {
        let is_hexadecimal = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_hexdigit());
        let bits = is_hexadecimal.then(|| Bits::parse_hex(digits, width_bits));
        let misfit = || format!("`{text}` does not fit {width_bits} bits");
        return match bits {
            None => Err(format!("`{text}` is no number")),
            Some(bits) => bits.ok_or_else(misfit),
        };
    }
    let (sign, magnitude) = match text.strip_prefix('-') {
        Some(magnitude) => ("-", magnitude),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    let special = magnitude.strip_prefix('.').unwrap_or(magnitude);
    let is_decimal = magnitude.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && magnitude
            .chars()
            .all(|c| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E' | '+' | '-'));
    let literal = match special.to_ascii_lowercase().as_str() {
        "inf" | "infinity" => "inf",
        "nan" => "nan",
        _ if is_decimal => magnitude,
        _ => return Err(format!("`{text}` is no number")),
    };
    // NaN is the one that operations compute.
    let sign = if literal == "nan" { "" } else { sign };
    parse_float(format, &format!("{sign}{literal}")).ok_or_else(|| format!("`{text}` is no number"))
}

/// Formats a word: as a decimal number with the digits that give the same float again, or, without a format, as an integer.
pub fn shown(word: &Bits, format: Option<FloatFormat>) -> String {
    let Some(format) = format else {
        return word.to_string();
    };
    let mut text = String::new();
    print_float(&mut text, format, word);
    match text.strip_prefix("0x") {
        None => text,
        Some(bits) => {
            let specials = ["inf", "-inf"].into_iter();
            let name = specials
                .into_iter()
                .find(|special| same(word, special, format));
            let name = name.unwrap_or("nan");
            format!("{name} (0x{bits})")
        }
    }
}

fn same(word: &Bits, text: &str, format: FloatFormat) -> bool {
    parse_float(format, text).is_some_and(|special| special == *word)
}

/// Returns how many floats of the format the second word is after the first one; `None` if one of them is NaN.
pub fn distance(one: &Bits, other: &Bits, format: FloatFormat) -> Option<u128> {
    let is_nan = |word: &Bits| shown(word, Some(format)).starts_with("nan");
    if is_nan(one) || is_nan(other) {
        return None;
    }
    Some(magnitude_order(one).abs_diff(magnitude_order(other)))
}

/// Returns whether a word is the expected one; floats may differ by this many units in the last place.
pub fn agree(got: &Bits, want: &Bits, format: Option<FloatFormat>, tolerance_ulp: u64) -> bool {
    let is_near = |format| {
        let distance = distance(got, want, format);
        distance.is_some_and(|distance| distance <= u128::from(tolerance_ulp))
    };
    got == want || tolerance_ulp > 0 && format.is_some_and(is_near)
}

/// Returns a number with the order of the floats.
fn magnitude_order(word: &Bits) -> i128 {
    let width = word.width();
    let magnitude = word.trunc(width - 1).to_u128().unwrap_or(0);
    let magnitude = i128::try_from(magnitude).unwrap_or(i128::MAX);
    if word.sign_bit() {
        -magnitude
    } else {
        magnitude
    }
}

/// Says that a word is not the expected one; floats with their distance.
pub fn differs(name: &str, got: &Bits, want: &Bits, format: Option<FloatFormat>) -> String {
    let distance = format.and_then(|format| distance(got, want, format));
    let ulps = match distance {
        None | Some(0) => String::new(),
        Some(1) => " (1 ulp)".to_owned(),
        Some(n) => format!(" ({n} ulp)"),
    };
    let (got, want) = (shown(got, format), shown(want, format));
    format!("{name} is {got}, expected {want}{ulps}")
}

#[cfg(test)]
mod tests {
    use sluice_ir::algebra::FloatFormat;
    use sluice_ir::bits::Bits;

    use super::{differs, parse, shown};

    #[test]
    fn decimals_and_bits_are_read_and_printed() {
        let read = |text: &str| parse(text, FloatFormat::F32).map(|word| word.low_u64());
        assert_eq!(read("1.5"), Ok(0x3fc0_0000));
        assert_eq!(read("-2"), Ok(0xc000_0000));
        assert_eq!(read("1e-45"), Ok(1));
        assert_eq!(read("0x3f800000"), Ok(0x3f80_0000));
        assert_eq!(read("-.inf"), Ok(0xff80_0000));
        assert_eq!(read("nan"), Ok(0x7fc0_0000));
        assert_eq!(read("1e99"), Ok(0x7f80_0000));
        assert!(read("x").is_err() && read("1.5f").is_err() && read("").is_err());
        for text in ["1.5", "0.1", "-3.4028235e38", "inf", "nan"] {
            let word = parse(text, FloatFormat::F32).expect("a number");
            let printed = shown(&word, Some(FloatFormat::F32));
            let again = printed.split(' ').next().unwrap_or_default();
            assert_eq!(parse(again, FloatFormat::F32), Ok(word), "{printed}");
        }
    }

    #[test]
    fn differences_are_in_units_of_the_last_place() {
        let word = |bits| Bits::from_u64(32, bits);
        let said = differs(
            "y[3]",
            &word(0x3f80_0001),
            &word(0x3f80_0000),
            Some(FloatFormat::F32),
        );
        assert!(said.ends_with("expected 1.000000e+00 (1 ulp)"), "{said}");
        let said = differs("y", &word(0x8000_0001), &word(1), Some(FloatFormat::F32));
        assert!(said.ends_with("(2 ulp)"), "{said}");
        assert_eq!(differs("y", &word(2), &word(3), None), "y is 2, expected 3");
    }
}
