//! The whole table as text.

use std::fmt::Write;

use locktoll_lab::machine::Machine;

use super::campaign::Campaign;
use super::cell::Cell;
use super::group::Group;
use super::lines::{means_of, rows_of};
use super::remarks::remarks;
use super::row::{Field, Row};
use super::{summary, text};

/// The table of `cells`, and its lines. `missing` says which peers are not in this build.
pub fn page(
    campaign: &Campaign,
    cells: &[Cell],
    field: Field<'_>,
    missing: &[String],
) -> (String, Vec<Row>) {
    let mut page = String::new();
    let mut all = Vec::new();
    head(&mut page, campaign, field, missing);
    for group in Group::ALL {
        let own: Vec<&Cell> = cells.iter().filter(|cell| cell.group == group).collect();
        if own.is_empty() {
            continue;
        }
        let measured = &campaign.measured;
        let of = |cell: &&Cell| rows_of(cell, measured, field);
        let mut rows: Vec<Row> = own.iter().flat_map(of).collect();
        rows.extend(means_of(group, &own, measured, field));
        let remarks = remarks(&own, measured, field);
        page.push_str(&text::group(group, field.subject, &rows, &remarks));
        page.push('\n');
        all.extend(rows);
    }
    page.push_str(&summary::summary(field.subject, &all));
    for (what, lines) in [
        ("failed", &campaign.failures),
        ("noise", &campaign.warnings),
    ] {
        for line in lines {
            let _ = writeln!(page, "  {what}: {line}");
        }
    }
    (page, all)
}

/// Beyond this share of the machine's CPU time in others' hands, verdicts are not worth reading.
const BUSY: f64 = 0.05;

/// Who competed, where, and how ratios are to be read.
fn head(page: &mut String, campaign: &Campaign, field: Field<'_>, missing: &[String]) {
    let subject = field.subject;
    let _ = writeln!(page, "{subject} beside {}", field.peers.join(", "));
    for line in missing {
        let _ = writeln!(page, "{line}");
    }
    if let Some(machine) = &campaign.machine {
        let _ = writeln!(page, "{}", place(machine));
    }
    let _ = writeln!(page, "measured in {:.0} s", campaign.took.as_secs_f64());
    if campaign.taken > BUSY {
        let _ = writeln!(
            page,
            "THE MACHINE WAS BUSY: others used up to {:.0} % of it. Repeat this when it is quiet before you believe a verdict.",
            campaign.taken * 100.0
        );
    }
    let _ = writeln!(
        page,
        "ratios: a peer's figure over that of {subject} in the same round, the median over rounds and its interval of 95 %; above \
         1x {subject} is ahead"
    );
    let _ = writeln!(
        page,
        "the best peer is the one with the least median, picked after the fact, which favours the peers\n"
    );
}

fn place(machine: &Machine) -> String {
    let known = |it: &Option<String>| it.clone().unwrap_or_else(|| "unknown".to_owned());
    format!(
        "{}, {} usable CPUs, Linux {}, {}",
        known(&machine.cpu_model),
        machine.usable_cpus.len(),
        known(&machine.kernel),
        known(&machine.libc)
    )
}
