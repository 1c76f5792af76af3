//! From the words of the command line to the printed table.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};

use super::bench::batches;
use super::conditions::Plan;
use super::document::document;
use super::judge::Row;
use super::measured::Measured;
use super::options::{self, Options};
use super::peers::{self, Built, PEERS, SUBJECT};
use super::text::page;

/// Builds what is needed, measures, prints.
pub fn run(words: &[&str]) -> anyhow::Result<()> {
    let options = options::read(words)?;
    if let Some(file) = &options.json {
        // A wrong place costs nothing before anything is measured.
        put(file, "")?;
    }
    let built = peers::build()?;
    let (table, failures) = table(&options, &built)?;
    print!("{table}");
    ensure!(
        failures.is_empty(),
        "not everything could be measured: {}",
        failures.join("; ")
    );
    Ok(())
}

/// Measures and gives the table, and what failed; the JSON goes where it was asked for.
fn table(options: &Options, built: &Built) -> anyhow::Result<(String, Vec<String>)> {
    let listed = peers::listed(&built.locktoll)?;
    let has = |lock: &&str| listed.iter().any(|known| known == lock);
    ensure!(has(&SUBJECT), "this build has no lock {SUBJECT}");
    let locks: Vec<&str> = [SUBJECT].into_iter().chain(PEERS).filter(has).collect();
    let measured = measure(options, built, &locks);
    let of = |line| Row::of(line, &measured, &locks);
    let rows: Vec<Row> = options.lines.iter().map(of).collect();
    if let Some(file) = &options.json {
        let document = document(&locks, options.quick, &measured, &rows);
        put(file, &format!("{document:#}\n"))?;
    }
    let table = page(&locks, &measured, &rows, &built.missing);
    Ok((table, measured.failures))
}

/// Carries out all runs. A run that fails leaves the others alone.
fn measure(options: &Options, built: &Built, locks: &[&str]) -> Measured {
    let batches = batches(options);
    let conditions = Plan::of(options);
    let benches: Duration = batches.iter().map(|batch| batch.planned(locks.len())).sum();
    let seconds = (benches + conditions.map_or(Duration::ZERO, |plan| plan.planned())).as_secs();
    eprintln!(
        "tollgate: this takes about {} min {} s",
        seconds / 60,
        seconds % 60
    );

    let started = Instant::now();
    let mut measured = Measured::default();
    for batch in &batches {
        let title = batch.title();
        eprintln!("tollgate: {title}");
        if let Err(error) = batch.run(&built.locktoll, locks, &mut measured) {
            measured.failures.push(format!("{title}: {error:#}"));
        }
    }
    if let Some(plan) = conditions {
        eprintln!("tollgate: condition variables");
        if let Err(error) = plan.run(&built.monitors, &mut measured) {
            measured.failures.push(format!("{error:#}"));
        }
    }
    measured.took = started.elapsed();
    measured
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
        let words = [
            "--quick",
            "--rounds",
            "1",
            "--json",
            file.to_str().unwrap(),
            "no-think/list/2",
            "hogs",
            "waiting/think",
            "condition",
        ];
        let options = options::read(&words).unwrap();
        let (table, failures) = table(&options, &built()).unwrap();
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
    fn a_place_that_cannot_be_written_is_reported_before_anything_is_built() {
        let error = run(&["--json", "/no such folder/table.json"]).unwrap_err();
        assert!(error.to_string().contains("cannot write"), "{error}");
    }
}
