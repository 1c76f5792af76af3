//! Words are named as locks are: by the variable, by the place that made the lock next to them, or by their mapping.

use crate::bench::Bench;

#[test]
fn words_in_memory_without_a_variable_are_named_as_locks_are() {
    let bench = Bench::new();
    let program = bench.built("spins_words.c", &["-O1"]);
    let file = bench.path("turns");
    let Some((_, profile)) = bench.profile(&program, &[file.to_str().unwrap()]) else {
        return;
    };
    let rows = profile["spinning"].as_array().unwrap();
    let words: Vec<(&str, Option<&str>)> = rows
        .iter()
        .map(|row| &row["word"])
        .filter_map(|word| Some((word["name"].as_str()?, word["id"].as_str())))
        .collect();
    let find = |wanted: &dyn Fn(&str) -> bool| {
        let found = words.iter().find(|word| wanted(word.0));
        found.unwrap_or_else(|| panic!("{words:?}")).1
    };
    // The id is the same in the next run, since it says which lock it is and not where it was.
    let next_to_a_lock = find(&|name| {
        name.starts_with("lock made in make_session (spins_words.c:") && name.ends_with("+0x28")
    });
    assert!(next_to_a_lock.unwrap().starts_with("word:"), "{words:?}");
    find(&|name| name == "turns+0x40");
    assert_eq!(find(&|name| name.starts_with("heap memory at 0x")), None);
}
