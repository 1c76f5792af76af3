//! A bench result as one JSON document.

use super::BenchResult;

/// The document, with an end of line.
pub fn bench_json(result: &BenchResult) -> anyhow::Result<String> {
    let mut document = serde_json::to_string_pretty(result)?;
    document.push('\n');
    Ok(document)
}
