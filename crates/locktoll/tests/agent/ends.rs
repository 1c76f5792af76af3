//! How it ends, and the file that it leaves.

use std::fs;

use crate::bench::Bench;
use crate::metrics::Metrics;
use crate::program::Program;
use crate::running::Agent;

#[test]
fn a_signal_ends_it_and_that_is_no_failure() {
    for signal in [libc::SIGTERM, libc::SIGINT] {
        let mut agent = Agent::start(&["--pid", &std::process::id().to_string()]);
        agent.metrics();
        assert_eq!(agent.end(signal), Some(0), "{}", agent.said());
    }
}

#[test]
fn the_file_has_the_same_figures_and_is_always_whole() {
    let bench = Bench::new();
    let mut program = Program::recorded(&bench, "out.locktoll");
    let file = bench.path("locktoll.prom");
    let mut agent = Agent::start(&[
        "--pid",
        &program.pid.to_string(),
        "--textfile",
        file.to_str().unwrap(),
    ]);
    program.step("300");
    let counted = |it: &Metrics| it.of_lock("lock_acquisitions_total", "counted_lock");
    agent.until("acquisitions", |it| counted(it) == Some(600.0));
    // The page is published before the file is written.
    let give_up = std::time::Instant::now() + std::time::Duration::from_secs(60);
    loop {
        let text = fs::read_to_string(&file).unwrap();
        assert!(
            text.ends_with('\n') && text.contains("locktoll_agent_resident_memory_bytes "),
            "{text}"
        );
        if counted(&Metrics::read(&text)) == Some(600.0) {
            break;
        }
        assert!(std::time::Instant::now() < give_up, "{text}");
    }
    assert_eq!(agent.end(libc::SIGTERM), Some(0));
    let left = fs::read_dir(bench.path("."))
        .unwrap()
        .map(|it| it.unwrap().file_name().into_string().unwrap());
    let unfinished: Vec<String> = left
        .filter(|it| it.starts_with(".locktoll-agent-"))
        .collect();
    assert!(unfinished.is_empty(), "{unfinished:?}");
}

#[test]
fn a_file_that_cannot_be_written_any_more_is_said_once_and_tried_again() {
    let bench = Bench::new();
    let folder = bench.path("collected");
    fs::create_dir(&folder).unwrap();
    let file = folder.join("locktoll.prom");
    let agent = Agent::start(&[
        "--pid",
        &std::process::id().to_string(),
        "--textfile",
        file.to_str().unwrap(),
    ]);
    assert!(file.exists());
    fs::remove_dir_all(&folder).unwrap();
    let readings = |it: &Metrics| it.of("locktoll_agent_readings_total").unwrap();
    let now = readings(&agent.metrics());
    agent.until("readings", |it| readings(it) >= now + 3.0);
    let said = agent.said();
    assert_eq!(said.matches("cannot write").count(), 1, "{said}");
    fs::create_dir(&folder).unwrap();
    agent.until("the file", |_| file.exists());
}
