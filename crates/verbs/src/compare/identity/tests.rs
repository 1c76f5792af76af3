use super::*;
use locktoll_made_up::sample;
use locktoll_results::profile::Site;

fn lock(id: &str, born_by: &[&str], taken_in: &[&str]) -> Lock {
    let mut lock = sample::job_server().locks.remove(0);
    let frame = |function: &&str| Frame {
        function: Some((*function).to_owned()),
        ..Frame::default()
    };
    lock.id = id.to_owned();
    lock.birth = born_by.iter().map(frame).collect();
    lock.sites = taken_in
        .iter()
        .map(|function| Site {
            frames: vec![frame(function)],
            acquisitions: Some(1),
            contended: 0,
            try_failed: Some(0),
            wait_ns: 0,
            wait_max_ns: None,
            hold_ns: None,
        })
        .collect();
    lock
}

/// Returns which ids match, as `A = B`, with several ids joined by `+`.
fn told(a: &[Lock], b: &[Lock]) -> Vec<String> {
    let (a, b): (Vec<&Lock>, Vec<&Lock>) = (a.iter().collect(), b.iter().collect());
    let names = |locks: &[&Lock], at: &[usize]| {
        let ids: Vec<&str> = at.iter().map(|&at| locks[at].id.as_str()).collect();
        ids.join("+")
    };
    let mut told: Vec<String> = matches(&a, &b)
        .iter()
        .map(|it| format!("{} = {}", names(&a, &it.a), names(&b, &it.b)))
        .collect();
    told.sort();
    told
}

fn ids(ids: &[&str]) -> Vec<Lock> {
    ids.iter().map(|id| lock(id, &[], &[])).collect()
}

#[test]
fn the_same_id_is_the_same_lock() {
    assert_eq!(
        told(
            &ids(&["mutex:p:x", "mutex:p:y"]),
            &ids(&["mutex:p:y", "mutex:p:z", "mutex:p:x"])
        ),
        [
            " = mutex:p:z",
            "mutex:p:x = mutex:p:x",
            "mutex:p:y = mutex:p:y"
        ]
    );
}

#[test]
fn rows_of_one_id_are_told_apart_by_who_made_them() {
    let a = [
        lock("mutex:p:born:make", &["make", "open_log"], &["take"]),
        lock("mutex:p:born:make#2", &["make", "open_pool"], &["take"]),
    ];
    // A new caller comes first in alphabetical order, so that the numbers shift.
    let b = [
        lock("mutex:p:born:make", &["make", "accept"], &["take"]),
        lock("mutex:p:born:make#2", &["make", "open_log"], &["take"]),
        lock("mutex:p:born:make#3", &["make", "open_pool"], &["take"]),
    ];
    assert_eq!(
        told(&a, &b),
        [
            " = mutex:p:born:make",
            "mutex:p:born:make = mutex:p:born:make#2",
            "mutex:p:born:make#2 = mutex:p:born:make#3"
        ]
    );
}

#[test]
fn variables_of_one_name_are_told_apart_by_who_takes_them() {
    let a = [
        lock("mutex:p:lock", &[], &["read_log", "write_log"]),
        lock("mutex:p:lock#2", &[], &["find"]),
    ];
    let b = [
        lock("mutex:p:lock", &[], &["find", "insert"]),
        lock("mutex:p:lock#2", &[], &["write_log"]),
    ];
    assert_eq!(
        told(&a, &b),
        [
            "mutex:p:lock = mutex:p:lock#2",
            "mutex:p:lock#2 = mutex:p:lock"
        ]
    );
}

#[test]
fn what_nothing_tells_apart_stays_alone_unless_there_are_as_many() {
    let two = ids(&["mutex:p:lock", "mutex:p:lock#2"]);
    let three = ids(&["mutex:p:lock", "mutex:p:lock#2", "mutex:p:lock#3"]);
    assert_eq!(told(&two, &three).len(), 5, "{:?}", told(&two, &three));
    assert_eq!(told(&three, &three).len(), 3);
}

#[test]
fn a_file_may_have_another_name() {
    assert_eq!(
        told(&ids(&["mutex:server:x"]), &ids(&["mutex:server.new:x"])),
        ["mutex:server:x = mutex:server.new:x"]
    );
    // If only the file distinguishes two locks, the file decides.
    let two = ids(&["mutex:liba.so:x", "mutex:libb.so:x"]);
    assert_eq!(
        told(&two, &two),
        [
            "mutex:liba.so:x = mutex:liba.so:x",
            "mutex:libb.so:x = mutex:libb.so:x"
        ]
    );
    assert_eq!(
        told(&ids(&["mutex:server:x"]), &ids(&["rwlock:server:x"])).len(),
        2
    );
}

#[test]
fn fields_may_move_and_arrays_may_grow() {
    assert_eq!(
        told(
            &ids(&["mutex:p:state+0x28", "mutex:p:state+0x8"]),
            &ids(&["mutex:p:state+0x10", "mutex:p:state+0x30"])
        ),
        [
            "mutex:p:state+0x28 = mutex:p:state+0x30",
            "mutex:p:state+0x8 = mutex:p:state+0x10"
        ]
    );
    assert_eq!(
        told(
            &ids(&["mutex:p:slots", "mutex:p:slots+0x28"]),
            &ids(&["mutex:p:slots[]"])
        ),
        ["mutex:p:slots+mutex:p:slots+0x28 = mutex:p:slots[]"]
    );
}

#[test]
fn clones_of_a_function_are_that_function() {
    assert_eq!(
        told(
            &ids(&["mutex:p:born:make.constprop.0"]),
            &ids(&["mutex:p:born:make.isra.0.part.1"])
        ),
        ["mutex:p:born:make.constprop.0 = mutex:p:born:make.isra.0.part.1"]
    );
}

proptest::proptest! {
    #[test]
    fn every_lock_is_in_one_match(
        a in proptest::collection::vec("mutex:[pq]:[xy](\\+0x[18]|\\[\\]|#2)?", 0..8),
        b in proptest::collection::vec("mutex:[pq]:[xy](\\+0x[18]|\\[\\]|#2)?", 0..8),
    ) {
        let of = |words: &[String]| -> Vec<Lock> { words.iter().map(|id| lock(id, &[], &[])).collect() };
        let (a, b) = (of(&a), of(&b));
        let found = matches(&a.iter().collect::<Vec<_>>(), &b.iter().collect::<Vec<_>>());
        for (side, count) in [(0, a.len()), (1, b.len())] {
            let mut all: Vec<usize> = found
                .iter()
                .flat_map(|it| if side == 0 { &it.a } else { &it.b })
                .copied()
                .collect();
            all.sort_unstable();
            proptest::prop_assert_eq!(all, (0..count).collect::<Vec<_>>());
        }
    }
}
