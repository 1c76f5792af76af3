//! What servers of OTLP answer: which part was not taken, and why a request was refused.

use std::time::Duration;

use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use opentelemetry_proto::tonic::collector::profiles::v1development::ExportProfilesServiceResponse;
use prost::Message;

/// What a server says about a request that it has taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The number of profiles that it did not take.
    pub rejected: u64,
    /// Why, or what else is to be known.
    pub message: String,
}

impl Remark {
    /// Reads the answer to a request that was taken; `None` if it says nothing.
    #[must_use]
    pub fn of(answer: &[u8]) -> Option<Self> {
        let answer = ExportProfilesServiceResponse::decode(answer).ok()?;
        let partial = answer.partial_success?;
        let remark = Self {
            rejected: u64::try_from(partial.rejected_profiles).unwrap_or(0),
            message: partial.error_message,
        };
        (remark.rejected > 0 || !remark.message.is_empty()).then_some(remark)
    }
}

/// Why a server refused a request: `google.rpc.Status`, which OTLP has in the answer over HTTP and in a trailer over gRPC.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refusal {
    /// Its words.
    pub message: String,
    /// The time after which the request may be sent again, if it may.
    pub retry_after: Option<Duration>,
}

impl Refusal {
    /// Reads the message; `None` if it is another one.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Option<Self> {
        let status = RpcStatus::decode(bytes).ok()?;
        let mut details = status.details.iter();
        let retry = details.find(|it| it.type_url.ends_with("/google.rpc.RetryInfo"));
        let retry = retry.and_then(|it| RetryInfo::decode(&it.value[..]).ok());
        Some(Self {
            message: status.message,
            retry_after: retry.map(|it| it.retry_delay.unwrap_or_default().length()),
        })
    }

    /// Reads the message from the trailer `grpc-status-details-bin`: base64, with or without padding.
    #[must_use]
    pub fn of_trailer(trailer: &[u8]) -> Option<Self> {
        let either =
            GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
        let engine = GeneralPurpose::new(&alphabet::STANDARD, either);
        Self::of(&engine.decode(trailer).ok()?)
    }
}

/// `google.rpc.Status`, without the code.
#[derive(Clone, PartialEq, Message)]
struct RpcStatus {
    #[prost(string, tag = "2")]
    message: String,
    #[prost(message, repeated, tag = "3")]
    details: Vec<Detail>,
}

/// `google.protobuf.Any`.
#[derive(Clone, PartialEq, Message)]
struct Detail {
    #[prost(string, tag = "1")]
    type_url: String,
    #[prost(bytes = "vec", tag = "2")]
    value: Vec<u8>,
}

/// `google.rpc.RetryInfo`.
#[derive(Clone, PartialEq, Message)]
struct RetryInfo {
    #[prost(message, optional, tag = "1")]
    retry_delay: Option<Delay>,
}

/// `google.protobuf.Duration`.
#[derive(Clone, PartialEq, Message)]
struct Delay {
    #[prost(int64, tag = "1")]
    seconds: i64,
    #[prost(int32, tag = "2")]
    nanos: i32,
}

impl Delay {
    fn length(&self) -> Duration {
        let seconds = Duration::from_secs(self.seconds.try_into().unwrap_or(0));
        seconds.saturating_add(Duration::from_nanos(self.nanos.try_into().unwrap_or(0)))
    }
}

#[cfg(test)]
mod tests {
    use base64::prelude::{BASE64_STANDARD, BASE64_STANDARD_NO_PAD};
    use opentelemetry_proto::tonic::collector::profiles::v1development::ExportProfilesPartialSuccess;
    use proptest::prelude::*;

    use super::*;

    fn refusal(type_url: &str, retry_delay: Option<Delay>) -> Vec<u8> {
        let detail = |type_url: &str, value| Detail {
            type_url: type_url.to_owned(),
            value,
        };
        let retry = RetryInfo { retry_delay };
        let status = RpcStatus {
            message: "too much".to_owned(),
            details: vec![
                detail("type.googleapis.com/google.rpc.Help", vec![255]),
                detail(type_url, retry.encode_to_vec()),
            ],
        };
        status.encode_to_vec()
    }

    #[test]
    fn a_refusal_says_whether_and_when_to_send_again() {
        const RETRY: &str = "type.googleapis.com/google.rpc.RetryInfo";
        let delay = |seconds, nanos| Some(Delay { seconds, nanos });
        for (type_url, given, expected) in [
            (
                RETRY,
                delay(3, 500_000_000),
                Some(Duration::from_millis(3500)),
            ),
            (RETRY, delay(-3, -1), Some(Duration::ZERO)),
            (
                RETRY,
                delay(i64::MAX, i32::MAX),
                Some(Duration::new(i64::MAX as u64 + 2, 147_483_647)),
            ),
            (RETRY, None, Some(Duration::ZERO)),
            (
                "type.googleapis.com/google.rpc.DebugInfo",
                delay(3, 0),
                None,
            ),
        ] {
            let bytes = refusal(type_url, given);
            let expected = Some(Refusal {
                message: "too much".to_owned(),
                retry_after: expected,
            });
            assert_eq!(Refusal::of(&bytes), expected);
            for text in [
                BASE64_STANDARD.encode(&bytes),
                BASE64_STANDARD_NO_PAD.encode(&bytes),
            ] {
                assert_eq!(Refusal::of_trailer(text.as_bytes()), expected);
            }
        }
        assert_eq!(Refusal::of(b"Bad Gateway"), None);
        assert_eq!(Refusal::of_trailer(b"*"), None);
    }

    #[test]
    fn an_answer_says_what_was_not_taken() {
        let answer = |rejected_profiles, error_message: &str| {
            let partial_success = Some(ExportProfilesPartialSuccess {
                rejected_profiles,
                error_message: error_message.to_owned(),
            });
            let answer = ExportProfilesServiceResponse { partial_success };
            Remark::of(&answer.encode_to_vec()).map(|it| (it.rejected, it.message))
        };
        assert_eq!(answer(2, "old"), Some((2, "old".to_owned())));
        assert_eq!(answer(0, "slow"), Some((0, "slow".to_owned())));
        assert_eq!(answer(-1, "odd"), Some((0, "odd".to_owned())));
        assert_eq!(answer(0, ""), None);
        assert_eq!(Remark::of(b""), None);
        assert_eq!(Remark::of(b"\xff"), None);
    }

    proptest! {
        #[test]
        fn any_bytes_can_be_read(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = (Remark::of(&bytes), Refusal::of(&bytes), Refusal::of_trailer(&bytes));
        }
    }
}
