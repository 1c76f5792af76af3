//! A report is the same on a machine without the program.

use crate::bench::Bench;

#[test]
fn a_recording_reads_the_same_when_the_program_is_gone() {
    let bench = Bench::new();
    for program in [bench.c("known_locks", &[]), bench.rust("inlined")] {
        bench.record(&[program.to_str().unwrap()]);
        let with_program = bench.profile("out.locktoll");
        std::fs::remove_file(&program).unwrap();
        assert_eq!(bench.profile("out.locktoll"), with_program);
        // Another program by the same name is not mistaken for it.
        std::fs::copy("/bin/true", &program).unwrap();
        assert_eq!(bench.profile("out.locktoll"), with_program);
        let warnings = with_program["warnings"].as_array().unwrap();
        assert!(warnings.is_empty(), "{warnings:?}");
    }
}

#[test]
fn parts_of_a_run_that_was_cut_short_are_named_from_the_programs_files() {
    let bench = Bench::new();
    let program = bench.c("known_locks", &[]);
    bench.record(&[program.to_str().unwrap()]);
    let merged = std::fs::read(bench.path("out.locktoll")).unwrap();
    // The part as its process left it: without the segments that hold names.
    std::fs::write(bench.path("bare"), without_names(merged)).unwrap();
    let name = |profile: &serde_json::Value| {
        let locks = profile["locks"].as_array().unwrap();
        locks.iter().any(|lock| lock["name"] == "slow_lock")
    };
    // Looked up now, the names are those that were embedded.
    assert_eq!(bench.profile("bare"), bench.profile("out.locktoll"));
    assert!(name(&bench.profile("bare")));
    std::fs::remove_file(&program).unwrap();
    let profile = bench.profile("bare");
    assert!(!name(&profile));
    assert!(
        profile["warnings"]
            .to_string()
            .contains("is not here any more"),
        "{profile:#}"
    );
}

/// Makes every segment of symbols and names one of a kind that nobody knows.
fn without_names(mut bytes: Vec<u8>) -> Vec<u8> {
    const PAGE: usize = 4096;
    let mut at = PAGE;
    while at < bytes.len() {
        let field = |from: usize, length: usize| {
            let mut number = [0; 8];
            number[..length].copy_from_slice(&bytes[at + from..at + from + length]);
            u64::from_le_bytes(number) as usize
        };
        let (begins, kind, length) = (&bytes[at..at + 4] == b"LTSG", field(4, 2), field(24, 8));
        if matches!(kind, 10 | 11) {
            bytes[at + 4..at + 6].copy_from_slice(&999_u16.to_le_bytes());
        }
        at += if begins { length } else { PAGE };
    }
    bytes
}
