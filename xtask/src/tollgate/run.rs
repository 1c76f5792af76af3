//! From the words of the command line to the printed table.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, ensure};

use super::arguments;
use super::batch::{Batch, batches};
use super::campaign::Campaign;
use super::conditions::Plan;
use super::page::page;
use super::peers::{self, Built, PEERS, SUBJECT};
use super::row::Field;
use super::{arguments::Wishes, document};

/// Builds what is needed, measures, prints.
pub fn run(words: &[&str]) -> anyhow::Result<()> {
    let wishes = arguments::read(words)?;
    if let Some(file) = &wishes.json {
        // A wrong place costs nothing before anything is measured.
        put(file, "")?;
    }
    let built = peers::build()?;
    let (table, failures) = table(&wishes, &built)?;
    print!("{table}");
    ensure!(
        failures.is_empty(),
        "not everything could be measured: {}",
        failures.join("; ")
    );
    Ok(())
}

/// Measures and gives the table, and what failed; the JSON goes where it was asked for.
fn table(wishes: &Wishes, built: &Built) -> anyhow::Result<(String, Vec<String>)> {
    let listed = peers::listed(&built.locktoll)?;
    let has = |lock: &str| listed.iter().any(|known| known == lock);
    ensure!(has(SUBJECT), "this build has no lock {SUBJECT}");
    let here: Vec<&str> = PEERS.into_iter().filter(|peer| has(peer)).collect();
    let field = Field {
        subject: SUBJECT,
        peers: &here,
    };
    let batches = batches(&wishes.cells, wishes.quick, wishes.rounds);
    let conditions = Plan::of(wishes);
    announce(&batches, conditions.as_ref(), here.len() + 1);
    let campaign = Campaign::run(built, &batches, conditions.as_ref(), field);
    let (table, rows) = page(&campaign, &wishes.cells, field, &built.missing);
    if let Some(file) = &wishes.json {
        let document = document::document(field, wishes.quick, &campaign, &rows);
        put(file, &format!("{document:#}\n"))?;
    }
    Ok((table, campaign.failures))
}

fn announce(batches: &[Batch], conditions: Option<&Plan>, locks: usize) {
    let benches: Duration = batches.iter().map(|batch| batch.planned(locks)).sum();
    let whole = benches + conditions.map_or(Duration::ZERO, Plan::planned);
    let seconds = whole.as_secs();
    eprintln!(
        "tollgate: this takes about {} min {} s",
        seconds / 60,
        seconds % 60
    );
}

fn put(file: &Path, text: &str) -> anyhow::Result<()> {
    std::fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::{self, Profile};

    /// The programs as tests are built, with the peers that need no library.
    fn built() -> Built {
        let (locktoll, monitors) = build::measuring(&[], Profile::Test).expect("both can be built");
        Built {
            locktoll,
            monitors,
            missing: vec!["without absl: libabsl-dev is not installed".to_owned()],
        }
    }

    #[test]
    fn a_tiny_run_ends_in_a_table_and_a_document() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("table.json");
        let name = file.to_str().unwrap();
        let words = [
            "--quick",
            "--rounds",
            "1",
            "--json",
            name,
            "no-think/list/2",
            "hogs",
            "waiting/think",
            "condition",
        ];
        let wishes = arguments::read(&words).unwrap();
        let (table, failures) = table(&wishes, &built()).unwrap();
        assert!(failures.is_empty(), "{failures:?}");
        for words in [
            "list, 2 threads",
            "busy threads' CPU",
            "list, 200 ns of think time, longest",
            "broadcast to 64 waiters",
            "Summary",
            "without absl: libabsl-dev",
        ] {
            assert!(table.contains(words), "{words}:\n{table}");
        }
        assert!(!table.contains("no figure"), "{table}");
        let text = std::fs::read_to_string(&file).unwrap();
        let document: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(document["subject"], SUBJECT);
        let rows = document["rows"].as_array().unwrap();
        assert_eq!(rows.len(), 1 + 2 + 2 + 2);
        for row in rows {
            let ours = &row["locks"][0];
            assert_eq!(ours["lock"], SUBJECT);
            assert!(ours["figure"]["median"].as_f64() > Some(0.0), "{row}");
        }
    }

    #[test]
    fn a_place_that_cannot_be_written_is_said_before_anything_is_built() {
        let error = run(&["--json", "/no such folder/table.json"]).unwrap_err();
        assert!(error.to_string().contains("cannot write"), "{error}");
    }
}
