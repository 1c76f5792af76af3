//! What a request gets.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use hyper::body::{Body, Bytes, Frame, SizeHint};
use hyper::header::{ACCEPT, ALLOW, CONTENT_TYPE, HeaderMap};
use hyper::{Method, Request, Response, StatusCode};

use super::pages::Pages;
use crate::agent::exposition::Format;

const PLAIN: &str = "text/plain; charset=utf-8";

/// The whole body of an answer, in parts.
#[derive(Debug, Default)]
pub struct Whole(VecDeque<Bytes>);

impl Body for Whole {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(self.0.pop_front().map(|part| Ok(Frame::data(part))))
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.0.iter().map(|part| part.len() as u64).sum())
    }
}

/// Answers a request. Its body, if it has one, is not read.
pub fn answer<B>(request: &Request<B>, pages: &Pages) -> Response<Whole> {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        let mut answer = text(StatusCode::METHOD_NOT_ALLOWED, "accepted: GET and HEAD\n");
        let get = hyper::header::HeaderValue::from_static("GET, HEAD");
        answer.headers_mut().insert(ALLOW, get);
        return answer;
    }
    match request.uri().path() {
        "/metrics" => {
            let format = wanted(request.headers());
            match pages.metrics(format) {
                Ok(parts) => whole(StatusCode::OK, format.media_type(), parts),
                Err(_) => failed(),
            }
        }
        "/" => text(
            StatusCode::OK,
            "locktoll agent: the metrics are at /metrics\n",
        ),
        _ => text(
            StatusCode::NOT_FOUND,
            "there is nothing here; the metrics are at /metrics\n",
        ),
    }
}

/// Returns the answer to a request that cannot be answered.
pub fn failed() -> Response<Whole> {
    text(
        StatusCode::INTERNAL_SERVER_ERROR,
        "the metrics cannot be written\n",
    )
}

/// Returns the format that the client asks for: OpenMetrics unless it accepts text without naming that.
fn wanted(headers: &HeaderMap) -> Format {
    let accepted = headers
        .get_all(ACCEPT)
        .iter()
        .filter_map(|it| it.to_str().ok());
    let accepted: Vec<&str> = accepted.flat_map(|it| it.split(',')).collect();
    let names = |media_type: &str| {
        let mut types = accepted
            .iter()
            .map(|it| it.split(';').next().unwrap_or("").trim());
        types.any(|it| it.eq_ignore_ascii_case(media_type))
    };
    match names("text/plain") && !names("application/openmetrics-text") {
        true => Format::Prometheus,
        false => Format::OpenMetrics,
    }
}

fn text(status: StatusCode, words: &'static str) -> Response<Whole> {
    whole(status, PLAIN, [Bytes::from_static(words.as_bytes())])
}

fn whole(
    status: StatusCode,
    media_type: &'static str,
    parts: impl IntoIterator<Item = Bytes>,
) -> Response<Whole> {
    let mut answer = Response::new(Whole(
        parts.into_iter().filter(|it| !it.is_empty()).collect(),
    ));
    *answer.status_mut() = status;
    let media_type = hyper::header::HeaderValue::from_static(media_type);
    answer.headers_mut().insert(CONTENT_TYPE, media_type);
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(method: Method, uri: &str) -> StatusCode {
        let request = Request::builder().method(method).uri(uri).body(()).unwrap();
        answer(&request, &Pages::default()).status()
    }

    #[test]
    fn the_metrics_are_at_one_place_and_can_only_be_read() {
        assert_eq!(status(Method::GET, "/metrics"), StatusCode::OK);
        assert_eq!(status(Method::HEAD, "/metrics?x=1"), StatusCode::OK);
        assert_eq!(status(Method::GET, "/"), StatusCode::OK);
        assert_eq!(status(Method::GET, "/metrics/"), StatusCode::NOT_FOUND);
        assert_eq!(status(Method::GET, "/../etc/passwd"), StatusCode::NOT_FOUND);
        assert_eq!(
            status(Method::POST, "/metrics"),
            StatusCode::METHOD_NOT_ALLOWED
        );
    }

    #[test]
    fn the_format_is_the_one_that_is_accepted() {
        let format = |accept: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT, accept.parse().unwrap());
            wanted(&headers)
        };
        assert_eq!(wanted(&HeaderMap::new()), Format::OpenMetrics);
        assert_eq!(format("*/*"), Format::OpenMetrics);
        assert_eq!(format("text/plain; version=0.0.4"), Format::Prometheus);
        let prometheus = "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1";
        assert_eq!(format(prometheus), Format::OpenMetrics);
    }
}
