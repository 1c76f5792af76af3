use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Instant;

use hyper::{Request, Response};

use super::super::answer::Whole;
use super::*;

/// Serves on a port of its own, with short limits, in as many threads as asked for.
fn served(threads: usize, limits: Limits) -> SocketAddr {
    let listener = Arc::new(TcpListener::bind("127.0.0.1:0").unwrap());
    let address = listener.local_addr().unwrap();
    let pages = Arc::new(Pages::default());
    for _ in 0..threads {
        let (listener, pages) = (Arc::clone(&listener), Arc::clone(&pages));
        thread::spawn(move || {
            for stream in listener.incoming() {
                let _ = serve(stream.unwrap(), &pages, limits, answer_or_panic);
            }
        });
    }
    address
}

fn answer_or_panic<B>(request: &Request<B>, pages: &Pages) -> Response<Whole> {
    assert_ne!(request.uri().path(), "/panic", "as the request says");
    answer(request, pages)
}

const SHORT: Limits = Limits {
    request: Duration::from_millis(300),
    answer: Duration::from_secs(20),
};

fn ask(address: SocketAddr, request: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    // A server that has had enough may close before everything is written.
    let _ = stream.write_all(request.as_bytes());
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

#[test]
fn a_request_is_answered_and_the_connection_closed() {
    let address = served(1, LIMITS);
    let answer = ask(address, "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n");
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
    assert!(answer.contains("application/openmetrics-text"), "{answer}");
    assert!(answer.ends_with("# EOF\n"), "{answer}");
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(
        head.contains(&format!("content-length: {}", body.len())),
        "{answer}"
    );
    let old = ask(address, "GET /metrics HTTP/1.0\r\n\r\n");
    assert!(old.starts_with("HTTP/1.0 200 OK\r\n"), "{old}");
    let head_only = ask(address, "HEAD /metrics HTTP/1.1\r\nHost: x\r\n\r\n");
    assert!(
        head_only.starts_with("HTTP/1.1 200 OK\r\n") && head_only.ends_with("\r\n\r\n"),
        "{head_only}"
    );
}

#[test]
fn requests_that_are_none_or_too_long_are_refused_and_others_still_answered() {
    let address = served(1, SHORT);
    for wrong in [
        "nonsense\r\n\r\n",
        "GET /metrics HTTP/9.9\r\n\r\n",
        "\u{0}\u{1}\u{2}\r\n\r\n",
    ] {
        let answer = ask(address, wrong);
        assert!(!answer.contains(" 200 "), "{answer}");
    }
    let long = format!(
        "GET /metrics HTTP/1.1\r\nx: {}\r\n\r\n",
        "y".repeat(1 << 20)
    );
    let answer = ask(address, &long);
    assert!(!answer.contains(" 200 "), "{answer}");
    let many = format!("GET /metrics HTTP/1.1\r\n{}\r\n", "x: y\r\n".repeat(1000));
    let answer = ask(address, &many);
    assert!(!answer.contains(" 200 "), "{answer}");
    assert!(ask(address, "GET / HTTP/1.1\r\nHost: x\r\n\r\n").contains(" 200 "));
}

#[test]
fn a_request_that_panics_gets_an_answer_and_the_thread_goes_on() {
    let address = served(1, LIMITS);
    for _ in 0..3 {
        let answer = ask(address, "GET /panic HTTP/1.1\r\nHost: x\r\n\r\n");
        assert!(
            answer.starts_with("HTTP/1.1 500 Internal Server Error\r\n")
                && answer.ends_with("the metrics cannot be written\n"),
            "{answer}"
        );
        let answer = ask(address, "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n");
        assert!(answer.contains(" 200 "), "{answer}");
    }
}

#[test]
fn clients_that_send_nothing_or_very_slowly_do_not_keep_a_thread() {
    let address = served(2, SHORT);
    let began = Instant::now();
    let silent: Vec<TcpStream> = (0..6)
        .map(|_| TcpStream::connect(address).unwrap())
        .collect();
    let slow = thread::spawn(move || {
        let mut stream = TcpStream::connect(address).unwrap();
        // The pauses are shorter than the limit; all of them together are much longer.
        for byte in "GET /metrics HTTP/1.1\r\nHost: x\r\n".repeat(100).bytes() {
            if stream.write_all(&[byte]).is_err() {
                return true;
            }
            thread::sleep(Duration::from_millis(10));
        }
        false
    });
    assert!(ask(address, "GET / HTTP/1.1\r\nHost: x\r\n\r\n").contains(" 200 "));
    // Two threads had six silent clients before this one.
    assert!(began.elapsed() >= SHORT.request * 2);
    assert!(slow.join().unwrap(), "it was let go on");
    drop(silent);
}

#[test]
fn a_client_that_does_not_read_is_given_up() {
    let limits = Limits {
        answer: Duration::from_millis(300),
        ..LIMITS
    };
    let address = served(1, limits);
    let mut client = TcpStream::connect(address).unwrap();
    // It asks, and leaves; and another one gets its turn.
    client
        .write_all(b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
        .unwrap();
    drop(client);
    assert!(ask(address, "GET / HTTP/1.1\r\nHost: x\r\n\r\n").contains(" 200 "));
}

#[test]
fn bytes_of_any_kind_neither_stop_it_nor_get_the_metrics_of_another_request() {
    use proptest::prelude::*;
    use proptest::test_runner::{Config, TestRunner};

    let address = served(4, SHORT);
    let parts = prop_oneof![
        Just(b"GET /metrics HTTP/1.1\r\n".to_vec()),
        Just(b"GET  HTTP/1.1\r\n".to_vec()),
        Just(b"Content-Length: 99999999999999999999\r\n".to_vec()),
        Just(b"Transfer-Encoding: chunked\r\n".to_vec()),
        Just(b"Expect: 100-continue\r\n".to_vec()),
        Just(b"\r\n".to_vec()),
        proptest::collection::vec(any::<u8>(), 0..40),
    ];
    let requests = proptest::collection::vec(parts, 0..8);
    let mut runner = TestRunner::new(Config::with_cases(64));
    let ran = runner.run(&requests, |parts| {
        let mut stream = TcpStream::connect(address).unwrap();
        let _ = stream.write_all(&parts.concat());
        // The end of the request: nothing more comes.
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        prop_assert!(
            answer.is_empty() || answer.starts_with(b"HTTP/1."),
            "{answer:?}"
        );
        let answers = answer.windows(9).filter(|it| it == b"HTTP/1.1 ").count();
        prop_assert!(answers <= 2, "{answer:?}");
        Ok(())
    });
    ran.unwrap();
    assert!(ask(address, "GET / HTTP/1.1\r\nHost: x\r\n\r\n").contains(" 200 "));
}
