//! The cost of cold caches and TLB after a switch: one line for each working set size.

use std::fmt::Write;

use locktoll_lab::probe::{Refill, RefillKind};
use locktoll_lab::stats::Estimate;

use super::page::heading;
use crate::table::{dash, lay_out};
use locktoll_terminal::fold::folded;
use locktoll_terminal::quantity::signed;

/// The kinds, with the headings of their columns.
const KINDS: [(RefillKind, &str); 4] = [
    (RefillKind::Shared, "shared array"),
    (RefillKind::Own, "own arrays"),
    (RefillKind::OwnProcess, "own processes"),
    (RefillKind::OwnHugePages, "own, huge pages"),
];

/// Writes the table of sizes by kinds.
pub fn table(page: &mut String, refill: &[Refill], width: usize) -> std::fmt::Result {
    if refill.is_empty() {
        return Ok(());
    }
    heading(
        page,
        "Refilling caches and TLB after a switch",
        "added to one pass; none seen: the interval reaches 0",
    )?;
    let mut sizes: Vec<u64> = refill.iter().map(|cell| cell.bytes).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let kinds = KINDS.map(|(kind, name)| (refill.iter().any(|cell| cell.kind == kind), kind, name));
    let kinds: Vec<_> = kinds.into_iter().filter(|(there, ..)| *there).collect();
    let mut head = vec!["  working set"];
    head.extend(kinds.iter().map(|(_, _, name)| *name));
    let rows = sizes.into_iter().map(|bytes| {
        let mut row = vec![format!("  {}", size(bytes))];
        row.extend(kinds.iter().map(|(_, kind, _)| {
            let cell = refill
                .iter()
                .find(|cell| cell.bytes == bytes && cell.kind == *kind);
            cell.and_then(|cell| cell.added_ns).map_or_else(dash, added)
        }));
        row
    });
    lay_out(page, "", &head, rows)?;
    for (reason, kinds) in reasons(refill) {
        folded(page, "  ", &format!("No figure ({kinds}): {reason}"), width)?;
    }
    writeln!(page)
}

/// Formats the cost that a switch added, if its interval shows that it added anything.
fn added(added: Estimate) -> String {
    match added.low <= 0.0 && added.high >= 0.0 {
        true => "none seen".to_owned(),
        false => signed(added.median),
    }
}

/// Returns each reason once, with the columns that it applies to.
fn reasons(refill: &[Refill]) -> Vec<(&str, String)> {
    let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
    for cell in refill.iter().filter(|cell| cell.added_ns.is_none()) {
        let Some(reason) = cell.refused.as_deref() else {
            continue;
        };
        let (_, kind) = KINDS[KINDS
            .iter()
            .position(|(kind, _)| *kind == cell.kind)
            .unwrap_or(0)];
        match reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, kinds)) if !kinds.contains(&kind) => kinds.push(kind),
            Some(_) => {}
            None => reasons.push((reason, vec![kind])),
        }
    }
    let joined = |(reason, kinds): (_, Vec<&str>)| (reason, kinds.join(", "));
    reasons.into_iter().map(joined).collect()
}

/// Formats a power of two for people: `64 KiB`.
fn size(bytes: u64) -> String {
    match bytes {
        0..1024 => format!("{bytes} B"),
        1024..1_048_576 => format!("{} KiB", bytes / 1024),
        1_048_576..1_073_741_824 => format!("{} MiB", bytes / 1_048_576),
        _ => format!("{} GiB", bytes / 1_073_741_824),
    }
}
