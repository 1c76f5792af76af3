//! Answers, and servers that give none.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};

use tokio::runtime::Builder;

use super::*;
use crate::agent::push::item::Head;

/// Sends a request to a server for each of these, which does this with the connection, and returns why they were not sent. The servers may
/// speak HTTP/2.
fn whys_not(kind: Kind, has_http2: bool, ends: &[fn(TcpStream)]) -> Vec<Reason> {
    let why_not = |end: &fn(TcpStream)| {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let place = listener.local_addr().unwrap();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                end(listener.accept().unwrap().0);
                let probe = listener.accept().unwrap().0;
                if has_http2 {
                    serve_http2(probe);
                }
            });
            let why = why_not_sent(kind, &format!("http://{place}"));
            // The server need not wait for a probe that does not come.
            let _ = TcpStream::connect(place);
            why
        })
    };
    ends.iter().map(why_not).collect()
}

fn why_not_sent(kind: Kind, address: &str) -> Reason {
    let item = Item {
        head: Head {
            path: "/a".to_owned(),
            media_type: "text/plain".to_owned(),
            encoding: None,
        },
        body: vec![7; 100],
    };
    let http = Http::new(Server::of(kind, address).unwrap(), Vec::new());
    match http.send(&format!("{address}/a"), &item, None) {
        Answer::NotNow(why, None) => why,
        other => panic!("{other:?}"),
    }
}

/// Serves a connection in HTTP/2 to its end.
fn serve_http2(stream: TcpStream) {
    stream.set_nonblocking(true).unwrap();
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let stream = tokio::net::TcpStream::from_std(stream).unwrap();
        let mut connection = h2::server::handshake(stream).await.unwrap();
        assert!(connection.accept().await.is_none_or(|it| it.is_err()));
    });
}

fn read(mut stream: &TcpStream) {
    let mut request = Vec::new();
    let mut piece = [0; 64];
    while let Ok(read @ 1..) = stream.read(&mut piece) {
        request.extend_from_slice(&piece[..read]);
        if request.ends_with(&[7; 100]) {
            return;
        }
    }
}

/// It sends its settings, as HTTP/2 begins.
fn says_settings(mut stream: TcpStream) {
    stream.write_all(b"\0\0\0\x04\0\0\0\0\0").unwrap();
    read(&stream);
}

fn closes(stream: TcpStream) {
    read(&stream);
}

/// What was not read makes it a reset.
fn resets(mut stream: TcpStream) {
    stream.read_exact(&mut [0]).unwrap();
}

fn says_other_things(mut stream: TcpStream) {
    stream.write_all(b"SSH-2.0-x\r\n").unwrap();
    read(&stream);
}

#[test]
fn a_server_of_grpc_is_named_in_the_same_words_whatever_it_does() {
    let reasons = whys_not(Kind::Otlp, true, &[says_settings, closes, resets]);
    assert_eq!(reasons[0].to_string(), only_http2(Kind::Otlp));
    assert!(reasons[0].what.contains("use --push-otlp-grpc"));
    assert!(reasons.iter().all(|it| *it == reasons[0]), "{reasons:?}");
    let pyroscope = whys_not(Kind::Pyroscope, true, &[closes]);
    assert!(!pyroscope[0].what.contains("otlp"), "{pyroscope:?}");
}

#[test]
fn a_server_of_something_else_is_one_kind_of_failure() {
    let reasons = whys_not(Kind::Otlp, false, &[says_other_things, closes, resets]);
    for reason in &reasons {
        assert_eq!(reason.what, "the server gave no answer in HTTP");
    }
    // What happened is in parentheses.
    assert!(reasons[0].to_string().contains("http parse fail"));
}

#[test]
fn only_refusals_that_are_about_the_request_are_for_good() {
    let answer_of = |status| answer_of(status, None, "");
    assert_eq!(answer_of(200), Answer::Taken(None));
    assert_eq!(answer_of(204), Answer::Taken(None));
    for status in [400, 413, 415, 422] {
        assert!(matches!(answer_of(status), Answer::Refused(_)), "{status}");
    }
    for status in [301, 401, 403, 404, 408, 429, 500, 502, 503] {
        assert!(matches!(answer_of(status), Answer::NotNow(..)), "{status}");
    }
}
