//! The cost of moving a cache line between CPUs: drawn as a matrix if it fits, otherwise summarised by the distance of the
//! CPUs.

use std::fmt::Write;

use locktoll_lab::machine::{CpuPlace, Topology};
use locktoll_lab::probe::Transfers;
use locktoll_lab::stats::Estimate;

use super::page::heading;
use crate::table::{dash, lay_out};
use locktoll_terminal::quantity::price;

/// The most CPUs whose matrix fits a line.
const DRAWN: usize = 16;

/// Writes the matrix, or its summary.
pub fn matrix(page: &mut String, transfers: &Transfers, topology: &Topology) -> std::fmt::Result {
    if transfers.cpus.len() < 2 {
        return Ok(());
    }
    heading(page, "A cache line's way from CPU to CPU", "one way, ns")?;
    match transfers.cpus.len() {
        ..=DRAWN => drawn(page, transfers)?,
        _ => summed(page, transfers, topology)?,
    }
    writeln!(page)
}

fn drawn(page: &mut String, transfers: &Transfers) -> std::fmt::Result {
    write!(page, "  {:>9}", "from \\ to")?;
    for cpu in &transfers.cpus {
        write!(page, "{cpu:>5}")?;
    }
    writeln!(page)?;
    for (from, row) in transfers.cpus.iter().zip(&transfers.one_way_ns) {
        write!(page, "  {from:>9}")?;
        for cell in row {
            write!(page, "{:>5}", short(*cell))?;
        }
        writeln!(page)?;
    }
    Ok(())
}

/// Formats whole nanoseconds in four characters.
fn short(cell: Option<Estimate>) -> String {
    match cell.map(|cell| cell.median) {
        None => dash(),
        Some(ns) if ns < 9999.5 => format!("{ns:.0}"),
        Some(_) => ">9us".to_owned(),
    }
}

/// How close two CPUs are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Nearness {
    Core,
    Package,
    Apart,
    Unknown,
}

impl Nearness {
    const ALL: [(Self, &str); 4] = [
        (Self::Core, "same core"),
        (Self::Package, "same package"),
        (Self::Apart, "other package"),
        (Self::Unknown, "place unknown"),
    ];

    fn of(a: Option<&CpuPlace>, b: Option<&CpuPlace>) -> Self {
        let (Some(a), Some(b)) = (a, b) else {
            return Self::Unknown;
        };
        match (a.package, b.package) {
            _ if a.siblings.contains(&b.cpu) => Self::Core,
            (Some(one), Some(other)) if one == other => Self::Package,
            (Some(_), Some(_)) => Self::Apart,
            _ => Self::Unknown,
        }
    }
}

fn summed(page: &mut String, transfers: &Transfers, topology: &Topology) -> std::fmt::Result {
    let place = |cpu: usize| topology.cpus.iter().find(|place| place.cpu == cpu);
    let mut pairs: Vec<(Nearness, f64)> = Vec::new();
    for (from, row) in transfers.cpus.iter().zip(&transfers.one_way_ns) {
        for (to, cell) in transfers.cpus.iter().zip(row) {
            let nearness = Nearness::of(place(*from), place(*to));
            pairs.extend(cell.map(|cell| (nearness, cell.median)));
        }
    }
    let rows = Nearness::ALL.into_iter().filter_map(|(nearness, name)| {
        let mut ns: Vec<f64> = pairs
            .iter()
            .filter(|(of, _)| *of == nearness)
            .map(|(_, ns)| *ns)
            .collect();
        ns.sort_by(f64::total_cmp);
        let (least, most) = (ns.first()?, ns.last()?);
        Some(vec![
            format!("  {name}"),
            ns.len().to_string(),
            price(*least),
            price(ns[ns.len() / 2]),
            price(*most),
        ])
    });
    let head = ["  CPUs in the", "pairs", "least", "median", "most"];
    lay_out(page, "", &head, rows)
}
