//! What goes wrong with encrypted connections, in words.

use std::io;

/// Returns an error of a connection in words.
pub fn io_words(error: &io::Error) -> String {
    let of_tls = error.get_ref().and_then(|it| it.downcast_ref());
    match of_tls {
        Some(error) => words(error),
        None => error.to_string(),
    }
}

/// Returns an error of an encrypted connection in words.
pub fn words(error: &rustls::Error) -> String {
    match error {
        rustls::Error::InvalidCertificate(_) => {
            format!(
                "the server's certificate is not accepted: {error}; --push-ca names a file of accepted certificates"
            )
        }
        error => format!("no encrypted connection: {error}"),
    }
}
