//! SHA-256 in hexadecimal.

use sha2::{Digest, Sha256};

/// Number of hexadecimal digits in a short hash of a file or an agent.
const SHORT: usize = 24;

/// The hash of a text, all of its 64 digits.
pub(crate) fn hash(text: impl AsRef<[u8]>) -> String {
    in_hex(&Sha256::digest(text))
}

/// The first digits of a hash, enough for a name.
pub(crate) fn short_hash(text: impl AsRef<[u8]>) -> String {
    let mut digits = hash(text);
    digits.truncate(SHORT);
    digits
}

pub(crate) fn in_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
