//! Known locks, known counts, known names.

use serde_json::json;

use crate::bench::{Bench, lock, sites, source, text};

#[test]
fn every_known_lock_has_its_exact_counts_and_places() {
    let bench = Bench::new();
    let program = bench.c("known_locks", &[]);
    let out = bench.record(&[&program]);
    assert_eq!(out.status.code(), Some(7), "{}", text(&out.stderr));
    let profile = bench.profile("out.locktoll");

    assert_eq!(profile["schema"], "locktoll.profile/1");
    assert_eq!(profile["command"], json!([program.to_str().unwrap()]));
    assert_eq!(profile["threads"], 7);
    assert_eq!(profile["processes"].as_array().unwrap().len(), 1);

    let hot = lock(&profile, "hot_lock");
    assert_eq!(hot["acquisitions"], 40_000);
    assert_eq!(hot["kind"], "mutex");
    assert_eq!(hot["id"], "mutex:known_locks:hot_lock");
    assert_eq!(sites(hot), [("hot_path".to_owned(), 40_000)]);
    let frame = &hot["sites"][0]["frames"][0];
    let place = source("known_locks.c");
    let place = place.canonicalize().unwrap();
    let file = std::path::Path::new(frame["file"].as_str().unwrap());
    assert_eq!(file.canonicalize().unwrap(), place);
    let line = frame["line"].as_u64().unwrap() as usize;
    let code = std::fs::read_to_string(&place).unwrap();
    let statement = code.lines().nth(line - 1).unwrap();
    assert!(
        statement.contains("pthread_mutex_lock(&hot_lock)"),
        "{statement}"
    );

    assert_eq!(
        sites(lock(&profile, "cold_lock")),
        [("cold_path".to_owned(), 7)]
    );

    let slow = lock(&profile, "slow_lock");
    assert_eq!(
        sites(slow),
        [
            ("hold_slowly".to_owned(), 1),
            ("wait_for_slow".to_owned(), 1)
        ]
    );
    assert_eq!(slow["contended"], 1);
    let wait_ns = slow["wait_ns"]["total"].as_u64().unwrap();
    assert!(wait_ns > 0 && slow["wait_ns"]["max"] == wait_ns);
    assert_eq!(
        slow["wait_ns"]["log2"].as_array().unwrap().len() as u32,
        wait_ns.ilog2() + 1
    );
    assert_eq!(slow["blame"][0]["waiter"][0]["function"], "wait_for_slow");
    assert_eq!(slow["blame"][0]["holder"][0]["function"], "hold_slowly");
    assert_eq!(slow["blame"][0]["wait_ns"], wait_ns);
    assert!(slow["hold_ns"]["sampled"].as_u64().unwrap() > 0);

    let busy = lock(&profile, "busy_lock");
    assert_eq!(busy["acquisitions"], 1);
    assert_eq!(busy["try_failed"], 5);
    assert_eq!(busy["contended"], 0);

    let locks = profile["locks"].as_array().unwrap();
    let heap: Vec<_> = locks
        .iter()
        .filter(|lock| lock["instances"] == 12)
        .collect();
    assert_eq!(heap.len(), 1);
    assert_eq!(heap[0]["acquisitions"], 36);
    assert!(
        heap[0]["name"]
            .as_str()
            .unwrap()
            .starts_with("lock made in main")
    );
    assert_eq!(heap[0]["id"], "mutex:known_locks:born:main");
    assert_eq!(sites(heap[0]), [("use_heap_lock".to_owned(), 36)]);
}

#[test]
fn inlined_rust_functions_are_named_from_the_inside_out() {
    let bench = Bench::new();
    let program = bench.rust("inlined");
    assert!(bench.record(&[&program]).status.success());
    let profile = bench.profile("out.locktoll");
    let lock = lock(&profile, "inlined::RUST_LOCK");
    assert_eq!(lock["acquisitions"], 20);
    assert_eq!(sites(lock), [("inlined::inlined_wrapper".to_owned(), 20)]);
    let frames = lock["sites"][0]["frames"].as_array().unwrap();
    assert_eq!(
        frames.last().unwrap()["function"],
        "inlined::outer_function"
    );
}

#[test]
fn stripped_programs_have_places_instead_of_names() {
    let bench = Bench::new();
    let program = bench.c("endings", &["-s"]);
    assert!(
        bench
            .record(&[program.to_str().unwrap(), "exit", "0"])
            .status
            .success()
    );
    let profile = bench.profile("out.locktoll");
    let lock = &profile["locks"][0];
    assert_eq!(lock["acquisitions"], 10);
    assert!(
        lock["name"].as_str().unwrap().starts_with("endings+0x"),
        "{lock:#}"
    );
    assert!(lock["sites"][0]["frames"][0]["function"].is_null());
    assert!(lock["sites"][0]["frames"][0]["offset"].as_u64().unwrap() > 0);
}

#[test]
fn names_are_those_of_the_program_that_was_recorded() {
    let bench = Bench::new();
    let program = bench.c("endings", &[]);
    assert!(
        bench
            .record(&[program.to_str().unwrap(), "exit", "0"])
            .status
            .success()
    );
    // Another program of that name, with everything elsewhere.
    bench.c("endings", &["-O2", "-DOTHER", "-fno-pie", "-no-pie", "-s"]);
    let profile = bench.profile("out.locktoll");
    let lock = lock(&profile, "ending_lock");
    assert_eq!(sites(lock), [("before_the_end".to_owned(), 10)]);
    assert_eq!(profile["warnings"], json!([]));
}

#[test]
fn children_are_merged_or_left_out() {
    let bench = Bench::new();
    let program = bench.c("family", &[]);
    assert!(bench.record(&[&program]).status.success());
    let profile = bench.profile("out.locktoll");
    assert_eq!(profile["processes"].as_array().unwrap().len(), 4);
    let family = lock(&profile, "family_lock");
    assert_eq!(family["acquisitions"], 350);
    assert_eq!(
        sites(family),
        [
            ("child_work".to_owned(), 300),
            ("parent_work".to_owned(), 50)
        ]
    );

    let out = bench
        .locktoll()
        .args([
            "record",
            "--quiet",
            "--no-children",
            "-o",
            "alone.locktoll",
            "--",
        ])
        .arg(&program)
        .output()
        .unwrap();
    assert!(out.status.success());
    let profile = bench.profile("alone.locktoll");
    assert_eq!(profile["processes"].as_array().unwrap().len(), 1);
    assert_eq!(lock(&profile, "family_lock")["acquisitions"], 50);
}

#[test]
fn what_a_shell_script_starts_is_recorded_too() {
    let bench = Bench::new();
    bench.c("family", &[]);
    bench.c("endings", &[]);
    let out = bench.record(&["sh", "-c", "./family && ./endings exit 0; ./endings exit 4"]);
    assert_eq!(out.status.code(), Some(4), "{}", text(&out.stderr));
    let profile = bench.profile("out.locktoll");
    assert_eq!(lock(&profile, "family_lock")["acquisitions"], 350);
    assert_eq!(lock(&profile, "ending_lock")["acquisitions"], 20);
}

#[test]
fn hostile_names_are_shown_and_not_obeyed() {
    let bench = Bench::new();
    let program = bench.c("hostile_names", &[]);
    let mut bytes = std::fs::read(&program).unwrap();
    let code = b"\x1b[31m";
    let places: Vec<usize> = (0..bytes.len() - 5)
        .filter(|&at| &bytes[at..at + 5] == b"XXXXX")
        .collect();
    assert!(places.len() >= 2);
    for at in places {
        bytes[at..at + 5].copy_from_slice(code);
    }
    std::fs::write(&program, bytes).unwrap();

    let command = format!("{}\x1b]0;title\x07", program.display());
    std::fs::rename(&program, &command).unwrap();
    let out = bench
        .locktoll()
        .args(["record", "-o", "out.locktoll", "--", &command])
        .output()
        .unwrap();
    assert!(out.status.success(), "{}", text(&out.stderr));
    let page = text(&out.stdout);
    assert!(page.contains(r"evil_\u{1b}[31m_lock"), "{page}");
    assert!(page.contains(r"evil_\u{1b}[31m_path"), "{page}");
    assert!(!page.contains('\x1b') && !page.contains('\x07'), "{page:?}");
}

#[test]
fn a_process_that_outlives_the_program_is_recorded_up_to_there_and_said_to_run() {
    let bench = Bench::new();
    bench.c("endings", &[]);
    // The shell ends as soon as the last child has said that it is ready.
    let script = "./endings wait > ready 2> /dev/null & pid=$!; until test -s ready; do sleep 0.01; done; \
                  echo $pid > pid";
    let out = bench.record(&["sh", "-c", script]);
    let said = text(&out.stderr);
    let pid = std::fs::read_to_string(bench.path("pid")).unwrap();
    let pid = rustix::process::Pid::from_raw(pid.trim().parse().unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    assert!(
        out.status.success() && said.contains("still running"),
        "{said}"
    );
    assert_eq!(
        lock(&bench.profile("out.locktoll"), "ending_lock")["acquisitions"],
        10
    );
}

#[test]
fn a_recording_that_may_not_grow_stops_and_says_so_and_the_program_goes_on() {
    let bench = Bench::new();
    bench.c("many_locks", &[]);
    // The limit is in blocks of 512 or 1024 bytes, as the shell has it: far below what is needed.
    let out = bench.record(&["sh", "-c", "ulimit -f 400; exec ./many_locks 100000"]);
    assert_eq!(text(&out.stdout), "took 100000 locks\n");
    assert!(out.status.success());
    let profile = bench.profile("out.locktoll");
    let warnings = profile["warnings"].to_string();
    assert!(
        warnings.contains("stopped") && warnings.contains("ulimit -f"),
        "{warnings}"
    );
    let counted = profile["locks"][0]["acquisitions"].as_u64().unwrap();
    let lost = profile["dropped"]["after_stop"].as_u64().unwrap();
    assert!(counted > 0 && lost > 0, "{counted} {lost}");
    assert_eq!(counted + lost, 100_000);
}
