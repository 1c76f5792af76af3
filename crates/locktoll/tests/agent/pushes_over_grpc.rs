//! Profiles pushed over gRPC, taken by the server that tonic makes of the published protocol, and compared with the recording.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use opentelemetry_proto::tonic::collector::profiles::v1development::ExportProfilesPartialSuccess;
use tonic::{Code, Status};

use crate::bench::Bench;
use crate::certificates::Certificates;
use crate::collector::Collector;
use crate::metrics::Metrics;
use crate::patience::until;
use crate::program::Program;
use crate::pushes::{agent_to, compare_otlp, wait_once};
use crate::receiver::Receiver;
use crate::running::Agent;

/// An agent that pushes over gRPC.
fn agent(bench: &Bench, name: &str, url: &str, more: &[&str]) -> Agent {
    agent_to(bench, name, &["--push-otlp-grpc", url], more)
}

/// What has become of the profiles: sent, dropped, bytes in the queue.
fn counts(metrics: &Metrics) -> [f64; 3] {
    ["sent_total", "dropped_total", "queued_bytes"].map(|name| {
        let series = format!(r#"locktoll_agent_push_{name}{{to="otlp-grpc"}}"#);
        metrics.of(&series).unwrap_or_default()
    })
}

/// Compares what the collector has with the recording.
fn compare(bench: &Bench, collector: &Collector, waits_of_lock: i64) {
    compare_otlp(bench, "out.locktoll", waits_of_lock, &|| collector.taken());
}

#[test]
fn the_waits_are_those_of_the_recording() {
    let bench = Bench::new();
    let collector = Collector::start();
    let agent = agent(&bench, "steps_grpc", &collector.url(), &[]);
    let mut program = Program::named(&bench, "steps_grpc", "out.locktoll");
    wait_once(&agent, &mut program);
    wait_once(&agent, &mut program);
    program.end();
    compare(&bench, &collector, 2);
    for export in collector.taken() {
        assert_eq!(export.resource("service.name"), Some("steps_grpc"));
    }
    for metadata in collector.metadata() {
        assert_eq!(metadata.get("content-type").unwrap(), "application/grpc");
        let sender = metadata.get("user-agent").unwrap().to_str().unwrap();
        assert!(sender.starts_with("locktoll/"), "{sender}");
    }
    let taken = collector.taken().len() as f64;
    agent.until("counts", |it| counts(it) == [taken, 0.0, 0.0]);
}

#[test]
fn nothing_is_lost_while_the_collector_is_not_ready_and_then_away() {
    let bench = Bench::new();
    let collector = Collector::start();
    let (url, address) = (collector.url(), collector.address.to_string());
    collector.answer(|| Err(Status::unavailable("it starts")));
    let agent = agent(&bench, "steps_away", &url, &[]);
    let mut program = Program::named(&bench, "steps_away", "out.locktoll");
    wait_once(&agent, &mut program);
    until("a refusal", || collector.refused() > 0);
    until("a word about it", || {
        agent
            .said()
            .contains("UNAVAILABLE (it starts); they are kept")
    });
    assert!(collector.taken().is_empty());
    drop(collector);
    wait_once(&agent, &mut program);
    until("a word about the connection", || {
        agent.said().contains("Connection refused")
    });
    program.end();
    let collector = Collector::at(&address);
    compare(&bench, &collector, 2);
    let taken = collector.taken().len() as f64;
    agent.until("an empty queue", |it| counts(it) == [taken, 0.0, 0.0]);
    until("a word about it", || {
        agent
            .said()
            .contains("profiles are sent to the collector (gRPC)")
    });
}

#[test]
fn a_collector_without_these_profiles_is_one_line_and_gets_them_later() {
    let bench = Bench::new();
    let collector = Collector::start();
    collector.answer(|| Err(Status::unimplemented("unknown service")));
    let agent = agent(&bench, "steps_version", &collector.url(), &[]);
    let mut program = Program::named(&bench, "steps_version", "out.locktoll");
    wait_once(&agent, &mut program);
    program.end();
    until("a second attempt", || collector.refused() >= 2);
    let said = agent.said();
    assert_eq!(said.matches("UNIMPLEMENTED").count(), 1, "{said}");
    assert!(said.contains("another version of OTLP"), "{said}");
    assert!(said.contains("(unknown service)"), "{said}");
    collector.answer(|| Ok(None));
    compare(&bench, &collector, 1);
    agent.until("counts", |it| counts(it) == [2.0, 0.0, 0.0]);
}

#[test]
fn what_the_collector_does_not_want_is_dropped_and_counted() {
    let bench = Bench::new();
    let collector = Collector::start();
    // google.rpc.Status with a RetryInfo of 1 ms.
    let details =
        b"\x1a\x32\n\x28type.googleapis.com/google.rpc.RetryInfo\x12\x06\n\x04\x10\xc0\x84\x3d";
    let asked = AtomicUsize::new(0);
    collector.answer(move || match asked.fetch_add(1, Ordering::SeqCst) {
        0 => Err(Status::invalid_argument("not\nthis")),
        1 => Err(Status::with_details(
            Code::ResourceExhausted,
            "busy",
            details.to_vec().into(),
        )),
        2 => Ok(None),
        3 => Err(Status::resource_exhausted("too large")),
        _ => Ok(Some(ExportProfilesPartialSuccess {
            rejected_profiles: 1,
            error_message: "too old".to_owned(),
        })),
    });
    let agent = agent(&bench, "steps_unwanted", &collector.url(), &[]);
    let mut program = Program::named(&bench, "steps_unwanted", "out.locktoll");
    wait_once(&agent, &mut program);
    // By waiter: dropped. By holder: later.
    agent.until("one taken", |it| counts(it) == [1.0, 1.0, 0.0]);
    wait_once(&agent, &mut program);
    program.end();
    agent.until("two more dropped", |it| counts(it) == [1.0, 3.0, 0.0]);
    let said = agent.said();
    for expected in [
        "is dropped: the server answered with gRPC status INVALID_ARGUMENT (not\\nthis)",
        "RESOURCE_EXHAUSTED (busy); they are kept",
        "is dropped: the server answered with gRPC status RESOURCE_EXHAUSTED (too large)",
        "is dropped: the server has rejected a part of it (too old)",
    ] {
        assert!(said.contains(expected), "{expected}: {said}");
    }
    assert_eq!((collector.refused(), collector.taken().len()), (3, 2));
}

#[test]
fn the_token_is_in_the_metadata_and_in_no_line() {
    let bench = Bench::new();
    let collector = Collector::start();
    collector.answer(|| Err(Status::unauthenticated("unknown: first-s3cret")));
    let token = bench.path("token");
    std::fs::write(&token, "first-s3cret\n").unwrap();
    std::fs::set_permissions(&token, Permissions::from_mode(0o600)).unwrap();
    let flags = ["--push-token-file", token.to_str().unwrap()];
    let agent = agent(&bench, "steps_token", &collector.url(), &flags);
    let mut program = Program::named(&bench, "steps_token", "out.locktoll");
    wait_once(&agent, &mut program);
    program.end();
    until("a word about it", || {
        agent.said().contains("UNAUTHENTICATED")
    });
    std::fs::write(&token, "second-s3cret\n").unwrap();
    collector.answer(|| Ok(None));
    compare(&bench, &collector, 1);
    for metadata in collector.metadata() {
        assert_eq!(
            metadata.get("authorization").unwrap(),
            "Bearer second-s3cret"
        );
    }
    assert!(!agent.said().contains("s3cret"), "{}", agent.said());
}

#[test]
fn a_certificate_that_does_not_match_is_one_line_and_one_that_does_is_accepted() {
    if !locktoll_needs::programs(&["openssl"]) {
        return;
    }
    let bench = Bench::new();
    let made = Certificates::make(&bench);
    let collector = Collector::encrypted(&made.certificate, &made.key);
    let start = |ca: &Path| {
        let flags = ["--push-ca", ca.to_str().unwrap()];
        agent(&bench, "steps_grpc_tls", &collector.url(), &flags)
    };
    let mut wary = start(&made.other);
    let mut program = Program::named(&bench, "steps_grpc_tls", "out.locktoll");
    wait_once(&wary, &mut program);
    program.end();
    wary.until("a word", |_| {
        wary.said().contains("certificate is not accepted")
    });
    wary.until("a third attempt", |_| collector.connections() >= 3);
    assert!(collector.taken().is_empty());
    let said = wary.said();
    assert_eq!(said.matches("is not accepted").count(), 1, "{said}");
    assert_eq!(wary.end(libc::SIGTERM), Some(0));
    let _trusting = start(&made.own);
    compare(&bench, &collector, 1);
}

#[test]
fn a_server_that_does_not_speak_grpc_is_named() {
    let bench = Bench::new();
    let receiver = Receiver::start();
    let agent = agent(&bench, "steps_http", &receiver.url(), &[]);
    let mut program = Program::named(&bench, "steps_http", "out.locktoll");
    wait_once(&agent, &mut program);
    program.end();
    agent.until("a word", |_| agent.said().contains("cannot send profiles"));
    let said = agent.said();
    assert!(said.contains("does not speak gRPC"), "{said}");
    agent.until("a queue", |it| counts(it)[2] > 0.0);
}

#[test]
fn a_server_that_speaks_only_grpc_is_named_in_one_line() {
    let bench = Bench::new();
    let collector = Collector::start();
    let flags = ["--push-otlp", &collector.url()];
    let agent = agent_to(&bench, "steps_port", &flags, &[]);
    let mut program = Program::named(&bench, "steps_port", "out.locktoll");
    wait_once(&agent, &mut program);
    program.end();
    // Each attempt makes two connections: the second one finds out what the server speaks.
    agent.until("a third attempt", |_| collector.connections() >= 6);
    let said = agent.said();
    assert_eq!(said.matches("cannot send profiles").count(), 1, "{said}");
    assert!(said.contains("use --push-otlp-grpc"), "{said}");
    assert!(collector.taken().is_empty());
}
