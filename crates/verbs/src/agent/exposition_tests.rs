use std::collections::BTreeMap;
use std::time::Duration;

use super::*;
use crate::agent::figures::Program;
use crate::agent::labels::label;
use crate::agent::ledger::{Counts, Key};
use crate::agent::long_waits::Deadlocks;
use proptest::prelude::*;

fn key(process: &str, lock: &str) -> Key {
    Key {
        process: Arc::new(ProcessLabels {
            process: label(process),
            ..ProcessLabels::default()
        }),
        lock: label(lock),
    }
}

fn series(acquisitions: u64) -> Series {
    let mut log2 = vec![0; 11];
    log2[10] = acquisitions;
    Series {
        counts: Counts {
            acquisitions,
            contended: 3,
            wait_ns: 4_500,
            waits: Buckets::of(&[0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 2]),
            hold_ns: 1_500 * acquisitions,
            holds: Buckets::of(&log2),
        },
        sees_acquisitions: true,
        sees_holds: true,
        waiting: 2,
        held_ns: Some(1_500_000_000),
        ..Series::default()
    }
}

fn figures(locks: Vec<(Key, Series)>) -> Arc<Figures> {
    let program = Program {
        recorded: 1,
        seen_in_kernel: 0,
        deadlocks: Deadlocks {
            found: 1,
            may_be_more: false,
        },
    };
    let programs = locks
        .iter()
        .map(|(key, _)| (Arc::clone(&key.process), program));
    let causes: BTreeMap<CauseKind, u64> = [(CauseKind::Lock, 7)].into();
    let switches = locks
        .iter()
        .map(|(key, _)| (Arc::clone(&key.process), causes.clone()));
    Arc::new(Figures {
        programs: programs.collect(),
        switches: Some(switches.collect()),
        locks,
        reading: Duration::from_millis(5),
        readings: 2,
        ..Figures::default()
    })
}

fn written(format: Format, figures: &Arc<Figures>) -> String {
    format.of_programs(figures).unwrap() + &format.of_agent(figures, 0.001).unwrap()
}

#[test]
fn each_metric_has_its_name_type_and_figures() {
    let text = written(
        Format::OpenMetrics,
        &figures(vec![(key("server", "mutex:a"), series(5))]),
    );
    let labels = r#"{process="server",container="",pod="",lock="mutex:a"}"#;
    for line in [
        "# TYPE locktoll_lock_acquisitions counter".to_owned(),
        format!("locktoll_lock_acquisitions_total{labels} 5"),
        format!("locktoll_lock_contended_total{labels} 3"),
        "# TYPE locktoll_lock_wait_seconds histogram".to_owned(),
        "# UNIT locktoll_lock_wait_seconds seconds".to_owned(),
        format!("locktoll_lock_wait_seconds_sum{labels} 0.0000045"),
        format!("locktoll_lock_wait_seconds_count{labels} 3"),
        r#"locktoll_lock_wait_seconds_bucket{le="0.000001024",process="server",container="",pod="",lock="mutex:a"} 1"#.to_owned(),
        r#"locktoll_lock_wait_seconds_bucket{le="+Inf",process="server",container="",pod="",lock="mutex:a"} 3"#.to_owned(),
        format!("locktoll_lock_hold_seconds_count{labels} 5"),
        format!("locktoll_lock_waiting_threads{labels} 2"),
        format!("locktoll_lock_held_seconds{labels} 1.5"),
        r#"locktoll_deadlocks{process="server",container="",pod=""} 1"#.to_owned(),
        r#"locktoll_context_switches_total{process="server",container="",pod="",cause="lock"} 7"#.to_owned(),
        r#"locktoll_agent_watched_processes{source="recorder"} 1"#.to_owned(),
        "locktoll_agent_lock_series 1".to_owned(),
        "locktoll_agent_folded_locks 0".to_owned(),
        "locktoll_agent_readings_total 2".to_owned(),
    ] {
        assert!(text.lines().any(|it| it == line), "{line}\nis not in\n{text}");
    }
    assert!(text.ends_with("\n# EOF\n") && text.matches("# EOF").count() == 1);
}

#[test]
fn what_is_not_seen_has_no_series() {
    let unseen = Series {
        sees_acquisitions: false,
        sees_holds: false,
        held_ns: None,
        ..series(0)
    };
    let mut figures = figures(vec![(key("go", "futex:a"), unseen)]);
    let in_place = Arc::make_mut(&mut figures);
    for program in in_place.programs.values_mut() {
        program.deadlocks = Deadlocks {
            found: 0,
            may_be_more: true,
        };
    }
    let text = written(Format::OpenMetrics, &figures);
    for absent in [
        "deadlocks{",
        "lock_acquisitions_total{",
        "lock_hold_seconds_",
        "lock_held_seconds{",
    ] {
        let found = text
            .lines()
            .find(|it| it.starts_with(&format!("locktoll_{absent}")));
        assert_eq!(found, None);
    }
    assert!(text.contains("locktoll_lock_contended_total{"));
}

#[test]
fn the_other_format_names_counters_as_node_exporter_reads_them() {
    let text = written(
        Format::Prometheus,
        &figures(vec![(key("server", "mutex:a"), series(5))]),
    );
    assert!(
        text.contains("# TYPE locktoll_lock_acquisitions_total counter\n"),
        "{text}"
    );
    assert!(!text.contains("# UNIT") && !text.contains("# EOF"));
}

/// Reads a line of the format back: its name, and its labels.
fn read_back(line: &str) -> Option<(String, Vec<(String, String)>)> {
    let (name, mut rest) = line.split_once('{')?;
    let mut labels = Vec::new();
    while !rest.starts_with('}') {
        let (key, value) = rest.strip_prefix(',').unwrap_or(rest).split_once("=\"")?;
        let mut read = String::new();
        let mut characters = value.char_indices();
        loop {
            match characters.next()? {
                (_, '\\') => read.push(match characters.next()?.1 {
                    'n' => '\n',
                    other => other,
                }),
                (end, '"') => {
                    rest = &value[end + 1..];
                    break;
                }
                (_, other) => read.push(other),
            }
        }
        labels.push((key.to_owned(), read));
    }
    rest[1..].strip_prefix(' ')?.parse::<f64>().ok()?;
    Some((name.to_owned(), labels))
}

proptest! {
    /// Names come from programs and files of anybody. None of them ends a label, begins a line or escapes from a terminal.
    #[test]
    fn hostile_names_read_back_as_one_label(process in ".*", lock in "[\\PC\\pC\"\\\\\n}{,=]*") {
        let safe = (label(&process), label(&lock));
        let figures = figures(vec![(key(&process, &lock), series(5))]);
        for format in [Format::OpenMetrics, Format::Prometheus] {
            let text = written(format, &figures);
            let obeyed = text.chars().any(|it| it.is_control() && it != '\n' || it == '\u{202e}');
            prop_assert!(!obeyed);
            for line in text.lines().filter(|it| !it.starts_with('#') && it.contains("locktoll_lock_")) {
                let (_, labels) = read_back(line).ok_or_else(|| TestCaseError::fail(line.to_owned()))?;
                let of = |key: &str| labels.iter().find(|(it, _)| it == key).map(|(_, value)| value.as_str());
                prop_assert_eq!(of("process"), Some(safe.0.as_str()));
                prop_assert_eq!(of("lock"), Some(safe.1.as_str()));
            }
        }
    }
}
