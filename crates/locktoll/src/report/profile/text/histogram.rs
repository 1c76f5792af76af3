//! Waits and holds by their length, as bars.

use std::fmt::{self, Write};

use super::glance::bar;
use super::styles::{FAINT, LOCKS, RUNNING, in_style};
use crate::report::quantity::{count, duration};

/// One histogram, or two side by side: entry `i` counts durations from 2^i up to 2^(i+1) ns. Without any hold timed
/// (`None`) there is no column for holds.
pub fn write(page: &mut String, waits: &[u64], holds: Option<&[u64]>, width: usize) -> fmt::Result {
    let columns: Vec<Column<'_>> = [
        Some(Column::new("waits", waits, LOCKS)),
        holds.map(|holds| Column::new("holds timed", holds, RUNNING)),
    ]
    .into_iter()
    .flatten()
    .collect();
    table(page, &columns, width)
}

/// One histogram of times of whatever it stands below.
pub fn times(page: &mut String, times: &[u64], width: usize) -> fmt::Result {
    table(page, &[Column::new("times", times, LOCKS)], width)
}

fn table(page: &mut String, columns: &[Column<'_>], width: usize) -> fmt::Result {
    let longest = columns.iter().map(|column| column.buckets.len()).max();
    let mut used = (0..longest.unwrap_or(0)).filter(|&i| columns.iter().any(|it| it.at(i) > 0));
    let Some(first) = used.next() else {
        return Ok(());
    };
    let last = used.next_back().unwrap_or(first);

    let taken: usize = columns.iter().map(|column| column.digits + 3).sum();
    let room = width.saturating_sub(LENGTH + taken) / columns.len();
    let room = room.clamp(6, 30);
    let mut heading = format!("{:>LENGTH$}", "length");
    for column in columns {
        let _ = write!(
            heading,
            "  {:>w$} {:room$}",
            column.head,
            "",
            w = column.digits
        );
    }
    writeln!(page, "{FAINT}{}{FAINT:#}", heading.trim_end())?;
    for i in first..=last {
        let bound = |power: usize| duration(2_f64.powi(power as i32));
        write!(page, "{:>9} .. {:>7}", bound(i), bound(i + 1))?;
        // The room of a bar is filled with spaces only where another column follows.
        let mut gap = 0;
        for column in columns {
            let bar = bar(column.at(i), column.most, room);
            write!(
                page,
                "{:gap$}  {:>w$}",
                "",
                count(column.at(i)),
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

/// Characters of `  1.02 us .. 2.05 us`.
const LENGTH: usize = 20;

struct Column<'a> {
    head: &'static str,
    buckets: &'a [u64],
    style: anstyle::Style,
    /// The widest figure.
    digits: usize,
    /// The largest.
    most: u64,
}

impl<'a> Column<'a> {
    fn new(head: &'static str, buckets: &'a [u64], style: anstyle::Style) -> Self {
        let most = buckets.iter().copied().max().unwrap_or(0);
        Self {
            head,
            buckets,
            style,
            digits: count(most).len().max(head.len()),
            most,
        }
    }

    fn at(&self, bucket: usize) -> u64 {
        self.buckets.get(bucket).copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_histograms_share_their_rows() {
        let mut page = String::new();
        let (mut waits, mut holds) = (vec![0; 13], vec![0; 12]);
        waits[10] = 1_500;
        waits[12] = 3_000;
        holds[9] = 40;
        holds[11] = 20;
        write(&mut page, &waits, Some(&holds), 80).unwrap();
        page.push('\n');
        write(&mut page, &waits, None, 80).unwrap();
        let page = anstream::adapter::strip_str(&page).to_string();
        assert!(page.lines().all(|line| line.len() <= 80));
        insta::assert_snapshot!(page);
    }

    #[test]
    fn nothing_timed_is_nothing_written() {
        let mut page = String::new();
        write(&mut page, &[], Some(&[0, 0]), 80).unwrap();
        assert_eq!(page, "");
    }
}
