//! Counts by powers of two, as bars.

use std::borrow::Cow;
use std::fmt::{self, Write};

use super::glance::bar;
use super::styles::{FAINT, LOCKS, RUNNING, in_style};
use locktoll_terminal::quantity::{count, duration, share};

/// The length of `  1.02 us .. 2.05 us`, in characters.
pub const LENGTH: usize = 20;

/// The greatest width of a bar.
const BAR: usize = 30;
/// With fewer characters than this, one histogram is drawn below the other.
const BESIDE: usize = 60;

/// Draws a histogram of waits, and one of holds next to it unless `holds` is `None`, which means that no hold was timed. Entry `i` counts
/// durations from 2^i up to 2^(i+1) ns.
pub fn write(page: &mut String, waits: &[u64], holds: Option<&[u64]>, width: usize) -> fmt::Result {
    let holds = holds.map(|holds| Column::new("holds timed", holds, RUNNING));
    let columns: Vec<Column<'_>> = [Column::new("waits", waits, LOCKS)]
        .into_iter()
        .chain(holds)
        .collect();
    if width < BESIDE {
        return columns
            .chunks(1)
            .try_for_each(|column| rows(page, column, width, "length", nanoseconds));
    }
    rows(page, &columns, width, "length", nanoseconds)
}

/// Draws one histogram of times, with the heading above it.
pub fn times(page: &mut String, times: &[u64], width: usize) -> fmt::Result {
    let columns = [Column::new("times", times, LOCKS)];
    rows(page, &columns, width, "length", nanoseconds)
}

/// Describes entry `power` of a histogram of durations.
pub fn nanoseconds(power: usize) -> String {
    let bound = |power: usize| duration(2_f64.powi(power as i32));
    format!("{:>9} .. {:>7}", bound(power), bound(power + 1))
}

/// One histogram.
pub struct Column<'a> {
    head: &'a str,
    buckets: Cow<'a, [u64]>,
    style: anstyle::Style,
    /// The width of the widest figure.
    digits: usize,
    /// The largest count.
    most: u64,
    /// The width of the widest bar.
    bar: usize,
    /// The sum, if the cumulative part up to each row's end is also shown.
    all: Option<u64>,
}

impl<'a> Column<'a> {
    /// Makes a column with the counts below `head`, and bars in a style.
    pub fn new(head: &'a str, buckets: impl Into<Cow<'a, [u64]>>, style: anstyle::Style) -> Self {
        let buckets = buckets.into();
        let most = buckets.iter().copied().max().unwrap_or(0);
        Self {
            head,
            digits: count(most).len().max(head.len()),
            buckets,
            style,
            most,
            bar: BAR,
            all: None,
        }
    }

    /// Adds the cumulative part up to each row's end, and makes the bars narrower.
    pub fn cumulative(self) -> Self {
        Self {
            bar: 24,
            all: Some(self.buckets.iter().sum()),
            ..self
        }
    }

    /// Whether it has no counts.
    pub fn is_empty(&self) -> bool {
        self.most == 0
    }

    fn at(&self, bucket: usize) -> u64 {
        self.buckets.get(bucket).copied().unwrap_or(0)
    }

    /// Returns the part that was not longer than this bucket's end.
    fn through(&self, bucket: usize) -> Option<String> {
        let until = || self.buckets.iter().take(bucket + 1).sum();
        self.all.map(|all| share(until(), all))
    }

    /// Lays out a figure below the heading, and the cumulative part.
    fn cells(&self, figure: &str, part: Option<&str>) -> String {
        let part = part.map_or_else(String::new, |part| format!("  {part:>8}"));
        format!("  {figure:>w$}{part}", w = self.digits)
    }
}

/// Writes histograms next to each other, one row per power of two, each row beginning with its `length`.
pub fn rows(
    page: &mut String,
    columns: &[Column<'_>],
    width: usize,
    unit: &str,
    length: impl Fn(usize) -> String,
) -> fmt::Result {
    let longest = columns.iter().map(|column| column.buckets.len()).max();
    let mut used = (0..longest.unwrap_or(0)).filter(|&i| columns.iter().any(|it| it.at(i) > 0));
    let Some(first) = used.next() else {
        return Ok(());
    };
    let last = used.next_back().unwrap_or(first);
    let heads: Vec<String> = columns
        .iter()
        .map(|it| it.cells(it.head, it.all.map(|_| "up to")))
        .collect();
    let taken: usize = heads.iter().map(|head| head.len() + 1).sum();
    let widest = columns.iter().map(|it| it.bar).min().unwrap_or(BAR);
    let room = (width.saturating_sub(LENGTH + taken) / columns.len()).min(widest);
    let mut heading = format!("{unit:>LENGTH$}");
    for head in &heads {
        let _ = write!(heading, "{head} {:room$}", "");
    }
    writeln!(page, "{FAINT}{}{FAINT:#}", heading.trim_end())?;
    for i in first..=last {
        write!(page, "{}", length(i))?;
        // A bar's width is filled with spaces only if another column follows.
        let mut gap = 0;
        for column in columns {
            let bar = bar(column.at(i), column.most, room);
            let cells = column.cells(&count(column.at(i)), column.through(i).as_deref());
            write!(page, "{:gap$}{cells}", "")?;
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
