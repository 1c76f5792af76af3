//! Programs that are not recorded: seen through the kernel with privileges, and not at all without.

use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use crate::bench::{Bench, LOCKTOLL};
use crate::metrics::Metrics;
use crate::program::Program;
use crate::running::Agent;

/// The user that has no privileges, and its group: `nobody`.
const NOBODY: u32 = 65534;

#[test]
fn waits_of_any_program_are_counted_through_the_kernel() {
    let bench = Bench::new();
    let mut program = Program::alone(&bench);
    let agent = Agent::start(&["--pid", &program.pid.to_string()]);
    let watched = r#"locktoll_agent_watched_processes{source="kernel"}"#;
    let is_watched = |it: &Metrics| it.of(watched) == Some(1.0);
    agent.until("watching or a refusal", |it| {
        is_watched(it) || agent.said().contains("only programs under")
    });
    if !is_watched(&agent.metrics()) {
        locktoll_needs::refused(&agent.said());
        return;
    }
    program.step("hold");
    agent.until("a waiting thread", |it| {
        it.of_lock("lock_waiting_threads", "held_lock") == Some(1.0)
    });
    agent.until("its holder", |it| {
        it.of_lock("lock_held_seconds", "held_lock") > Some(0.1)
    });
    program.step("release");
    let metrics = agent.until("a wait", |it| {
        it.of_lock("lock_contended_total", "held_lock") == Some(1.0)
    });
    assert_eq!(
        metrics.of_lock("lock_wait_seconds_count", "held_lock"),
        Some(1.0)
    );
    // Acquisitions and holds are not seen from there, which is not zero.
    assert_eq!(
        metrics.of_lock("lock_acquisitions_total", "held_lock"),
        None
    );
    assert_eq!(
        metrics.of_lock("lock_hold_seconds_count", "held_lock"),
        None
    );
    assert!(
        metrics
            .all("context_switches_total")
            .any(|(series, count)| series.contains(r#"cause="lock""#) && count > 0.0),
        "{}",
        metrics.text
    );
    program.end();
    let metrics = agent.until("nobody left", |it| it.of(watched) == Some(0.0));
    assert_eq!(
        metrics.of_lock("lock_contended_total", "held_lock"),
        Some(1.0)
    );
}

#[test]
fn busy_waiting_is_counted_where_it_is_seen() {
    let bench = Bench::new();
    let spins = bench.c("spins_on", &["-g"]);
    let mut child = Command::new(spins)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let agent = Agent::start(&["--pid", &child.id().to_string()]);
    let spun = r#"locktoll_spin_cpu_seconds_total{process="spins_on",container="",pod=""}"#;
    let readings = |it: &Metrics| it.of("locktoll_agent_readings_total").unwrap();
    let began = agent.until("readings", |it| readings(it) >= 3.0);
    if began.of(spun).is_none() {
        locktoll_needs::refused("the kernel does not permit perf events");
    } else {
        let metrics = agent.until("busy waiting", |it| it.of(spun) > Some(0.2));
        // Read later, so it is no less; a thread's account ends with the last whole tick of the scheduler.
        let cpu = cpu_seconds(child.id());
        assert!(
            metrics.of(spun) <= Some(cpu * 1.05 + 0.1),
            "{cpu} {}",
            metrics.text
        );
    }
    drop(child.stdin.take());
    let _ = child.kill();
    child.wait().unwrap();
}

#[test]
fn without_privileges_recorded_programs_are_seen_and_that_is_said_once() {
    // Where anybody may go, since the binary may be built where only its builder may.
    let folder = tempfile::Builder::new()
        .prefix("agent-")
        .tempdir_in("/tmp")
        .unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o777);
    std::fs::set_permissions(folder.path(), mode).unwrap();
    let binary = folder.path().join("locktoll");
    std::fs::copy(LOCKTOLL, &binary).unwrap();
    let mut command = Command::new(&binary);
    // SAFETY: geteuid(2) has no preconditions.
    if unsafe { libc::geteuid() } == 0 {
        command.uid(NOBODY).gid(NOBODY);
    }
    let agent = Agent::by(&mut command, &["--all"]);
    let readings = |it: &Metrics| it.of("locktoll_agent_readings_total");
    agent.until("readings", |it| readings(it) >= Some(30.0));
    let said = agent.said();
    assert_eq!(
        said.matches("only programs under `locktoll record` are watched")
            .count(),
        1,
        "{said}"
    );
    assert_eq!(agent.metrics().all("context_switches_total").count(), 0);
}

/// The CPU time of a process.
fn cpu_seconds(pid: u32) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let (_, fields) = stat.rsplit_once(") ").unwrap();
    let ticks = fields
        .split(' ')
        .skip(11)
        .take(2)
        .map(|it| it.parse::<f64>().unwrap());
    ticks.sum::<f64>() / rustix::param::clock_ticks_per_second() as f64
}
