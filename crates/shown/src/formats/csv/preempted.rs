//! Preempted holders: a row for the lock, then one for each place and each waiter.

use super::columns::{Column, file, function, known, line, module, offset};
use locktoll_results::profile::{Frame, HolderPreemption, OffCpuTimes, PreemptionSource};

/// One row.
pub struct Row {
    source: &'static str,
    /// The subject of the row.
    of: &'static str,
    count: u64,
    total_ns: u64,
    max_ns: Option<u64>,
    waited_meanwhile_ns: Option<u64>,
    share_of_wait: Option<f64>,
    thread: Option<(u32, u32)>,
    frames: Vec<Frame>,
}

/// The columns after the lock's columns.
pub const COLUMNS: &[Column<Row>] = &[
    ("source", |row| row.source.to_owned()),
    ("of", |row| row.of.to_owned()),
    ("count", |row| row.count.to_string()),
    ("total_ns", |row| row.total_ns.to_string()),
    ("max_ns", |row| known(row.max_ns)),
    ("waited_meanwhile_ns", |row| known(row.waited_meanwhile_ns)),
    ("share_of_wait", |row| {
        row.share_of_wait
            .map_or_else(String::new, |share| format!("{share:.4}"))
    }),
    ("pid", |row| known(row.thread.map(|(pid, _)| pid.into()))),
    ("tid", |row| known(row.thread.map(|(_, tid)| tid.into()))),
    ("site", |row| function(&row.frames)),
    ("site_file", |row| file(&row.frames)),
    ("site_line", |row| line(&row.frames)),
    ("site_module", |row| module(&row.frames)),
    ("site_offset", |row| offset(&row.frames)),
];

/// Returns the rows of one lock: `preempted`, what else kept its holders from running, then each `holder` site and each
/// `waiter`.
pub fn rows(preemption: &HolderPreemption) -> Vec<Row> {
    let row = |of| Row {
        source: match preemption.source {
            PreemptionSource::SchedSwitch => "sched_switch",
            PreemptionSource::Estimate => "estimate",
        },
        of,
        count: preemption.count,
        total_ns: preemption.total_ns,
        max_ns: preemption.max_ns,
        waited_meanwhile_ns: None,
        share_of_wait: None,
        thread: None,
        frames: Vec::new(),
    };
    let mut rows = vec![Row {
        waited_meanwhile_ns: preemption.waited_meanwhile_ns,
        share_of_wait: preemption.share_of_wait,
        ..row("preempted")
    }];
    let others = [
        ("yielded", preemption.yielded),
        ("blocked", preemption.blocked),
        ("stolen", preemption.stolen),
    ];
    rows.extend(others.into_iter().filter_map(|(of, times)| {
        let OffCpuTimes {
            count,
            total_ns,
            max_ns,
        } = times?;
        Some(Row {
            count,
            total_ns,
            max_ns: Some(max_ns),
            ..row(of)
        })
    }));
    rows.extend(preemption.sites.iter().map(|site| Row {
        count: site.count,
        total_ns: site.total_ns,
        max_ns: Some(site.max_ns),
        frames: site.frames.clone(),
        ..row("holder")
    }));
    rows.extend(preemption.waiters.iter().map(|waiter| Row {
        count: waiter.count,
        total_ns: waiter.wait_ns,
        max_ns: Some(waiter.max_ns),
        thread: Some((waiter.pid, waiter.tid)),
        frames: waiter.frames.clone(),
        ..row("waiter")
    }));
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use locktoll_made_up::sample;

    #[test]
    fn a_lock_has_a_row_for_each_place_and_each_waiter() {
        let rows = rows(&sample::preemption());
        let of: Vec<&str> = rows.iter().map(|row| row.of).collect();
        assert_eq!(
            of,
            [
                "preempted",
                "yielded",
                "blocked",
                "stolen",
                "holder",
                "waiter"
            ]
        );
        let cell = |row: &Row, head| {
            let column = COLUMNS.iter().find(|(name, _)| *name == head).unwrap();
            column.1(row)
        };
        assert_eq!(cell(&rows[0], "share_of_wait"), "0.3800");
        assert_eq!(
            (cell(&rows[0], "tid"), cell(&rows[5], "tid")),
            (String::new(), "103".to_owned())
        );
        assert_eq!(cell(&rows[4], "site"), "log_message");
        assert_eq!(cell(&rows[1], "waited_meanwhile_ns"), "");
    }
}
