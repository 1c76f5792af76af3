//! From the words of the command line to the printed table.

use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use serde_json::Value;

use super::arguments::{self, Wishes};
use super::batch::{Batch, batches};
use super::cell::Cell;
use super::group::Group;
use super::measured::Measured;
use super::peers::{self, PEERS, SUBJECT};
use super::row::{Field, Row, means_of, rows_of};
use super::{bench, conditions, document, remarks, summary, text};

/// Builds what is needed, measures, prints.
pub fn run(words: &[&str]) -> anyhow::Result<()> {
    let wishes = arguments::read(words)?;
    let built = peers::build()?;
    let listed = peers::listed(&built.locktoll)?;
    let has = |lock: &str| listed.iter().any(|known| known == lock);
    ensure!(has(SUBJECT), "this build has no lock {SUBJECT}");
    let here: Vec<&str> = PEERS.into_iter().filter(|peer| has(peer)).collect();
    let field = Field {
        subject: SUBJECT,
        peers: &here,
    };
    let locks: Vec<&str> = std::iter::once(SUBJECT)
        .chain(here.iter().copied())
        .collect();

    let batches = batches(&wishes.cells, wishes.quick, wishes.rounds);
    let conditions = conditions::Plan::of(&wishes);
    announce(&batches, conditions.as_ref(), locks.len());
    let started = Instant::now();
    let mut measured = Measured::default();
    let mut warnings: Vec<String> = Vec::new();
    let mut machine = Value::Null;
    for batch in &batches {
        eprintln!("tollgate: {}", batch.title);
        let seen = bench::run(&built.locktoll, batch, &locks, &mut measured)?;
        warnings.extend(
            seen.warnings
                .iter()
                .map(|warning| format!("{}: {warning}", batch.title)),
        );
        if machine.is_null() {
            println!("{}", place(&seen.machine));
        }
        machine = seen.machine_json;
    }
    if let Some(plan) = &conditions {
        eprintln!("tollgate: condition variables");
        plan.run(&built.monitors, &mut measured)?;
    }

    println!("{SUBJECT} beside {}", here.join(", "));
    for line in &built.missing {
        println!("{line}");
    }
    println!(
        "measured in {:.0} s; ratios are by rounds, a peer's figure over {SUBJECT}'s: above 1, {SUBJECT} is ahead",
        started.elapsed().as_secs_f64()
    );
    let mut all = Vec::new();
    for group in Group::ALL {
        let cells: Vec<&Cell> = wishes
            .cells
            .iter()
            .filter(|cell| cell.group == group)
            .collect();
        if cells.is_empty() {
            continue;
        }
        let mut rows: Vec<Row> = cells
            .iter()
            .flat_map(|cell| rows_of(cell, &measured, field))
            .collect();
        rows.extend(means_of(group, &cells, &measured, field));
        let remarks = remarks::remarks(&cells, &measured, field);
        println!(
            "\n{}",
            text::group(group, SUBJECT, &rows, &remarks).trim_end()
        );
        all.extend(rows);
    }
    println!("\n{}", summary::summary(SUBJECT, &all).trim_end());
    for warning in &warnings {
        println!("  noise: {warning}");
    }
    put_json(&wishes, &machine, &warnings, &all)
}

fn announce(batches: &[Batch], conditions: Option<&conditions::Plan>, locks: usize) {
    let benches: Duration = batches.iter().map(|batch| batch.planned(locks)).sum();
    let whole = benches + conditions.map_or(Duration::ZERO, conditions::Plan::planned);
    let seconds = whole.as_secs();
    eprintln!(
        "tollgate: this takes about {} min {} s",
        seconds / 60,
        seconds % 60
    );
}

fn place(machine: &locktoll_lab::machine::Machine) -> String {
    let known = |it: &Option<String>| it.clone().unwrap_or_else(|| "unknown".to_owned());
    format!(
        "{}, {} usable CPUs, Linux {}, {}",
        known(&machine.cpu_model),
        machine.usable_cpus.len(),
        known(&machine.kernel),
        known(&machine.libc)
    )
}

fn put_json(
    wishes: &Wishes,
    machine: &Value,
    warnings: &[String],
    rows: &[Row],
) -> anyhow::Result<()> {
    let Some(file) = &wishes.json else {
        return Ok(());
    };
    let document = document::document(SUBJECT, wishes.quick, machine, warnings, rows);
    std::fs::write(file, format!("{document:#}\n"))
        .with_context(|| format!("cannot write {}", file.display()))
}
