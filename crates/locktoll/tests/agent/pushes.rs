//! Pushed profiles, received by a server and compared with the recording.

use std::os::unix::fs::PermissionsExt;

use crate::bench::Bench;
use crate::certificates::Certificates;
use crate::otlp::Export;
use crate::patience::until;
use crate::pprof::Ingest;
use crate::program::Program;
use crate::receiver::Receiver;
use crate::running::Agent;

const EVERY: [&str; 2] = ["--push-every", "200ms"];

/// An agent that pushes to Pyroscope.
fn agent(bench: &Bench, name: &str, url: &str, more: &[&str]) -> Agent {
    agent_to(bench, name, &["--push-pyroscope", url], more)
}

pub fn agent_to(bench: &Bench, name: &str, server: &[&str], more: &[&str]) -> Agent {
    let queue = bench.path("queue");
    let name = format!("^{name}$");
    let mut flags = vec!["--name", &name];
    flags.extend(server);
    flags.extend(["--push-queue", queue.to_str().unwrap()]);
    flags.extend(EVERY);
    flags.extend(more);
    Agent::start(&flags)
}

/// All waits of a kind that the server has, for a lock.
fn waits(receiver: &Receiver, kind: &str, lock: &str) -> (i64, i64) {
    let taken = receiver.taken();
    let ingests = taken.iter().map(Ingest::of).filter(|it| it.kind == kind);
    ingests.fold((0, 0), |sum, it| {
        let (waits, ns) = it.waits_for(lock);
        (sum.0 + waits, sum.1 + ns)
    })
}

/// The waits of a lock and their length in a recording.
pub fn recorded(bench: &Bench, recording: &str, lock: &str) -> (i64, i64) {
    let profile = bench.profile(recording);
    let mut locks = profile["locks"].as_array().unwrap().iter();
    let lock = locks.find(|it| it["name"] == lock).unwrap();
    let number = |it: &serde_json::Value| it.as_i64().unwrap();
    (
        number(&lock["contended"]),
        number(&lock["wait_ns"]["total"]),
    )
}

/// Waits until the server has as many waits as the program had, and compares them with the recording.
fn compare(bench: &Bench, receiver: &Receiver, recording: &str, waits_of_lock: i64) {
    for kind in ["block", "mutex"] {
        receiver.until(kind, |it| {
            (waits(it, kind, ":held_lock").0 >= waits_of_lock).then_some(())
        });
        let (count, ns) = waits(receiver, kind, ":held_lock");
        let (expected, expected_ns) = recorded(bench, recording, "held_lock");
        assert_eq!((count, expected), (waits_of_lock, waits_of_lock), "{kind}");
        // Each place is rounded down.
        assert!((ns - expected_ns).abs() <= 8, "{kind}: {ns}, {expected_ns}");
    }
}

/// The same of what an OTLP server has.
pub fn compare_otlp(
    bench: &Bench,
    recording: &str,
    waits_of_lock: i64,
    exports: &dyn Fn() -> Vec<Export>,
) {
    let (expected, expected_ns) = recorded(bench, recording, "held_lock");
    for by in ["waiter", "holder"] {
        let value = |kind: &str| -> i64 {
            let exports = exports();
            exports
                .iter()
                .map(|it| it.value(by, kind, ":held_lock"))
                .sum()
        };
        until(by, || value("contentions") >= waits_of_lock);
        let count = value("contentions");
        assert_eq!((count, expected), (waits_of_lock, waits_of_lock), "{by}");
        let ns = value("delay");
        assert!((ns - expected_ns).abs() <= 8, "{by}: {ns}, {expected_ns}");
    }
}

/// Has a thread wait for `held_lock`, and end its wait.
pub fn wait_once(agent: &Agent, program: &mut Program) {
    program.step("hold");
    agent.until("a waiting thread", |it| {
        it.of_lock("lock_waiting_threads", "held_lock") == Some(1.0)
    });
    program.step("release");
}

#[test]
fn every_wait_is_pushed_once_by_waiter_and_by_holder() {
    let bench = Bench::new();
    let receiver = Receiver::start();
    let agent = agent(&bench, "steps_pushed", &receiver.url(), &[]);
    let mut program = Program::named(&bench, "steps_pushed", "out.locktoll");
    for round in 1..=3 {
        wait_once(&agent, &mut program);
        receiver.until("a wait", |it| {
            (waits(it, "block", ":held_lock").0 == round).then_some(())
        });
    }
    // What happens in the last interval of a program.
    wait_once(&agent, &mut program);
    program.end();
    compare(&bench, &receiver, "out.locktoll", 4);
    let taken: Vec<Ingest> = receiver.taken().iter().map(Ingest::of).collect();
    for ingest in &taken {
        assert_eq!(ingest.query["name"], "steps_pushed{process=steps_pushed}");
        let time = |key: &str| ingest.query[key].parse::<i64>().unwrap();
        assert!(time("from") < time("until"), "{:?}", ingest.query);
        assert_eq!(ingest.profile.time_nanos / 1_000_000_000, time("from"));
        let expected = match &ingest.kind[..] {
            "block" => "wait_for_held",
            _ => "hold",
        };
        assert!(ingest.functions().contains(&expected), "{}", ingest.kind);
    }
    let sent = r#"locktoll_agent_push_sent_total{to="pyroscope"}"#;
    let queued = r#"locktoll_agent_push_queued_bytes{to="pyroscope"}"#;
    agent.until("counts", |it| {
        it.of(sent) == Some(receiver.taken().len() as f64) && it.of(queued) == Some(0.0)
    });
}

#[test]
fn nothing_is_lost_while_the_server_and_the_agent_start_again() {
    let bench = Bench::new();
    let receiver = Receiver::start();
    receiver.answer(503);
    let mut first = agent(&bench, "steps_kept", &receiver.url(), &[]);
    let mut program = Program::named(&bench, "steps_kept", "out.locktoll");
    wait_once(&first, &mut program);
    receiver.until("refusals", |it| (it.refused() > 0).then_some(()));
    wait_once(&first, &mut program);
    program.end();
    let queued = r#"locktoll_agent_push_queued_bytes{to="pyroscope"}"#;
    let watched = r#"locktoll_agent_watched_processes{source="recorder"}"#;
    first.until("the end of the program", |it| it.of(watched) == Some(0.0));
    first.until("a queue", |it| it.of(queued) > Some(0.0));
    assert!(first.said().contains("cannot send profiles"));
    assert_eq!(first.said().matches("cannot send profiles").count(), 1);
    assert_eq!(first.end(libc::SIGTERM), Some(0));
    assert!(receiver.taken().is_empty());
    receiver.answer(200);
    let second = agent(&bench, "steps_kept", &receiver.url(), &[]);
    compare(&bench, &receiver, "out.locktoll", 2);
    second.until("an empty queue", |it| it.of(queued) == Some(0.0));
}

#[test]
fn a_server_that_comes_later_gets_everything_and_the_token() {
    let bench = Bench::new();
    let address = {
        let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        free.local_addr().unwrap().to_string()
    };
    let token = bench.path("token");
    std::fs::write(&token, "first-s3cret\n").unwrap();
    std::fs::set_permissions(&token, std::fs::Permissions::from_mode(0o600)).unwrap();
    let flags = ["--push-token-file", token.to_str().unwrap()];
    let agent = agent(&bench, "steps_late", &format!("http://{address}"), &flags);
    let mut program = Program::named(&bench, "steps_late", "out.locktoll");
    wait_once(&agent, &mut program);
    agent.until("a refused connection", |_| {
        agent.said().contains("Connection refused")
    });
    program.end();
    std::fs::write(&token, "second-s3cret\n").unwrap();
    let receiver = Receiver::at(&address);
    compare(&bench, &receiver, "out.locktoll", 1);
    for received in receiver.taken() {
        assert_eq!(received.headers["authorization"], "Bearer second-s3cret");
    }
    assert!(!agent.said().contains("s3cret"), "{}", agent.said());
    agent.until("a word about it", |_| {
        agent.said().contains("profiles are sent to")
    });
}

#[test]
fn otlp_has_the_same_waits() {
    let bench = Bench::new();
    let receiver = Receiver::start();
    let agent = agent_to(&bench, "steps_otlp", &["--push-otlp", &receiver.url()], &[]);
    let mut program = Program::named(&bench, "steps_otlp", "out.locktoll");
    wait_once(&agent, &mut program);
    wait_once(&agent, &mut program);
    program.end();
    compare_otlp(&bench, "out.locktoll", 2, &|| {
        receiver.taken().iter().map(Export::of).collect()
    });
    for received in receiver.taken() {
        let export = Export::of(&received);
        assert_eq!(export.resource("service.name"), Some("steps_otlp"));
        assert_eq!(export.resource("process"), Some("steps_otlp"));
    }
}

#[test]
fn a_certificate_that_does_not_match_is_one_line_and_one_that_does_is_accepted() {
    if !locktoll_needs::programs(&["openssl"]) {
        return;
    }
    let bench = Bench::new();
    let made = Certificates::make(&bench);
    let receiver = Receiver::encrypted(&made.certificate, &made.key);
    let url = receiver.url();
    let mut wary = agent(
        &bench,
        "steps_tls",
        &url,
        &["--push-ca", made.other.to_str().unwrap()],
    );
    let mut program = Program::named(&bench, "steps_tls", "out.locktoll");
    wait_once(&wary, &mut program);
    program.end();
    receiver.until("a second attempt", |it| {
        (it.connections() >= 2).then_some(())
    });
    wary.until("a word", |_| {
        wary.said().contains("certificate is not accepted")
    });
    assert!(receiver.taken().is_empty());
    assert_eq!(
        wary.said().matches("is not accepted").count(),
        1,
        "{}",
        wary.said()
    );
    assert_eq!(wary.end(libc::SIGTERM), Some(0));
    let _trusting = agent(
        &bench,
        "steps_tls",
        &url,
        &["--push-ca", made.own.to_str().unwrap()],
    );
    compare(&bench, &receiver, "out.locktoll", 1);
}
