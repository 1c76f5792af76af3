//! The table: one row per process, or one row per thread of the watched process.

use locktoll_lab::watch::{Activity, Found, Subject};

use super::page::Block;
use super::words::{Line, name, per_second, share_of, wait};
use crate::table;
use locktoll_terminal::quantity::{counted, duration};

/// From these widths on there is room for the less useful columns.
const WIDE: usize = 90;
const VERY_WIDE: usize = 120;

/// One row before layout.
struct Row<'a> {
    id: u32,
    name: String,
    /// The number of threads of a process, or the state of a thread.
    third: String,
    /// The time that its rates refer to.
    window_ns: u64,
    activity: &'a Activity,
}

/// Returns a heading, at most `most` rows, and a line for the others.
pub fn lines(block: &Block, most: usize, width: usize) -> Vec<Line> {
    let (first, rows) = rows(block);
    let mut head = vec![first[0], first[1]];
    if width >= WIDE {
        head.push(first[2]);
    }
    head.extend(["voluntary/s", "involuntary/s", "CPU", "ready"]);
    if width >= VERY_WIDE {
        head.push("a stretch");
    }
    head.push("found waiting for");
    let cells = rows.iter().take(most).map(|row| cells(row, width));
    let mut table = table::lines(&head, &[1, head.len() - 1], cells).into_iter();
    let mut lines: Vec<Line> = table.next().into_iter().map(Line::strong).collect();
    lines.extend(table.map(Line::plain));
    lines.push(others(&rows, most, block));
    lines
}

fn rows<'a>(block: &Block<'a>) -> ([&'static str; 3], Vec<Row<'a>>) {
    match block.subject {
        Subject::Machine => {
            let rows = block.interval.processes.iter().map(|process| Row {
                id: process.pid,
                name: match process.kernel {
                    true => format!("[{}]", name(&process.name)),
                    false => name(&process.name),
                },
                third: process.threads.to_string(),
                window_ns: process.window_ns,
                activity: &process.activity,
            });
            (["PID", "process", "threads"], rows.collect())
        }
        Subject::Process(_) => {
            let rows = block.interval.threads.iter().map(|thread| Row {
                id: thread.tid,
                name: name(&thread.name),
                third: name(&thread.state.to_string()),
                window_ns: block.window_ns(),
                activity: &thread.activity,
            });
            (["TID", "thread", "state"], rows.collect())
        }
    }
}

fn cells(row: &Row, width: usize) -> Vec<String> {
    let (activity, ns) = (row.activity, row.window_ns);
    let mut cells = vec![row.id.to_string(), row.name.clone()];
    if width >= WIDE {
        cells.push(row.third.clone());
    }
    cells.extend([
        per_second(activity.voluntary, ns),
        per_second(activity.involuntary, ns),
        share_of(activity.run_ns, ns),
        share_of(activity.ready_ns, ns),
    ]);
    if width >= VERY_WIDE {
        cells.push(stretch(activity));
    }
    cells.push(found(&activity.found));
    cells
}

/// Formats how long it stayed on a CPU, on average.
fn stretch(activity: &Activity) -> String {
    match (activity.run_ns, activity.stretches) {
        (Some(ns), Some(stretches)) if stretches > 0 => duration(ns as f64 / stretches as f64),
        _ => "-".to_owned(),
    }
}

/// Formats what the samples found, each with its share of the waits found.
fn found(found: &Found) -> String {
    let waits = f64::from(found.waits());
    if waits == 0.0 {
        return match (found.running, found.unreadable) {
            (0, 0) => "-".to_owned(),
            (0, _) => "not readable".to_owned(),
            _ => "never: running".to_owned(),
        };
    }
    let shares = found.waiting.iter().take(3).map(|&(what, count)| {
        let percent = f64::from(count) / waits * 100.0;
        format!("{} {percent:.0} %", wait(what))
    });
    shares.collect::<Vec<_>>().join(", ")
}

/// Describes the rows that did not fit, or says that there was nothing.
fn others(rows: &[Row], most: usize, block: &Block) -> Line {
    let (one, many) = match block.subject {
        Subject::Machine => ("process", "processes"),
        Subject::Process(_) => ("thread", "threads"),
    };
    let left = rows.get(most..).unwrap_or_default();
    if rows.is_empty() {
        return Line::faint(format!("no {one} switched or ran"));
    }
    if left.is_empty() {
        return Line::plain(String::new());
    }
    let sum = |of: fn(&Activity) -> u64| left.iter().map(|row| of(row.activity)).sum();
    let rate = |of| per_second(sum(of), block.interval.interval_ns);
    Line::faint(format!(
        "{} more: {}/s voluntary, {}/s involuntary",
        counted(left.len() as u64, one, many),
        rate(|activity| activity.voluntary),
        rate(|activity| activity.involuntary)
    ))
}
