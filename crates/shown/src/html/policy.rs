//! The page's policy: the browser must forbid everything except the page's own parts.
//!
//! Scripts are named by their hash. If text became part of the page as markup, it would not run: the browser refuses every
//! script that is not in the list, including event handlers in attributes.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

/// Returns the value of `Content-Security-Policy` for a page with these scripts.
///
/// Styles may be inline because the charting library positions its tooltips that way; images may be data URLs because it draws
/// its patterns that way. Neither uses the network.
pub fn policy<'a>(scripts: impl IntoIterator<Item = &'a str>) -> String {
    let scripts: Vec<String> = scripts.into_iter().map(source).collect();
    format!(
        "default-src 'none'; script-src {}; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'",
        scripts.join(" ")
    )
}

/// Returns the policy's name for a script: <https://www.w3.org/TR/CSP3/#grammardef-hash-source>.
fn source(script: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(script)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_named_by_their_hash() {
        // The well-known hash of the empty string.
        let policy = policy(["", "x"]);
        assert!(policy.contains("'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"));
        assert!(policy.starts_with("default-src 'none'; script-src 'sha256-"));
        assert!(!policy.contains("script-src 'unsafe"));
    }
}
