//! Waits by powers of two of their length, those that spin and those that sleep apart: they differ by orders of magnitude.

use std::fmt::Write;

use super::super::quantity::{count, duration, share};
use super::super::{KernelKind, KernelLockKind, KernelResult};
use crate::report::profile::text::bar;
use crate::report::profile::text::styles::{FAINT, LOCKS, QUEUED, in_style};

/// Characters of `  1.02 us .. 2.05 us`.
const LENGTH: usize = 20;
/// The widest bar.
const BAR: usize = 24;

struct Column {
    head: &'static str,
    style: anstyle::Style,
    log2: Vec<u64>,
    all: u64,
    most: u64,
    digits: usize,
}

impl Column {
    fn new(
        head: &'static str,
        style: anstyle::Style,
        result: &KernelResult,
        of: impl Fn(&KernelKind) -> Option<&Vec<u64>>,
        which: impl Fn(KernelLockKind) -> bool,
    ) -> Self {
        let mut log2 = Vec::new();
        for counts in result
            .kinds
            .iter()
            .filter(|row| which(row.kind))
            .filter_map(of)
        {
            if log2.len() < counts.len() {
                log2.resize(counts.len(), 0);
            }
            log2.iter_mut().zip(counts).for_each(|(sum, n)| *sum += n);
        }
        let most = log2.iter().copied().max().unwrap_or(0);
        Self {
            head,
            style,
            all: log2.iter().sum(),
            digits: count(most).len().max(head.len()),
            most,
            log2,
        }
    }

    fn at(&self, bucket: usize) -> u64 {
        self.log2.get(bucket).copied().unwrap_or(0)
    }

    /// What part was not longer than this bucket's end.
    fn through(&self, bucket: usize) -> String {
        share(self.log2.iter().take(bucket + 1).sum(), self.all)
    }
}

/// The distribution and the cumulative one.
pub fn write(page: &mut String, result: &KernelResult, width: usize) -> std::fmt::Result {
    let columns = [
        Column::new(
            "spinning",
            LOCKS,
            result,
            |row| Some(&row.waits.log2),
            KernelLockKind::spins,
        ),
        Column::new(
            "sleeping",
            QUEUED,
            result,
            |row| Some(&row.waits.log2),
            |kind| !kind.spins(),
        ),
    ];
    let bound = |power: usize| duration(2_f64.powi(power as i32));
    rows(page, &columns, width, "length", |i| {
        format!("{:>9} .. {:>7}", bound(i), bound(i + 1))
    })
}

/// The same for spin locks in ticks of the processor's counter.
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
    let columns = [Column::new(
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

fn rows(
    page: &mut String,
    columns: &[Column],
    width: usize,
    unit: &str,
    length: impl Fn(usize) -> String,
) -> std::fmt::Result {
    let columns: Vec<&Column> = columns.iter().filter(|column| column.all > 0).collect();
    let longest = columns.iter().map(|column| column.log2.len()).max();
    let mut used = (0..longest.unwrap_or(0)).filter(|&i| columns.iter().any(|it| it.at(i) > 0));
    let Some(first) = used.next() else {
        return Ok(());
    };
    let last = used.next_back().unwrap_or(first);
    let taken: usize = columns.iter().map(|column| column.digits + 13).sum();
    let room = (width.saturating_sub(LENGTH + taken) / columns.len()).clamp(6, BAR);
    let mut head = format!("{unit:>LENGTH$}");
    for column in &columns {
        let _ = write!(
            head,
            "  {:>w$}  {:>8} {:room$}",
            column.head,
            "up to",
            "",
            w = column.digits
        );
    }
    writeln!(page, "{FAINT}{}{FAINT:#}", head.trim_end())?;
    for i in first..=last {
        write!(page, "{}", length(i))?;
        let mut gap = 0;
        for column in &columns {
            let bar = bar(column.at(i), column.most, room);
            write!(
                page,
                "{:gap$}  {:>w$}  {:>8}",
                "",
                count(column.at(i)),
                column.through(i),
                w = column.digits
            )?;
            gap = room - bar.len();
            match bar.is_empty() {
                true => gap += 1,
                false => write!(page, " {}", in_style(column.style, &bar))?,
            }
        }
        writeln!(page)?;
    }
    Ok(())
}
