//! The certificates that servers are checked against.

use std::path::Path;

use ureq::tls::{Certificate, PemItem, parse_pem};

use locktoll_terminal::escape::shown;

/// Where systems keep theirs: Debian and Alpine, Fedora, openSUSE.
const OF_THE_SYSTEM: [&str; 3] = [
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
];

/// Reads the certificates of a file, or of the system.
///
/// # Errors
/// Why there are none.
pub fn read(file: Option<&Path>) -> Result<Vec<Certificate<'static>>, String> {
    let of_the_system = || {
        OF_THE_SYSTEM
            .map(Path::new)
            .into_iter()
            .find(|it| it.exists())
    };
    let path = file.or_else(of_the_system).ok_or(
        "this system has no certificates; install the package ca-certificates, or give a file with --push-ca",
    )?;
    let name = shown(path.as_os_str());
    let bytes = std::fs::read(path).map_err(|error| format!("{name}: {error}"))?;
    let mut certificates = Vec::new();
    for item in parse_pem(&bytes) {
        match item {
            Ok(PemItem::Certificate(certificate)) => certificates.push(certificate),
            Ok(_) => {}
            Err(error) => return Err(format!("{name}: {error}; accepted: certificates as PEM")),
        }
    }
    match certificates.is_empty() {
        true => Err(format!(
            "{name}: there is no certificate; accepted: certificates as PEM, each from -----BEGIN CERTIFICATE----- on"
        )),
        false => Ok(certificates),
    }
}
