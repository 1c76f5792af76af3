//! Requests in OTLP, over HTTP and over gRPC: the same message.

use super::item::{Head, Item};
use crate::agent::labels::{ProcessLabels, label};
use locktoll_shown::Side;
use locktoll_shown::pushed::{Interval, OTLP_GRPC_PATH, OTLP_PATH};

/// How a message is carried.
#[derive(Clone, Copy, Debug)]
pub enum Transport {
    /// As the body of a request.
    Http,
    /// As a message of a call.
    Grpc,
}

impl Transport {
    fn path(self) -> &'static str {
        match self {
            Self::Http => OTLP_PATH,
            Self::Grpc => OTLP_GRPC_PATH,
        }
    }

    fn media_type(self) -> &'static str {
        match self {
            Self::Http => "application/x-protobuf",
            Self::Grpc => "application/grpc",
        }
    }
}

/// Returns the requests with what a program did in an interval: by waiter and by holder, as far as there were waits.
///
/// # Errors
/// Never: memory has room for them.
pub fn items(
    labels: &ProcessLabels,
    interval: &Interval,
    transport: Transport,
) -> std::io::Result<Vec<Item>> {
    let mut resource = vec![("service.name", labels.process.as_str())];
    let all = [
        ("process", &labels.process),
        ("container", &labels.container),
        ("pod", &labels.pod),
    ];
    let all = all.into_iter().filter(|(_, value)| !value.is_empty());
    resource.extend(all.map(|(key, value)| (key, value.as_str())));
    let mut items = Vec::new();
    for side in [Side::Waiter, Side::Holder] {
        if let Some(body) = interval.otlp(side, &resource, &|lock| label(&lock.id))? {
            let head = Head {
                path: transport.path().to_owned(),
                media_type: transport.media_type().to_owned(),
                encoding: Some("gzip".to_owned()),
            };
            items.push(Item { head, body });
        }
    }
    Ok(items)
}
