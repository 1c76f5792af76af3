//! Locks that live at one address one after another are distinguished, and one that stays is one.

use std::collections::BTreeMap;

use locktoll_recording::layout::{BirthBy, EntryPoint};
use locktoll_recording::reader::Part;

use crate::names::Names;
use crate::support::{compare, program, run_recorded};

#[test]
fn a_lock_that_is_initialised_again_is_another_one() {
    let program = program("born_again.c");
    let recorded = compare(&program, &[]);
    let (names, part) = (Names::of(&program), recorded.only_part());
    let mut lives: BTreeMap<&str, BTreeMap<u32, u64>> = BTreeMap::new();
    for count in &part.counts {
        let Some(name) = names.symbol(part, count.lock_address) else {
            continue;
        };
        if count.entry != EntryPoint::Release {
            let of_lock = lives.entry(name).or_default();
            *of_lock.entry(count.generation).or_default() += count.acquisitions;
        }
        // By pthread_rwlock_init and the like, or by nothing that can be seen.
        let birth = count.birth.map(|birth| part.births[birth].by);
        let known = match name {
            "spinlock" | "lasting" => BirthBy::FirstUse,
            _ => BirthBy::Initialisation,
        };
        assert_eq!(birth, Some(Some(known)), "{name}");
    }
    let names: Vec<&str> = lives.keys().copied().collect();
    let expected = [
        "barrier",
        "c11",
        "lasting",
        "lasting_semaphore",
        "mutex",
        "rwlock",
        "semaphore",
        "spinlock",
    ];
    assert_eq!(names, expected);
    for (name, lives) in lives {
        let acquisitions: Vec<u64> = lives.into_values().collect();
        if name.starts_with("lasting") {
            assert_eq!(acquisitions, [15], "{name}");
        } else {
            assert_eq!(acquisitions, [3; 5], "{name}");
        }
    }
}

#[test]
fn locks_that_have_gone_make_room_for_those_that_come() {
    const ROUNDS: u64 = 200;
    const MUTEXES: u64 = 4096;
    let program = program("short_lived.c");
    let few = run_recorded(&program, &["20"]);
    let many = run_recorded(&program, &[&ROUNDS.to_string()]);
    // Nothing is lost, and only so many of the locks that came to one address are kept apart.
    let part = many.only_part();
    let counted = |part: &Part| {
        part.counts
            .iter()
            .map(|count| count.acquisitions)
            .sum::<u64>()
    };
    assert_eq!(counted(part), ROUNDS * MUTEXES * 2);
    assert_eq!(counted(few.only_part()), 20 * MUTEXES * 2);
    assert!(many.bytes <= 2 * few.bytes, "{} {}", many.bytes, few.bytes);
    let born: u64 = part.births.iter().map(|birth| birth.locks).sum();
    assert_eq!(born, ROUNDS * MUTEXES);
}
