//! The processes whose waits are reported, their locks, and their sums.

use std::process::{Command, Stdio};

use super::program::{contention, document, kernel, kind, may_trace, number, text};

#[test]
fn the_lock_that_all_threads_want_comes_first_and_its_waits_fit_into_their_calls() {
    if !may_trace() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let program = contention(&folder, "kmap");
    let program = program.to_str().unwrap();
    let file = folder.path().join("kernel.json");
    let words = [
        "--only",
        "--by",
        "caller,lock,cpu",
        "-o",
        file.to_str().unwrap(),
    ];
    let output = kernel(&[&words[..], &["--", program, "map", "8", "10000"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    // With -o, standard output is the program's own.
    let said = text(&output.stdout);
    let in_calls_ns: u64 = said
        .lines()
        .find_map(|line| line.strip_prefix("in_calls_ns "))
        .unwrap()
        .parse()
        .unwrap();
    let document: serde_json::Value =
        serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    let first = &document["locks"][0];
    assert_eq!(first["name"], "mm->mmap_lock", "{document:#}");
    assert!(first["kind"].as_str().unwrap().starts_with("rwsem"));
    assert!(number(Some(first), "total_ns") <= in_calls_ns, "{first:#}");
    let kinds = number(kind(&document, "rwsem_write"), "total_ns")
        + number(kind(&document, "rwsem_read"), "total_ns");
    assert!(number(Some(first), "total_ns") <= kinds);

    // Every axis tells the same waits.
    let total = document["total"]["count"].as_u64().unwrap();
    for axis in ["kinds", "callers", "locks", "cpus"] {
        let rows = document[axis].as_array().unwrap();
        let sum: u64 = rows.iter().map(|row| number(Some(row), "count")).sum();
        assert_eq!(sum, total, "{axis}: {document:#}");
        for row in rows {
            let lengths = row["log2"].as_array().unwrap();
            let lengths: u64 = lengths.iter().map(|count| count.as_u64().unwrap()).sum();
            assert_eq!(lengths, number(Some(row), "count"), "{row:#}");
        }
    }
    let probe = &document["probe"];
    assert!(
        probe["begin_ns"].as_f64().is_some_and(|ns| ns > 0.0) || probe["why_not"].is_string(),
        "{probe}"
    );
}

#[test]
fn only_leaves_out_the_rest_of_the_machine() {
    if !may_trace() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let program = contention(&folder, "kother");
    let mut other = Command::new(program)
        .args(["rename", "4", "0"])
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let waits = |words: &[&str]| {
        let document = document(&[words, &["--", "sleep", "1"]].concat());
        number(kind(&document, "mutex"), "count")
    };
    let (machine, only) = (waits(&[]), waits(&["--only"]));
    other.kill().unwrap();
    other.wait().unwrap();
    assert!(machine > 100, "{machine}");
    assert!(only * 10 < machine, "{only} of {machine}");
}

#[test]
fn children_of_children_belong_to_the_command() {
    if !may_trace() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let program = contention(&folder, "kchild");
    let script = format!("sh -c '{} rename 4 5000; true'", program.display());
    let document = document(&["--only", "--", "sh", "-c", &script]);
    assert!(
        number(kind(&document, "mutex"), "count") > 1_000,
        "{document:#}"
    );
}
