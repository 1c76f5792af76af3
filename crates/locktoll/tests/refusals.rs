//! The refusals of the program, in the words that a user reads: the most common mistakes.
#![cfg(target_os = "linux")]

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// What is typed, with words apart at spaces.
const REFUSED: [&str; 74] = [
    "banch",
    "record",
    "record -- ./missing",
    "record -- ./notes.txt",
    "record -- ./",
    "record --exat -- true",
    "record -x -- true",
    "record -o nowhere/x.locktoll -- true",
    "record --format csv -- true",
    "report",
    "report missing.locktoll",
    "report notes.txt",
    "report cut.json",
    "report foreign.json",
    "report newer.json",
    "report bench.json --format csv",
    "report bench.json --lock x",
    "report bench.json --sort waits",
    "report bench.json --top 0",
    "report bench.json -o bench.json",
    "report bench.json -o report.pdf",
    "attach",
    "attach server",
    "attach -1",
    "attach 1 --duration 0s",
    "attach 1 --duration 5",
    "attach 1 -o page.html",
    "try",
    "try --lock foo -- true",
    "try --lock ttas-bakcoff -- true",
    "try --lock futex3:x -- true",
    "try --rounds 0 -- true",
    "try --better higher -- true",
    "try --ready 6379 -- true",
    "try --metric [ -- true",
    "try --time-limit 5 -- true",
    "try -- ./missing",
    "whatif",
    "whatif --slow queue_lock=20 -- true",
    "whatif --rounds 0 -- true",
    "whatif -- ./missing",
    "advise",
    "advise missing.locktoll",
    "advise missing.locktoll --measure",
    "advise missing.locktoll -- true",
    "advise --threads-flag -t -- true",
    "advise -- ./missing",
    "bench --lock nosuch",
    "bench --lock parkinglot",
    "bench --workload nosuch",
    "bench --threads 0",
    "bench --threads 8..1",
    "bench --threads -3",
    "bench --hold 5",
    "bench --hold -5ms",
    "bench --duration 1parsec",
    "bench --quick --repeat 9",
    "bench --quick --rounds 1000",
    "--repeat 9 bench",
    "bench -o result.xml",
    "compare bench.json",
    "compare missing.json bench.json",
    "compare bench.json bench.json --fail-if nosuch",
    "compare bench.json bench.json --by nosuch",
    "kernel --only",
    "kernel --interval 1s",
    "top server",
    "top --json --count 0",
    "agent",
    "agent --name [",
    "agent --all --listen localhost",
    "reproduce Z9",
    "reproduce A9..A1",
    "doctor tuor",
];

fn locktoll(folder: &Path, words: &[&str]) -> std::process::Output {
    Command::new(env!("CARGO_BIN_EXE_locktoll"))
        .args(words)
        .current_dir(folder)
        .env_remove("COLUMNS")
        .output()
        .expect("the program was built")
}

#[test]
fn each_says_what_was_wrong_what_is_accepted_and_what_to_type() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("notes.txt", "buy milk\n");
    write("cut.json", "{\"schema\": \"locktoll.bench/1\",");
    write("foreign.json", "{\"a\": 1}");
    write("newer.json", "{\"schema\": \"locktoll.bench/2\"}");
    let bench = [
        "bench",
        "--lock",
        "std",
        "--threads",
        "1",
        "--duration",
        "1ms",
        "--repeat",
        "1",
        "-o",
        "bench.json",
    ];
    assert!(locktoll(folder.path(), &bench).status.success());
    let mut page = String::new();
    for line in REFUSED {
        let words: Vec<&str> = line.split(' ').collect();
        let output = locktoll(folder.path(), &words);
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.stdout.is_empty(), "{line}");
        assert_eq!(said.lines().count(), 1, "{line}: {said}");
        let code = output.status.code().unwrap();
        let unsupported = if code == 2 { "" } else { " (unsupported)" };
        assert!([2, 3].contains(&code), "{line}: {code}");
        let said = said.replace(&*folder.path().to_string_lossy(), "FOLDER");
        write!(page, "$ locktoll {line}{unsupported}\n{said}\n").unwrap();
    }
    insta::assert_snapshot!(page);
}
