//! What the status of an answer means: the specification of OTLP says which requests may be sent again.

use percent_encoding::percent_decode_str;

use super::call::Reply;
use crate::agent::push::answer::{Answer, Reason};
use crate::agent::push::http;
use locktoll_shown::pushed::Refusal;

/// The names of the statuses, by their numbers.
const NAMES: [&str; 17] = [
    "OK",
    "CANCELLED",
    "UNKNOWN",
    "INVALID_ARGUMENT",
    "DEADLINE_EXCEEDED",
    "NOT_FOUND",
    "ALREADY_EXISTS",
    "PERMISSION_DENIED",
    "RESOURCE_EXHAUSTED",
    "FAILED_PRECONDITION",
    "ABORTED",
    "OUT_OF_RANGE",
    "UNIMPLEMENTED",
    "INTERNAL",
    "UNAVAILABLE",
    "DATA_LOSS",
    "UNAUTHENTICATED",
];

/// Judges an answer.
pub fn answer_of(reply: &Reply) -> Answer {
    let text = |name: &str| reply.trailers.get(name).and_then(|it| it.to_str().ok());
    let message = percent_decode_str(text("grpc-message").unwrap_or_default());
    let message = message.decode_utf8_lossy();
    let code = text("grpc-status").map(|it| it.parse().unwrap_or(usize::MAX));
    let Some(code) = code else {
        return without_status(reply.http_status);
    };
    let details = reply.trailers.get("grpc-status-details-bin");
    let details = details.and_then(|it| Refusal::of_trailer(it.as_bytes()));
    let retry_after = details.and_then(|it| it.retry_after);
    let name = NAMES.get(code).copied().unwrap_or("unknown number");
    let what = format!("the server answered with gRPC status {name}");
    match name {
        "OK" => Answer::of_otlp(&reply.message),
        "CANCELLED" | "DEADLINE_EXCEEDED" | "ABORTED" | "OUT_OF_RANGE" | "UNAVAILABLE"
        | "DATA_LOSS" => Answer::NotNow(Reason::with(what, &message), retry_after),
        "RESOURCE_EXHAUSTED" if retry_after.is_some() => {
            Answer::NotNow(Reason::with(what, &message), retry_after)
        }
        // As over HTTP, what is about the server or the token and not about the profile is kept: it may be put right.
        "UNIMPLEMENTED" => Answer::NotNow(Reason::no_service(&what, &message), retry_after),
        "UNAUTHENTICATED" | "PERMISSION_DENIED" => {
            Answer::NotNow(Reason::no_token(&what, &message), retry_after)
        }
        _ => Answer::Refused(Reason::with(what, &message)),
    }
}

/// Judges an answer of what may be a proxy.
fn without_status(http_status: u16) -> Answer {
    match http_status {
        200..=299 => Answer::not_now("the server's answer has no gRPC status"),
        404 => {
            let what = format!("the server answered with status {http_status}");
            Answer::NotNow(Reason::no_service(&what, ""), None)
        }
        _ => http::answer_of(http_status, None, ""),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use hyper::header::{HeaderMap, HeaderValue};

    use super::*;

    fn answer(code: &'static str, more: &[(&'static str, &'static str)]) -> Answer {
        let mut trailers = HeaderMap::new();
        trailers.insert("grpc-status", HeaderValue::from_static(code));
        for (name, value) in more {
            trailers.insert(*name, HeaderValue::from_static(value));
        }
        answer_of(&Reply {
            http_status: 200,
            trailers,
            ..Reply::default()
        })
    }

    #[test]
    fn statuses_are_for_now_or_for_good_as_otlp_says() {
        assert_eq!(answer("0", &[]), Answer::Taken(None));
        for code in ["1", "4", "7", "10", "11", "12", "14", "15", "16"] {
            let answer = answer(code, &[]);
            assert!(matches!(answer, Answer::NotNow(_, None)), "{code}");
        }
        for code in ["2", "3", "5", "6", "8", "9", "13", "17", "-1", "x", ""] {
            assert!(matches!(answer(code, &[]), Answer::Refused(_)), "{code}");
        }
    }

    #[test]
    fn a_server_that_has_too_much_to_do_says_when_to_come_back() {
        // google.rpc.Status with a RetryInfo of 7 s.
        const DETAILS: &str =
            "CAgaMAoodHlwZS5nb29nbGVhcGlzLmNvbS9nb29nbGUucnBjLlJldHJ5SW5mbxIECgIIBw";
        let details = [("grpc-status-details-bin", DETAILS)];
        for code in ["8", "14"] {
            let Answer::NotNow(_, after) = answer(code, &details) else {
                panic!("{code}");
            };
            assert_eq!(after, Some(Duration::from_secs(7)), "{code}");
        }
    }

    #[test]
    fn words_of_the_server_are_read() {
        let Answer::Refused(why) = answer("3", &[("grpc-message", "no caf%C3%A9%0A")]) else {
            panic!();
        };
        let words = why.to_string();
        let expected = "the server answered with gRPC status INVALID_ARGUMENT (no caf\u{e9})";
        assert_eq!(words, expected);
    }

    #[test]
    fn an_answer_of_a_proxy_is_judged_by_its_status() {
        let of = |http_status| {
            answer_of(&Reply {
                http_status,
                ..Reply::default()
            })
        };
        for status in [200, 404, 502] {
            assert!(matches!(of(status), Answer::NotNow(..)), "{status}");
        }
        assert!(matches!(of(413), Answer::Refused(_)));
    }
}
