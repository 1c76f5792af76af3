//! A request as it is kept in the queue: a line of JSON, and the body.

use serde::{Deserialize, Serialize};

/// A request that is to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Where and what it is.
    pub head: Head,
    /// Its body.
    pub body: Vec<u8>,
}

/// The head of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// What follows the address of the server: a path, and perhaps a query.
    pub path: String,
    /// The media type of the body.
    pub media_type: String,
    /// The encoding of the body, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
}

impl Item {
    /// Returns the bytes that are kept.
    ///
    /// # Errors
    /// Never: the head is text.
    pub fn bytes(&self) -> serde_json::Result<Vec<u8>> {
        let mut bytes = serde_json::to_vec(&self.head)?;
        bytes.push(b'\n');
        bytes.extend_from_slice(&self.body);
        Ok(bytes)
    }

    /// Reads what was kept; `None` if it is damaged.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let end = bytes.iter().position(|&byte| byte == b'\n')?;
        let (head, body) = bytes.split_at(end);
        let head: Head = serde_json::from_slice(head).ok()?;
        let is_path =
            head.path.starts_with('/') && head.path.bytes().all(|it| it.is_ascii_graphic());
        is_path.then(|| Self {
            head,
            body: body[1..].to_vec(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_item_survives_and_a_damaged_one_is_found() {
        let item = Item {
            head: Head {
                path: "/ingest?name=a%0Ab".to_owned(),
                media_type: "application/x-protobuf".to_owned(),
                encoding: None,
            },
            body: vec![0, b'\n', 255],
        };
        let bytes = item.bytes().unwrap();
        assert_eq!(Item::read(&bytes), Some(item.clone()));
        assert_eq!(Item::read(&bytes[1..]), None);
        let mut elsewhere = item;
        elsewhere.head.path = "@evil.example/".to_owned();
        assert_eq!(Item::read(&elsewhere.bytes().unwrap()), None);
    }

    proptest! {
        #[test]
        fn any_bytes_can_be_read(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = Item::read(&bytes);
        }
    }
}
