//! The certificates that servers are checked against.

use std::io::Read;
use std::path::Path;

use ureq::tls::{Certificate, PemItem, parse_pem};

use locktoll_terminal::escape::shown;
use locktoll_terminal::system::files::open_regular;

/// Where systems keep theirs: Debian and Alpine, Fedora, openSUSE.
const OF_THE_SYSTEM: [&str; 3] = [
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
];

/// The most bytes of certificates. A system has 200 to 300 KiB.
const MOST_BYTES: u64 = 16 << 20;

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
    let cannot = |error: std::io::Error| format!("{name}: {error}");
    let file = open_regular(path).map_err(cannot)?;
    let mut bytes = Vec::new();
    file.take(MOST_BYTES)
        .read_to_end(&mut bytes)
        .map_err(cannot)?;
    let mut certificates = Vec::new();
    for item in parse_pem(&bytes) {
        match item {
            Ok(PemItem::Certificate(certificate)) => certificates.push(certificate),
            Ok(_) => {}
            Err(error) => {
                return Err(format!(
                    "{name}: {error}; accepted: certificates in PEM format"
                ));
            }
        }
    }
    match certificates.is_empty() {
        true => Err(format!(
            "{name}: the file contains no certificate; accepted: certificates in PEM format, which begin with -----BEGIN CERTIFICATE-----"
        )),
        false => Ok(certificates),
    }
}
