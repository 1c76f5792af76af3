use super::*;
use proptest::prelude::*;

fn ledger(most: usize) -> Ledger {
    Ledger::new(NonZeroUsize::new(most).unwrap())
}

fn process(name: &str) -> Arc<ProcessLabels> {
    Arc::new(ProcessLabels {
        process: name.to_owned(),
        ..ProcessLabels::default()
    })
}

fn row(id: &str, acquisitions: u64) -> LockRow {
    LockRow {
        id: id.to_owned(),
        acquisitions: Some(acquisitions),
        contended: acquisitions / 2,
        waiting: 1,
        ..LockRow::default()
    }
}

fn acquisitions(ledger: &Ledger, lock: &str) -> Option<u64> {
    let mut found = ledger.series.iter().filter(|(key, _)| key.lock == lock);
    found.next().map(|(_, series)| series.counts.acquisitions)
}

fn sum(ledger: &Ledger) -> u64 {
    let (series, other) = ledger.all();
    let all = series.values().chain(other);
    all.map(|it| it.counts.acquisitions).sum()
}

#[test]
fn a_process_that_ends_keeps_its_counts_and_the_next_one_adds_to_them() {
    let (mut ledger, server) = (ledger(10), process("server"));
    ledger.begin_reading();
    ledger.take(1, &server, &[row("mutex:a", 100)]);
    ledger.take(2, &server, &[row("mutex:a", 10)]);
    ledger.end(1);
    ledger.begin_reading();
    ledger.take(2, &server, &[row("mutex:a", 15)]);
    ledger.take(3, &server, &[row("mutex:a", 1)]);
    assert_eq!(acquisitions(&ledger, "mutex:a"), Some(116));
    let (series, other) = ledger.all();
    assert_eq!((series.len(), other), (1, None));
    assert_eq!(series.values().next().unwrap().waiting, 2);
}

#[test]
fn beyond_the_bound_locks_are_folded_and_counted() {
    let (mut ledger, server) = (ledger(2), process("server"));
    let rows = ["a", "b", "c", "d"].map(|id| row(id, 10));
    for reading in 1..=3 {
        ledger.begin_reading();
        ledger.take(1, &server, &rows);
        assert_eq!(ledger.folded(), 2, "in reading {reading}");
    }
    let (series, other) = ledger.all();
    assert_eq!(series.len(), 2);
    let other = other.unwrap();
    assert_eq!((other.counts.acquisitions, other.waiting), (20, 2));
}

#[test]
fn a_lock_that_is_gone_makes_room_and_its_counts_stay_in_the_sum() {
    let (mut ledger, server) = (ledger(2), process("server"));
    ledger.begin_reading();
    ledger.take(1, &server, &[row("old", 100), row("older", 10)]);
    ledger.end(1);
    for _ in 0..3 {
        ledger.begin_reading();
        ledger.take(2, &server, &[row("old", 1)]);
    }
    ledger.take(3, &server, &[row("new", 5)]);
    assert_eq!(acquisitions(&ledger, "new"), Some(5));
    assert_eq!(acquisitions(&ledger, "old"), Some(101));
    assert_eq!(acquisitions(&ledger, "older"), None);
    assert_eq!((sum(&ledger), ledger.folded()), (116, 0));
}

#[test]
fn rows_that_are_put_together_are_not_counted_twice() {
    let (mut ledger, server) = (ledger(10), process("server"));
    ledger.begin_reading();
    ledger.take(
        1,
        &server,
        &[row("mutex:app:table", 5), row("mutex:app:table+0x28", 7)],
    );
    ledger.begin_reading();
    ledger.take(1, &server, &[row("mutex:app:table[]", 15)]);
    assert_eq!(sum(&ledger), 15);
    ledger.begin_reading();
    ledger.take(1, &server, &[row("futex:app:table[]", 16)]);
    assert_eq!(sum(&ledger), 16);
}

#[test]
fn what_is_not_seen_is_not_zero() {
    let (mut ledger, server) = (ledger(10), process("server"));
    ledger.begin_reading();
    let unseen = LockRow {
        acquisitions: None,
        ..row("a", 0)
    };
    ledger.take(1, &server, &[unseen]);
    let (series, _) = ledger.all();
    let series = series.values().next().unwrap();
    assert!(!series.sees_acquisitions && !series.sees_holds);
}

proptest! {
    /// Processes come and go with locks of any names; no sum and no series that stays ever falls, and nothing is lost.
    #[test]
    fn nothing_goes_backwards_and_the_bound_holds(
        most in 1_usize..6,
        steps in proptest::collection::vec((0_u64..4, proptest::collection::vec((0_usize..8, 0_u64..50), 0..6), any::<bool>()), 1..40),
    ) {
        let mut ledger = ledger(most);
        let server = process("server");
        let mut shown: HashMap<(u64, String), u64> = HashMap::new();
        let (mut life, mut expected, mut before) = ([0_u64; 4], 0, BTreeMap::new());
        for (source, rows, ends) in steps {
            let source_id = source * 1000 + life[source as usize];
            let mut rows: BTreeMap<String, u64> = rows.into_iter().map(|(id, n)| (format!("m:lock{id}"), n)).collect();
            // What a source has shown it keeps showing, since rows are only put together.
            for ((of, id), &count) in &shown {
                if *of == source_id {
                    let now = rows.entry(id.clone()).or_insert(0);
                    *now += count;
                }
            }
            let readings: Vec<LockRow> = rows.iter().map(|(id, &n)| row(id, n)).collect();
            for (id, &count) in &rows {
                let known = shown.entry((source_id, id.clone())).or_insert(0);
                expected += count - *known;
                *known = count;
            }
            ledger.begin_reading();
            ledger.take(source_id, &server, &readings);
            if ends {
                ledger.end(source_id);
                life[source as usize] += 1;
            }
            prop_assert_eq!(sum(&ledger), expected);
            let (series, _) = ledger.all();
            prop_assert!(series.len() <= most);
            let now: BTreeMap<Key, u64> = series.iter().map(|(key, it)| (key.clone(), it.counts.acquisitions)).collect();
            for (key, count) in &before {
                prop_assert!(now.get(key).is_none_or(|it| it >= count));
            }
            before = now;
        }
    }
}
