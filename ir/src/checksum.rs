//! A hash that is the same on every machine: sufficient to detect that two texts differ, no protection against an attacker.

/// Returns the hash of a sequence of bytes.
///
/// Source: G. Fowler, L. C. Noll, K.-P. Vo, FNV-1a with 64 bits.
pub fn checksum(bytes: impl IntoIterator<Item = u8>) -> u64 {
    const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;
    let step = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME);
    bytes.into_iter().fold(BASIS, step)
}
