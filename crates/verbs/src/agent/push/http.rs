//! A request over HTTP.

use std::io::ErrorKind;
use std::sync::Arc;
use std::time::Duration;

use hyper::Response;
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use ureq::{Agent, Body};

use super::answer::{Answer, Reason};
use super::grpc::speaks_http2;
use super::item::Item;
use super::limits::{LONGEST, MOST_ANSWER_BYTES, USER_AGENT};
use super::server::{Kind, Server};
use super::tls;
use locktoll_shown::pushed::Refusal;

/// Sends requests over HTTP.
pub struct Http {
    agent: Agent,
    server: Server,
    roots: Vec<Certificate<'static>>,
}

impl Http {
    /// Prepares requests.
    pub fn new(server: Server, roots: Vec<Certificate<'static>>) -> Self {
        let provider = rustls::crypto::ring::default_provider();
        let tls = TlsConfig::builder()
            .root_certs(RootCerts::from(roots.clone()))
            .unversioned_rustls_crypto_provider(Arc::new(provider))
            .build();
        let config = Agent::config_builder()
            .tls_config(tls)
            .timeout_global(Some(LONGEST))
            // A redirection could lead to a server that was not meant, and the token with it.
            .max_redirects(0)
            // Nor through a proxy that happens to be in the environment.
            .proxy(None)
            .http_status_as_error(false)
            .user_agent(USER_AGENT)
            .build();
        let agent = config.new_agent();
        Self {
            agent,
            server,
            roots,
        }
    }

    /// Sends a request.
    pub fn send(&self, address: &str, item: &Item, token: Option<&str>) -> Answer {
        let mut request = self.agent.post(address).content_type(&item.head.media_type);
        if let Some(encoding) = &item.head.encoding {
            request = request.header("content-encoding", encoding);
        }
        if let Some(token) = token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        match request.send(&item.body[..]) {
            Ok(answer) => self.judged(answer),
            Err(error) if is_no_answer(&error) => self.not_answered(&error),
            Err(error) => Answer::not_now(words(&error)),
        }
    }

    /// Finds out why the server has not answered in HTTP/1.1. What a server for HTTP/2 does with such a request differs each time: it sends
    /// a frame, closes the connection, or resets it.
    fn not_answered(&self, error: &ureq::Error) -> Answer {
        let reason = match speaks_http2(&self.server, &self.roots) {
            true => Reason::new(only_http2(self.server.kind)),
            false => Reason::with("the server gave no answer in HTTP", &words(error)),
        };
        Answer::NotNow(reason, None)
    }

    fn judged(&self, mut answer: Response<Body>) -> Answer {
        let status = answer.status().as_u16();
        let retry_after = answer.headers().get("retry-after");
        let retry_after = retry_after.and_then(|it| it.to_str().ok()?.parse().ok());
        let retry_after = retry_after.map(Duration::from_secs);
        if self.server.kind == Kind::Pyroscope {
            return answer_of(status, retry_after, "");
        }
        let media_type = answer.headers().get("content-type");
        let is_otlp = media_type.is_some_and(|it| it == "application/x-protobuf");
        let body = answer.body_mut().with_config();
        let body = body.limit(MOST_ANSWER_BYTES as u64).read_to_vec();
        let body = body.ok().filter(|_| is_otlp).unwrap_or_default();
        match status {
            200..=299 => Answer::of_otlp(&body),
            404 => Answer::NotNow(Reason::no_service(&what(status), ""), retry_after),
            _ => {
                let refusal = Refusal::of(&body).unwrap_or_default();
                answer_of(status, retry_after, &refusal.message)
            }
        }
    }
}

fn what(status: u16) -> String {
    format!("the server answered with status {status}")
}

/// Judges a status. Most refusals are about the address or the token, which may be put right; a few are about this request.
pub fn answer_of(status: u16, retry_after: Option<Duration>, of_server: &str) -> Answer {
    let what = what(status);
    match status {
        200..=299 => Answer::Taken(None),
        // Bad request, too large, wrong media type, cannot be processed.
        400 | 413 | 415 | 422 => Answer::Refused(Reason::with(what, of_server)),
        401 | 403 => Answer::NotNow(Reason::no_token(&what, of_server), retry_after),
        _ => Answer::NotNow(Reason::with(what, of_server), retry_after),
    }
}

/// Whether a server that was reached has ended the connection without an answer, or has sent something else.
fn is_no_answer(error: &ureq::Error) -> bool {
    match error {
        ureq::Error::Protocol(_) => true,
        ureq::Error::Io(error) => matches!(
            error.kind(),
            ErrorKind::BrokenPipe
                | ErrorKind::ConnectionAborted
                | ErrorKind::ConnectionReset
                | ErrorKind::UnexpectedEof
        ),
        _ => false,
    }
}

/// Returns the reason that a server speaks HTTP/2 only.
fn only_http2(kind: Kind) -> String {
    let what = "the server gave no answer in HTTP/1.1, but it speaks HTTP/2, as gRPC does";
    match kind {
        Kind::Pyroscope => format!("{what}; use the address of its port for HTTP"),
        Kind::Otlp | Kind::OtlpGrpc => format!(
            "{what}; to push over gRPC, use --push-otlp-grpc, or give the port for HTTP (usually 4318)"
        ),
    }
}

/// Returns an error in words that are the same each time, so that they are said once.
fn words(error: &ureq::Error) -> String {
    match error {
        ureq::Error::Rustls(error) => tls::words(error),
        ureq::Error::Io(error) => tls::io_words(error),
        ureq::Error::HostNotFound => "the name of the server cannot be resolved".to_owned(),
        ureq::Error::Timeout(_) => "the server did not answer in time".to_owned(),
        error => error.to_string(),
    }
}

#[cfg(test)]
#[path = "http_tests.rs"]
mod tests;
