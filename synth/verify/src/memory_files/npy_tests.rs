//! Tests of NPY files: written arrays are read in every type, order and version, and errors.

use proptest::prelude::*;
use sluice_ir::algebra::FloatFormat;
use sluice_ir::bits::Bits;

use super::{MAGIC, words};
use crate::memory_files::Wanted;

/// Returns an array in the format of NumPy.
fn written(
    descr: &str,
    is_fortran: bool,
    shape: &[usize],
    version: u8,
    elements: &[u8],
) -> Vec<u8> {
    let extents: Vec<String> = shape.iter().map(|n| format!("{n},")).collect();
    let order = if is_fortran { "True" } else { "False" };
    let mut header = format!(
        "{{'descr': '{descr}', 'fortran_order': {order}, 'shape': ({}), }}",
        extents.join(" ")
    );
    while !(header.len() + 11 + usize::from(version > 1) * 2).is_multiple_of(64) {
        header.push(' ');
    }
    header.push('\n');
    let length = u32::try_from(header.len()).expect("short").to_le_bytes();
    let mut data = MAGIC.to_vec();
    data.extend([version, 0]);
    data.extend(&length[..if version == 1 { 2 } else { 4 }]);
    data.extend(header.as_bytes());
    data.extend(elements);
    data
}

fn wanted(shape: &[usize], width_bits: u32) -> Wanted {
    Wanted {
        shape: shape.to_vec(),
        width_bits,
        format: None,
        fill: None,
    }
}

/// Returns the words in Fortran order, computed by counting: the first subscript varies fastest.
fn by_columns(shape: &[usize], words: &[i64]) -> Vec<i64> {
    let n: usize = shape.iter().product();
    let mut subscripts = vec![0; shape.len()];
    let mut ordered = Vec::new();
    for _ in 0..n {
        let word = subscripts
            .iter()
            .zip(shape)
            .fold(0, |at, (subscript, extent)| at * extent + subscript);
        ordered.push(words[word]);
        for (subscript, extent) in subscripts.iter_mut().zip(shape) {
            *subscript += 1;
            if *subscript < *extent {
                break;
            }
            *subscript = 0;
        }
    }
    ordered
}

proptest! {
    #[test]
    fn what_was_written_is_read(
        shape in prop::collection::vec(1_usize..5, 0..4),
        size in 0_u32..4,
        is_signed in any::<bool>(),
        is_big_endian in any::<bool>(),
        is_fortran in any::<bool>(),
        version in 1_u8..4,
        extra_bits in 0_u32..80,
        seed in prop::collection::vec(any::<i64>(), 64),
    ) {
        let n_bytes = 1_usize << size;
        let bits = 8 << size;
        let n: usize = shape.iter().product();
        let raw: Vec<i64> = (0..n).map(|at| seed[at % seed.len()]).collect();
        let ordered = if is_fortran { by_columns(&shape, &raw) } else { raw.clone() };
        let mut elements = Vec::new();
        for value in ordered {
            let bytes = &value.to_le_bytes()[..n_bytes];
            if is_big_endian {
                elements.extend(bytes.iter().rev());
            } else {
                elements.extend(bytes);
            }
        }
        let order = match (n_bytes, is_big_endian) {
            (1, _) => '|',
            (_, true) => '>',
            (_, false) => '<',
        };
        let kind = if is_signed { 'i' } else { 'u' };
        let descr = format!("{order}{kind}{n_bytes}");
        let data = written(&descr, is_fortran, &shape, version, &elements);
        let width_bits = bits + extra_bits;
        let expected: Vec<Bits> = raw
            .iter()
            .map(|value| {
                let own = Bits::from_i64(64, *value).trunc(bits);
                if is_signed { own.sext(width_bits) } else { own.zext(width_bits) }
            })
            .collect();
        prop_assert_eq!(words(&data, &wanted(&shape, width_bits)), Ok(expected));
    }

    #[test]
    fn damage_ends_in_words_or_a_message(at in 0_usize..200, byte in any::<u8>(), cut in 0_usize..200) {
        let mut data = written("<i2", false, &[4], 1, &[1, 0, 2, 0, 3, 0, 4, 0]);
        if let Some(damaged) = data.get_mut(at) {
            *damaged = byte;
        }
        data.truncate(cut.max(8));
        let _ = words(&data, &wanted(&[4], 16));
    }
}

#[test]
fn what_does_not_fit_is_said() {
    let two = |descr: &str| written(descr, false, &[2], 1, &[0xff; 16][..]);
    for (data, width_bits, expected) in [
        (b"PK".to_vec(), 8, "this is no NPY file"),
        (MAGIC.to_vec(), 8, "the file ends in its header"),
        (
            written("<c8", false, &[2], 1, &[0; 16]),
            32,
            "elements of type `<c8` are not read; integers are",
        ),
        (
            written("<f4", false, &[2], 1, &[0; 8]),
            32,
            "element [0] is the float 0x0, which does not fit 32 bits",
        ),
        (
            written("<i4", false, &[2, 3], 1, &[0; 24]),
            32,
            "the array is 2 x 3 words, 2 words are wanted",
        ),
        (
            written("<i4", false, &[2], 4, &[0; 8]),
            32,
            "format 4.0 is not read; 1.0, 2.0 and 3.0 are",
        ),
        (
            written("<u2", false, &[2], 1, &[0, 0, 0, 1]),
            8,
            "element [1] is 256, which does not fit 8 bits",
        ),
        (
            written("<i2", false, &[2], 1, &[0, 0, 0x7f, 0xff]),
            8,
            "element [1] is -129, which does not fit 8 bits",
        ),
        (
            two("<i4"),
            32,
            "8 bytes of elements are expected, there are 16",
        ),
        (
            written("<i2', 'title': '", false, &[2], 1, &[0; 4]),
            16,
            "has an unknown key `title`",
        ),
    ] {
        let found = words(&data, &wanted(&[2], width_bits)).expect_err(expected);
        assert!(found.message.contains(expected), "{}", found.message);
    }
}

#[test]
fn floats_are_rounded_to_the_format_of_the_memory() {
    let wanted = |format| Wanted {
        format: Some(format),
        ..wanted(&[2], 32)
    };
    let read = |descr: &str, elements: &[u8], format| {
        let found = words(&written(descr, false, &[2], 1, elements), &wanted(format));
        found.map(|all| all.iter().map(Bits::low_u64).collect::<Vec<_>>())
    };
    let singles: Vec<u8> = [1.5_f32, -0.1]
        .iter()
        .flat_map(|x| x.to_le_bytes())
        .collect();
    let doubles: Vec<u8> = [1.5_f64, 0.1]
        .iter()
        .flat_map(|x| x.to_le_bytes())
        .collect();
    let integers: Vec<u8> = [3_i16, -2].iter().flat_map(|x| x.to_le_bytes()).collect();
    let bits = |x: f32| u64::from(x.to_bits());
    assert_eq!(
        read("<f4", &singles, FloatFormat::F32),
        Ok(vec![bits(1.5), bits(-0.1)])
    );
    assert_eq!(
        read("<f8", &doubles, FloatFormat::F32),
        Ok(vec![bits(1.5), bits(0.1)])
    );
    assert_eq!(
        read("<i2", &integers, FloatFormat::F32),
        Ok(vec![bits(3.0), bits(-2.0)])
    );
    assert_eq!(
        read("<f4", &singles, FloatFormat::BF16),
        Ok(vec![0x3fc0, 0xbdcd])
    );
}
