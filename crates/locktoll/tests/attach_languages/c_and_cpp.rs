//! C and C++ by glibc's objects, with shared libraries and without.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::watched::{
    LOCKTOLL, Watched, built, folder, has_function, lock, source, text, waited_ns,
};

/// What this source cannot know is null, never zero.
fn is_unknown_where_it_is(lock: &Value) {
    for field in ["acquisitions", "try_failed", "hold_ns", "while_held"] {
        assert!(lock[field].is_null(), "{field}: {lock:#}");
    }
    assert!(lock["wait_split"]["spinning_ns"].is_null());
    for site in lock["sites"].as_array().unwrap() {
        assert!(site["acquisitions"].is_null() && site["hold_ns"].is_null());
    }
}

#[test]
fn cpp() {
    if !locktoll_needs::programs(&["c++"]) {
        return;
    }
    let folder = folder();
    let program = folder.path().join("attach_threads");
    let mut compiler = Command::new("c++");
    // A function that ends with a call of another is in no stack while that runs: here, callers stay.
    compiler.args(["-std=c++20", "-g", "-O2", "-fno-optimize-sibling-calls"]);
    compiler.arg("-pthread").arg(source("attach_threads.cpp"));
    if built(&compiler, &program).is_none() {
        return;
    }
    let watched = Watched::start(&mut Command::new(&program));
    let kept = folder.path().join("kept.json");
    let Some(profile) = watched.profile("1500ms", &["-o", kept.to_str().unwrap()]) else {
        return;
    };

    let journal = lock(&profile, "journal_mutex");
    assert_eq!(
        (&journal["kind"], &journal["used_as"]),
        (&"mutex".into(), &"lock".into())
    );
    assert_eq!(journal["instances"], 1);
    is_unknown_where_it_is(journal);
    assert!(
        has_function(journal, "sites", "frames", "Journal::append_entry"),
        "{journal:#}"
    );
    assert!(
        has_function(journal, "stacks", "frames", "start_thread")
            || has_function(journal, "stacks", "frames", "clone")
    );
    assert!(
        has_function(journal, "woken_by", "waker", "Journal::append_entry"),
        "{journal:#}"
    );
    // Holds are sleeps: while somebody waits there mostly is an owner.
    let threads = journal["blame"].as_array().unwrap();
    let of_threads = threads
        .iter()
        .filter(|it| it["holder_thread"]["tid"].is_u64());
    assert!(of_threads.clone().count() >= 2, "{journal:#}");
    assert!(threads.iter().all(|it| it["holder"].is_null()));
    let held_ns: u64 = of_threads.map(|it| it["wait_ns"].as_u64().unwrap()).sum();
    assert!(held_ns * 2 > waited_ns(journal), "{journal:#}");

    let index = lock(&profile, "index_mutex");
    assert_eq!(
        (&index["kind"], &index["used_as"]),
        (&"rwlock".into(), &"lock".into())
    );
    for function in ["look_up_index", "rebuild_index"] {
        assert!(
            has_function(index, "sites", "frames", function),
            "{function}: {index:#}"
        );
    }

    let news = lock(&profile, "news_came");
    assert_eq!(
        (&news["kind"], &news["used_as"]),
        (&"condvar".into(), &"signal".into())
    );
    // Waiting for a signal is no contention, whatever else is unknown.
    assert_eq!(
        (&news["contended"], &news["wait_ns"]["total"]),
        (&0.into(), &0.into())
    );
    assert!(waited_ns(news) > 0 && news["signal"]["relock_ns"].is_null());
    assert!(
        has_function(news, "sites", "frames", "await_news"),
        "{news:#}"
    );
    assert!(
        has_function(news, "woken_by", "waker", "publish_news"),
        "{news:#}"
    );

    every_form(&kept);
}

/// `locktoll report` takes the profile that was kept, in every form.
fn every_form(kept: &Path) {
    for (form, expected) in [
        ("text", "journal_mutex"),
        ("json", "\"source\": \"attach\""),
        ("html", "journal_mutex"),
        ("csv", "journal_mutex"),
        ("folded", "journal_mutex"),
        ("svg", "append_entry"),
    ] {
        let report = Command::new(LOCKTOLL)
            .args(["report", "--format", form])
            .arg(kept)
            .output()
            .unwrap();
        assert!(report.status.success(), "{form}: {}", text(&report.stderr));
        assert!(text(&report.stdout).contains(expected), "{form}");
    }
    let pprof = kept.with_file_name("kept.pb.gz");
    let mut report = Command::new(LOCKTOLL);
    let report = report
        .arg("report")
        .arg(kept)
        .arg("-o")
        .arg(&pprof)
        .output()
        .unwrap();
    assert!(report.status.success(), "{}", text(&report.stderr));
    assert!(std::fs::metadata(&pprof).unwrap().len() > 0);
    let mut opened = Command::new(LOCKTOLL);
    let opened = opened
        .arg("report")
        .arg(kept)
        .args(["--lock", "journal_mutex"])
        .output()
        .unwrap();
    let page = text(&opened.stdout);
    for expected in [
        "Who woke whom",
        "woken by",
        "spinning is not part of these",
        "waited for thread",
    ] {
        assert!(page.contains(expected), "{expected}: {page}");
    }
}

#[test]
fn without_shared_libraries() {
    let folder = folder();
    let program = folder.path().join("attach_static");
    let mut compiler = Command::new("cc");
    compiler.args(["-static", "-g", "-O2", "-pthread"]);
    compiler.arg(source("attach_static.c"));
    if built(&compiler, &program).is_none() {
        return;
    }
    let watched = Watched::start(&mut Command::new(&program));
    let Some(profile) = watched.profile("1500ms", &[]) else {
        return;
    };
    let counter = lock(&profile, "counter_lock");
    assert_eq!(
        (&counter["kind"], &counter["used_as"]),
        (&"mutex".into(), &"lock".into())
    );
    is_unknown_where_it_is(counter);
    assert!(
        has_function(counter, "sites", "frames", "update_counter"),
        "{counter:#}"
    );
}

#[test]
fn a_program_whose_file_was_removed_and_that_has_no_symbols() {
    let folder = folder();
    let program = folder.path().join("attach_static");
    let mut compiler = Command::new("cc");
    compiler.args(["-O2", "-s", "-pthread"]);
    compiler.arg(source("attach_static.c"));
    if built(&compiler, &program).is_none() {
        return;
    }
    let watched = Watched::start(&mut Command::new(&program));
    std::fs::remove_file(&program).unwrap();
    let Some(profile) = watched.profile("1500ms", &[]) else {
        return;
    };
    // By its file and address, since no symbol is left.
    let locks = profile["locks"].as_array().unwrap();
    let dearest = &locks[0];
    let name = dearest["name"].as_str().unwrap();
    assert!(name.starts_with("attach_static+0x"), "{dearest:#}");
    assert_eq!(dearest["kind"], "mutex");
    let place = &dearest["sites"][0]["frames"];
    let frames = place.as_array().unwrap();
    let own = frames.iter().find(|frame| frame["function"].is_null());
    let own = own.unwrap_or_else(|| panic!("{dearest:#}"));
    assert!(own["module"].as_str().unwrap().ends_with("attach_static") && own["offset"].is_u64());
}

#[test]
fn openmp() {
    if !locktoll_needs::programs(&["cc"]) {
        return;
    }
    let folder = folder();
    let program = folder.path().join("openmp");
    let mut compiler = Command::new("cc");
    compiler
        .args(["-g", "-O1", "-fopenmp"])
        .arg(source("openmp.c"));
    if built(&compiler, &program).is_none() {
        return;
    }
    // Without a time of spinning before each wait.
    let mut command = Command::new(&program);
    let watched = Watched::start(command.env("OMP_WAIT_POLICY", "passive"));
    let Some(profile) = watched.profile("1s", &[]) else {
        return;
    };
    let rows = profile["locks"].as_array().unwrap();
    let of = |used_as: &str| {
        rows.iter()
            .filter(|row| row["used_as"] == used_as)
            .collect::<Vec<_>>()
    };
    // The end of a region is a barrier, and what waits longest.
    let barriers = of("signal");
    assert!(
        barriers.iter().any(|row| row["kind"] == "barrier"),
        "{rows:#?}"
    );
    let waited: u64 = barriers.iter().map(|row| waited_ns(row)).sum();
    let locks = of("lock");
    assert_eq!(locks.len(), 1, "{locks:#?}");
    assert!(waited > waited_ns(locks[0]), "{rows:#?}");
    // The critical section is named by the program's function, not by the library's.
    assert!(
        locks[0]["sites"].as_array().unwrap().iter().all(|site| {
            let frames = site["frames"].as_array().unwrap();
            frames.last().unwrap()["function"]
                .as_str()
                .is_some_and(|name| name.starts_with("uneven_region"))
        }),
        "{:#}",
        locks[0]
    );
}
