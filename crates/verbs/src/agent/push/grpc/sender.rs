//! Sends requests, over a connection that is kept for a while.

use std::io;
use std::time::{Duration, Instant};

use h2::client::SendRequest;
use hyper::Request;
use hyper::body::Bytes;
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;
use ureq::tls::Certificate;

use super::call::{Reply, call, framed};
use super::connection::{Place, broken_words};
use super::status;
use crate::agent::push::answer::Answer;
use crate::agent::push::item::Item;
use crate::agent::push::limits::{LONGEST, USER_AGENT};
use crate::agent::push::server::Server;

/// How long a connection is kept without a request. Nothing looks after it meanwhile: a server may end it, or ask whether it still works.
const LONGEST_IDLE: Duration = Duration::from_secs(10);

/// Sends requests over gRPC.
pub struct Grpc {
    /// It runs in the thread that sends.
    runtime: Runtime,
    place: Place,
    open: Option<Open>,
}

/// A connection.
struct Open {
    sender: SendRequest<Bytes>,
    used: Instant,
}

impl Grpc {
    /// Prepares requests. `roots` are the certificates that the server is checked against, if the connection is encrypted.
    ///
    /// # Errors
    /// If the system gives no more files.
    pub fn new(server: &Server, roots: &[Certificate<'static>]) -> io::Result<Self> {
        Ok(Self {
            runtime: Builder::new_current_thread().enable_all().build()?,
            place: Place::of(server, roots)?,
            open: None,
        })
    }

    /// Sends a request.
    pub fn send(&mut self, address: &str, item: &Item, token: Option<&str>) -> Answer {
        let request = match request(address, item, token) {
            Ok(request) => request,
            Err(error) => return Answer::not_now(error.to_string()),
        };
        let message = framed(&item.body, item.head.encoding.is_some());
        let kept = self.open.take();
        let kept = kept.filter(|it| it.used.elapsed() < LONGEST_IDLE);
        let place = &self.place;
        let called = async {
            if let Some(open) = kept
                && let Ok(called) = attempt(open.sender, request.clone(), message.clone()).await
            {
                return Ok(called);
            }
            // A server may have ended the connection meanwhile.
            attempt(place.open().await?, request, message).await
        };
        // A timeout can only be made within the runtime.
        let called = self
            .runtime
            .block_on(async { timeout(LONGEST, called).await });
        match called {
            Ok(Ok((reply, sender))) => {
                let used = Instant::now();
                self.open = Some(Open { sender, used });
                status::answer_of(&reply)
            }
            Ok(Err(why)) => Answer::not_now(why),
            Err(_) => Answer::not_now("the server did not answer in time"),
        }
    }
}

async fn attempt(
    sender: SendRequest<Bytes>,
    request: Request<()>,
    message: Bytes,
) -> Result<(Reply, SendRequest<Bytes>), String> {
    let broken = |error| broken_words(&error);
    let sender = sender.ready().await.map_err(broken)?;
    call(sender, request, message).await.map_err(broken)
}

fn request(
    address: &str,
    item: &Item,
    token: Option<&str>,
) -> Result<Request<()>, hyper::http::Error> {
    let mut request = Request::post(address)
        .header("te", "trailers")
        .header("grpc-timeout", format!("{}S", LONGEST.as_secs()))
        .header("content-type", &item.head.media_type)
        .header("user-agent", USER_AGENT);
    if let Some(encoding) = &item.head.encoding {
        request = request.header("grpc-encoding", encoding);
    }
    if let Some(token) = token {
        request = request.header("authorization", format!("Bearer {token}"));
    }
    request.body(())
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpListener;

    use super::*;
    use crate::agent::push::item::Head;
    use crate::agent::push::server::Kind;

    /// Sends a request to a server that says this to each connection, and returns why it was not sent.
    fn why_not(said: &'static [u8]) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let server = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            stream.write_all(said).unwrap();
            // A connection with unread bytes would be reset, and what was said be lost.
            let mut preface = [0; 24];
            stream.read_exact(&mut preface).unwrap();
        });
        let to = Server::of(Kind::OtlpGrpc, &address).unwrap();
        let item = Item {
            head: Head {
                path: "/a.B/C".to_owned(),
                media_type: "application/grpc".to_owned(),
                encoding: None,
            },
            body: vec![7; 100],
        };
        let mut grpc = Grpc::new(&to, &[]).unwrap();
        let answer = grpc.send(&format!("{address}/a.B/C"), &item, None);
        server.join().unwrap();
        match answer {
            Answer::NotNow(why, None) => why.to_string(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_server_without_http2_is_named() {
        let why = why_not(b"HTTP/1.1 400 Bad Request\r\n\r\n");
        assert!(why.contains("use --push-otlp"), "{why}");
        let why = why_not(b"");
        assert!(why.contains("perhaps it does not speak gRPC"), "{why}");
    }
}
