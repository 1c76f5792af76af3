//! Requests of all kinds.

use std::net::TcpStream;

use crate::running::Agent;

fn agent() -> Agent {
    Agent::start(&["--pid", &std::process::id().to_string()])
}

#[test]
fn each_format_says_which_it_is() {
    let agent = agent();
    let open = agent.ask("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n");
    assert!(
        open.contains("application/openmetrics-text; version=1.0.0"),
        "{open}"
    );
    assert!(open.ends_with("# EOF\n"), "{open}");
    let text = agent.ask("GET /metrics HTTP/1.1\r\nHost: x\r\nAccept: text/plain\r\n\r\n");
    assert!(
        text.contains("text/plain; version=0.0.4") && !text.contains("# EOF"),
        "{text}"
    );
    assert!(
        agent
            .ask("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            .contains("/metrics")
    );
    let missing = agent.ask("GET /debug HTTP/1.1\r\nHost: x\r\n\r\n");
    assert!(missing.starts_with("HTTP/1.1 404 "), "{missing}");
    let post = agent.ask("POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello");
    assert!(post.starts_with("HTTP/1.1 405 "), "{post}");
}

#[test]
fn many_clients_and_clients_that_send_nothing_do_not_stop_it() {
    let agent = agent();
    let silent: Vec<TcpStream> = (0..40)
        .map(|_| TcpStream::connect(agent.address).unwrap())
        .collect();
    std::thread::scope(|scope| {
        let askers: Vec<_> = (0..40).map(|_| scope.spawn(|| agent.metrics())).collect();
        for asker in askers {
            let metrics = asker.join().unwrap();
            assert!(metrics.of("locktoll_agent_lock_series").is_some());
        }
    });
    drop(silent);
    let threads = std::fs::read_dir(format!("/proc/{}/task", agent.pid())).unwrap();
    let threads = threads.count();
    assert!(threads <= 40, "{threads} threads for 80 clients");
}

#[test]
fn a_request_that_never_ends_is_cut_off() {
    let agent = agent();
    for endless in [
        format!(
            "GET /metrics HTTP/1.1\r\nx: {}\r\n\r\n",
            "y".repeat(1 << 20)
        ),
        format!("GET /metrics HTTP/1.1\r\n{}\r\n", "x: y\r\n".repeat(10_000)),
        format!("GET /{} HTTP/1.1\r\nHost: x\r\n\r\n", "z".repeat(1 << 20)),
    ] {
        let answer = agent.ask(&endless);
        assert!(!answer.contains(" 200 "), "{answer}");
    }
    agent.metrics();
}
