//! Requests in OTLP, over HTTP.

use super::item::{Head, Item};
use crate::agent::labels::{ProcessLabels, label};
use locktoll_shown::Side;
use locktoll_shown::pushed::{Interval, OTLP_PATH};

/// Returns the requests with what a program did in an interval: by waiter and by holder, as far as there were waits.
///
/// # Errors
/// Never: memory has room for them.
pub fn items(labels: &ProcessLabels, interval: &Interval) -> std::io::Result<Vec<Item>> {
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
                path: OTLP_PATH.to_owned(),
                media_type: "application/x-protobuf".to_owned(),
                encoding: Some("gzip".to_owned()),
            };
            items.push(Item { head, body });
        }
    }
    Ok(items)
}
