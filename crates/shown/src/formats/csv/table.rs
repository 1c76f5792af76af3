//! A table of a profile.

use std::io::Write;
use std::iter;

use ::csv::Writer;
use anyhow::Context;

use super::columns::{BLAME, Column, FIGURES, IDENTITY, SITE, STACK, THREAD};
use super::preempted;
use crate::format::{Format, OfProfile, Place, Write as Writes};
use crate::profile::{Selection, View};
use crate::{Content, Document};
use locktoll_results::profile::Lock;

pub const FORMAT: Format = Format {
    name: "csv",
    summary: "A table for spreadsheets",
    endings: &[".csv"],
    profile: OfProfile::Tables,
    write: Writes::Profile(documents),
};

/// Writes one row per lock; or, in other tables, one row per lock and call site, with the lock's figures repeated, so that a
/// pivot table can group by anything; per lock, waiter and holder; per lock and stack; or per thread.
fn documents(selection: &Selection<'_>, _: Place<'_>) -> anyhow::Result<Vec<Document>> {
    let mut writer = Writer::from_writer(Vec::new());
    let whole: Vec<Column<Lock>> = [IDENTITY, FIGURES].concat();
    let locks = selection.shown().iter().copied();
    match selection.view {
        View::Locks => table::<_, ()>(&mut writer, &whole, &[], locks.map(|it| (it, &())))?,
        View::Sites => table(
            &mut writer,
            &whole,
            SITE,
            locks.flat_map(|lock| iter::repeat(lock).zip(&lock.sites)),
        )?,
        View::Blame => table(
            &mut writer,
            IDENTITY,
            BLAME,
            locks.flat_map(|lock| iter::repeat(lock).zip(&lock.blame)),
        )?,
        View::Stacks => table(
            &mut writer,
            IDENTITY,
            STACK,
            locks.flat_map(|lock| iter::repeat(lock).zip(&lock.stacks)),
        )?,
        View::Preemption => {
            let rows = locks.flat_map(|lock| {
                let rows = lock.preemption.iter().flat_map(preempted::rows);
                rows.map(move |row| (lock, row))
            });
            let rows: Vec<(&Lock, preempted::Row)> = rows.collect();
            let rows = rows.iter().map(|(lock, row)| (*lock, row));
            table(&mut writer, IDENTITY, preempted::COLUMNS, rows)?;
        }
        View::Alerts | View::Order => {
            anyhow::bail!(
                "csv has no table of the order of locks, and none of alerts; text and json have them"
            )
        }
        View::Threads => {
            let threads = &selection.profile.per_thread;
            let shown = threads.len().min(selection.top.unwrap_or(usize::MAX));
            let rows = threads[..shown].iter().map(|thread| (&(), thread));
            table::<(), _>(&mut writer, &[], THREAD, rows)?;
        }
    }
    let document = writer
        .into_inner()
        .context("the table could not be written")?;
    Ok(Document::only(Content::Plain(String::from_utf8(document)?)))
}

/// Writes a heading, then a row of two halves for each pair.
fn table<'a, A: 'a, B: 'a>(
    writer: &mut Writer<impl Write>,
    left: &[Column<A>],
    right: &[Column<B>],
    rows: impl Iterator<Item = (&'a A, &'a B)>,
) -> ::csv::Result<()> {
    let heads = left.iter().map(|(head, _)| head);
    writer.write_record(heads.chain(right.iter().map(|(head, _)| head)))?;
    for (a, b) in rows {
        let cells = left.iter().map(|(_, cell)| cell(a));
        writer.write_record(cells.chain(right.iter().map(|(_, cell)| cell(b))))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SortKey;
    use locktoll_made_up::sample;
    use locktoll_results::profile::Profile;

    fn written(profile: &Profile, view: View) -> String {
        let selection = Selection::new(profile, SortKey::Wait, None).with_view(view);
        Document::text_of(documents(&selection, Place::FILE).unwrap())
    }

    /// Returns the cells of a column.
    fn column(table: &str, head: &str) -> Vec<String> {
        let mut reader = ::csv::Reader::from_reader(table.as_bytes());
        let at = reader.headers().unwrap().iter().position(|it| it == head);
        let at = at.unwrap_or_else(|| panic!("no column {head}"));
        reader
            .records()
            .map(|row| row.unwrap()[at].to_owned())
            .collect()
    }

    const VIEWS: [View; 6] = [
        View::Locks,
        View::Sites,
        View::Blame,
        View::Stacks,
        View::Threads,
        View::Preemption,
    ];

    #[test]
    fn each_table_reads_back_with_the_figures_of_the_profile() {
        let profile = sample::job_server();
        let sum = |table: &str, head| -> u64 {
            let cells = column(table, head);
            cells
                .iter()
                .filter(|cell| !cell.is_empty())
                .map(|cell| cell.parse::<u64>().unwrap())
                .sum()
        };
        let locks = written(&profile, View::Locks);
        assert_eq!(column(&locks, "id").len(), profile.locks.len());
        assert_eq!(sum(&locks, "wait_total_ns"), profile.wait_ns);
        assert_eq!(sum(&locks, "signal_wait_ns"), profile.signal_wait_ns);
        let places: Vec<_> = profile.locks.iter().flat_map(|lock| &lock.sites).collect();
        let sites = written(&profile, View::Sites);
        assert_eq!(
            sum(&sites, "site_contended"),
            places.iter().map(|site| site.contended).sum::<u64>()
        );
        let pairs = profile.locks.iter().flat_map(|lock| &lock.blame);
        assert_eq!(
            sum(&written(&profile, View::Blame), "wait_ns"),
            pairs.map(|it| it.wait_ns).sum::<u64>()
        );
        let stacks = profile.locks.iter().flat_map(|lock| &lock.stacks);
        assert_eq!(
            sum(&written(&profile, View::Stacks), "waits"),
            stacks.map(|it| it.waits).sum::<u64>()
        );
        let threads = written(&profile, View::Threads);
        assert_eq!(column(&threads, "tid").len(), profile.per_thread.len());
    }

    #[test]
    fn what_was_not_measured_is_an_empty_cell() {
        let mut profile = sample::job_server();
        profile.locks[0].hold_ns = None;
        let table = written(&profile, View::Locks);
        assert_eq!(column(&table, "hold_total_ns")[0], "");
        assert_eq!(column(&table, "signal_wait_ns")[0], "");
    }

    #[test]
    fn names_break_no_row_and_are_no_formula() {
        let mut profile = sample::job_server();
        profile.locks.truncate(1);
        let evil = "=HYPERLINK(\"http://x\",\"a\"),\r\n\x1b[2J";
        profile.locks[0].name = evil.to_owned();
        profile.locks[0].sites[0].frames[0].function = Some(evil.to_owned());
        profile.per_thread[0].name = "@SUM(1)".to_owned();
        for view in VIEWS {
            let table = written(&profile, view);
            assert!(
                !table.contains('\x1b') && !table.contains('\r'),
                "{table:?}"
            );
        }
        let table = written(&profile, View::Sites);
        for head in ["lock", "site"] {
            let cells = column(&table, head);
            assert!(
                cells[0].starts_with("'=HYPERLINK(\"http://x\",\"a\"),"),
                "{cells:?}"
            );
        }
        assert_eq!(
            column(&written(&profile, View::Threads), "name")[0],
            "'@SUM(1)"
        );
    }

    #[test]
    fn a_table_without_rows_keeps_its_heading() {
        let mut profile = sample::job_server();
        profile.locks.clear();
        profile.per_thread.clear();
        for view in VIEWS {
            let table = written(&profile, view);
            assert_eq!(table.lines().count(), 1, "{table}");
        }
    }

    #[test]
    fn one_row_a_lock() {
        insta::assert_snapshot!(written(&sample::job_server(), View::Locks));
    }

    #[test]
    fn one_row_a_pair_of_waiter_and_holder() {
        insta::assert_snapshot!(written(&sample::job_server(), View::Blame));
    }
}
