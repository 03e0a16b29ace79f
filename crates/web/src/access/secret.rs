//! Secrets: made by the operating system's randomness, kept only as what cannot be turned back into them.

use sha2::{Digest, Sha256};

/// A secret of 192 bits, in characters that need no escaping anywhere.
pub(super) fn fresh() -> String {
    hex(&random::<24>())
}

/// A name that nothing else has, and that is no secret.
pub(super) fn fresh_id() -> String {
    hex(&random::<6>())
}

/// What is kept of a secret.
pub(super) fn digest(secret: &str) -> String {
    hex(&Sha256::digest(secret.as_bytes()))
}

fn random<const BYTES: usize>() -> [u8; BYTES] {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes).expect("the operating system has randomness");
    bytes
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
