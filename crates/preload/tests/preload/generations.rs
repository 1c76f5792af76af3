//! Locks that live at one address one after another are told apart, and one that stays is one.

use std::collections::BTreeMap;

use locktoll_recording::layout::{BirthBy, EntryPoint};

use crate::names::Names;
use crate::support::{compare, program};

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
