//! One TLS stack for the whole process.

use std::sync::Once;

/// Makes `ring` the process's TLS provider; calling it again does nothing.
pub fn install_tls() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        // An error means that somebody else installed one before us, which is just as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
}
