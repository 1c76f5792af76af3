//! Certificates for tests, made by openssl.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::bench::{Bench, text};

/// Makes a certificate and a key for 127.0.0.1, signed by itself.
fn certificate(bench: &Bench, name: &str) -> (PathBuf, PathBuf) {
    let (certificate, key) = (
        bench.path(format!("{name}.pem")),
        bench.path(format!("{name}.key")),
    );
    let mut openssl = Command::new("openssl");
    openssl.args([
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
    ]);
    openssl.args(["-nodes", "-days", "3650", "-subj", "/CN=locktoll test"]);
    openssl.args(["-addext", "subjectAltName=IP:127.0.0.1"]);
    openssl.args(["-addext", "basicConstraints=critical,CA:FALSE"]);
    openssl
        .arg("-keyout")
        .arg(&key)
        .arg("-out")
        .arg(&certificate);
    let out = openssl.output().unwrap();
    assert!(out.status.success(), "{}", text(&out.stderr));
    (certificate, key)
}

/// The certificate and key of a server, and where a client finds that certificate and another one.
pub struct Certificates {
    pub own: PathBuf,
    pub other: PathBuf,
    pub certificate: Vec<u8>,
    pub key: Vec<u8>,
}

impl Certificates {
    pub fn make(bench: &Bench) -> Self {
        let (own, key) = certificate(bench, "own");
        let (other, _) = certificate(bench, "other");
        let read = |path: &Path| std::fs::read(path).unwrap();
        Self {
            certificate: read(&own),
            key: read(&key),
            own,
            other,
        }
    }
}
