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

#[test]
fn a_pair_that_shares_functions_leaves_the_others_to_each_other() {
    let a = [
        lock("mutex:p:lock", &[], &["read_log"]),
        lock("mutex:p:lock#2", &[], &["find"]),
    ];
    let b = [
        lock("mutex:p:lock", &[], &["scan"]),
        lock("mutex:p:lock#2", &[], &["read_log"]),
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
fn locks_are_alike_by_the_share_of_their_functions_and_not_by_the_number() {
    let a = [lock("mutex:p:lock", &[], &["f", "g"])];
    let b = [
        lock("mutex:p:lock", &[], &["f", "g", "h", "i", "j", "k"]),
        lock("mutex:p:lock#2", &[], &["f"]),
    ];
    assert_eq!(
        told(&a, &b),
        [" = mutex:p:lock", "mutex:p:lock = mutex:p:lock#2"]
    );
}

#[test]
fn a_likeness_that_two_locks_share_tells_neither() {
    let two = [
        lock("mutex:p:lock", &[], &["f"]),
        lock("mutex:p:lock#2", &[], &["f"]),
    ];
    let one = [lock("mutex:p:lock", &[], &["f"])];
    assert_eq!(told(&two, &one).len(), 3, "{:?}", told(&two, &one));
    assert_eq!(told(&one, &two).len(), 3, "{:?}", told(&one, &two));
}

#[test]
fn very_many_locks_of_one_id_are_not_told_apart_by_who_takes_them() {
    let numbered = |many: usize| -> Vec<Lock> {
        let one = |at| {
            lock(
                &format!("mutex:p:lock#{at}"),
                &[],
                &[&*format!("take_{at}")],
            )
        };
        (0..many).map(one).collect()
    };
    // Two of the sixty are known by their functions, and the others have no partner.
    assert_eq!(told(&numbered(60), &numbered(2)).len(), 60);
    assert_eq!(told(&numbered(61), &numbered(2)).len(), 63);
    assert_eq!(told(&numbered(2), &numbered(61)).len(), 63);
}

#[test]
fn only_a_number_after_the_sign_is_not_part_of_an_id() {
    let base = |id| base_id(&lock(id, &[], &[]));
    assert_eq!(base("mutex:p:x#2"), "mutex:p:x");
    for id in ["mutex:p:x#", "mutex:p:x#y", "mutex:p:x#2y", "mutex:p:x"] {
        assert_eq!(base(id), id);
    }
}

#[test]
fn an_id_has_a_file_a_variable_and_a_place_in_it() {
    for (id, expected) in [
        ("mutex:server:log", "mutex::log"),
        ("mutex:server:born:make", "mutex::born:make"),
        ("mutex:log", "mutex:log"),
        ("log", "log"),
    ] {
        assert_eq!(without_file(id), expected);
    }
    for (id, variable, place) in [
        ("mutex:p:slots", Some("mutex:p:slots"), 0),
        ("mutex:p:slots[]", Some("mutex:p:slots"), 0),
        ("mutex:p:slots+0x28", Some("mutex:p:slots"), 0x28),
        ("mutex:p:slots+0x", Some("mutex:p:slots+0x"), 0),
        ("mutex:p:slots+0xg", Some("mutex:p:slots+0xg"), 0),
        ("mutex:p:born:make[]", None, 0),
        ("mutex:p:first:take+0x8", None, 8),
        ("mutex:p:0x4010", None, 0),
        ("mutex:p", None, 0),
    ] {
        assert_eq!(variable_of(id).as_deref(), variable, "{id}");
        assert_eq!(place_of(id), place, "{id}");
    }
}

#[test]
fn wrappers_are_not_among_the_functions_that_made_a_lock() {
    let made = lock("mutex:p:born:make", &["make.cold", "b", "c", "d", "e"], &[]);
    assert_eq!(born_by(&made), ["make", "b", "c", "d"]);
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
