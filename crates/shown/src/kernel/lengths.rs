//! Waits by powers of two of their length. Waits that spin and waits that sleep are separate, since they differ by orders
//! of magnitude.

use std::fmt::Write;

use crate::profile::text::histogram::{Column, LENGTH, nanoseconds, rows};
use crate::profile::text::styles::{FAINT, LOCKS, QUEUED};
use locktoll_results::kernel::{KernelKind, KernelLockKind, KernelResult};

/// Returns the summed counts of the given kinds of locks.
fn column(
    head: &'static str,
    style: anstyle::Style,
    result: &KernelResult,
    of: impl Fn(&KernelKind) -> Option<&Vec<u64>>,
    which: impl Fn(KernelLockKind) -> bool,
) -> Column<'static> {
    let mut log2 = Vec::new();
    let kinds = result.kinds.iter().filter(|row| which(row.kind));
    for counts in kinds.filter_map(of) {
        if log2.len() < counts.len() {
            log2.resize(counts.len(), 0);
        }
        log2.iter_mut().zip(counts).for_each(|(sum, n)| *sum += n);
    }
    Column::new(head, log2, style).cumulative()
}

/// Writes the distribution and the cumulative distribution.
pub fn write(page: &mut String, result: &KernelResult, width: usize) -> std::fmt::Result {
    let mut columns = vec![
        column(
            "spinning",
            LOCKS,
            result,
            |row| Some(&row.waits.log2),
            KernelLockKind::spins,
        ),
        column(
            "sleeping",
            QUEUED,
            result,
            |row| Some(&row.waits.log2),
            |kind| !kind.spins(),
        ),
    ];
    columns.retain(|column| !column.is_empty());
    rows(page, &columns, width, "length", nanoseconds)
}

/// Writes the same for spin locks, in ticks of the processor's counter.
pub fn ticks(page: &mut String, result: &KernelResult) -> std::fmt::Result {
    let Some(rate) = result.ticks_per_ns else {
        return writeln!(
            page,
            "  {FAINT}no lengths in cycles: this machine has no counter of a known rate{FAINT:#}"
        );
    };
    writeln!(
        page,
        "\n  Spin locks, by cycles of the processor's counter ({:.2} GHz)",
        rate
    )?;
    let columns = [column(
        "waits",
        LOCKS,
        result,
        |row| row.log2_ticks.as_ref(),
        |kind| kind == KernelLockKind::Spin,
    )];
    rows(page, &columns, usize::MAX, "cycles", |i| {
        format!("{:>LENGTH$}", format!("2^{i} .. 2^{}", i + 1))
    })
}
