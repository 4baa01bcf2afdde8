//! Elements as raw data: little-endian, each in whole bytes; single bits are packed, eight per byte.

use crate::bits::Bits;

/// Returns the number of bytes of one value of `width` bits.
pub(crate) fn storage_bytes(width: u32) -> usize {
    (width as usize).div_ceil(8).max(1)
}

/// Returns the raw data of values of `width` bits; `parts` is 2 for complex elements, else 1.
pub(crate) fn pack(values: &[Bits], width: u32, parts: usize) -> Vec<u8> {
    if width == 1 && parts == 1 {
        let byte = |chunk: &[Bits]| {
            let bits = chunk.iter().enumerate();
            bits.fold(0, |byte, (i, value)| byte | u8::from(!value.is_zero()) << i)
        };
        return values.chunks(8).map(byte).collect();
    }
    let mut data = Vec::with_capacity(values.len() * storage_bytes(width));
    for value in values {
        push(&mut data, value);
    }
    data
}

/// Appends the bytes of one value.
pub(crate) fn push(data: &mut Vec<u8>, value: &Bits) {
    let mut left = storage_bytes(value.width());
    for limb in value.limbs() {
        let bytes = limb.to_le_bytes();
        let take = left.min(8);
        data.extend_from_slice(&bytes[..take]);
        left -= take;
    }
    data.resize(data.len() + left, 0);
}

/// Reads values of `width` bits from raw data. `None` if the size fits neither `count` values nor one element.
pub(crate) fn unpack(data: &[u8], width: u32, count: u64, parts: usize) -> Option<Vec<Bits>> {
    if width == 1 && parts == 1 {
        if data.len() == 1 && matches!(data[0], 0 | 0xFF) && count != 0 {
            return Some(vec![Bits::from_u64(1, u64::from(data[0] & 1))]);
        }
        let count = usize::try_from(count).ok()?;
        if data.len() != count.div_ceil(8) {
            return None;
        }
        let bit = |i: usize| Bits::from_u64(1, u64::from(data[i / 8] >> (i % 8) & 1));
        return Some((0..count).map(bit).collect());
    }
    let bytes = storage_bytes(width);
    let n_values = data.len() / bytes;
    if !data.len().is_multiple_of(bytes) || (n_values as u64 != count && n_values != parts) {
        return None;
    }
    let chunks = data.chunks_exact(bytes);
    Some(chunks.map(|chunk| value(chunk, width)).collect())
}

/// Returns one value from its bytes.
pub(crate) fn value(bytes: &[u8], width: u32) -> Bits {
    let limbs: Vec<u64> = bytes
        .chunks(8)
        .map(|chunk| {
            let bytes = chunk.iter().rev();
            bytes.fold(0u64, |limb, byte| limb << 8 | u64::from(*byte))
        })
        .collect();
    Bits::from_limbs(width, &limbs)
}
