//! Fields of protobuf messages, written as they come.

use prost::encoding::{WireType, encode_key, encode_varint};

/// A message that is being written. Messages inside are written to another one first, since their length precedes them.
#[derive(Default)]
pub struct Message(Vec<u8>);

impl Message {
    /// Adds an integer, a boolean or a word of an enumeration.
    pub fn number(&mut self, field: u32, value: u64) {
        encode_key(field, WireType::Varint, &mut self.0);
        encode_varint(value, &mut self.0);
    }

    /// Adds a number of always eight bytes.
    pub fn fixed(&mut self, field: u32, value: u64) {
        encode_key(field, WireType::SixtyFourBit, &mut self.0);
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    /// Adds a text.
    pub fn text(&mut self, field: u32, text: &str) {
        self.bytes(field, text.as_bytes());
    }

    /// Adds a message.
    pub fn message(&mut self, field: u32, message: &Self) {
        self.bytes(field, &message.0);
    }

    /// Adds the message that `fill` writes.
    pub fn with(&mut self, field: u32, fill: impl FnOnce(&mut Self)) {
        let mut message = Self::default();
        fill(&mut message);
        self.message(field, &message);
    }

    fn bytes(&mut self, field: u32, bytes: &[u8]) {
        encode_key(field, WireType::LengthDelimited, &mut self.0);
        encode_varint(bytes.len() as u64, &mut self.0);
        self.0.extend_from_slice(bytes);
    }

    /// Begins again.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Whether it has no field.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns what has been written.
    pub fn written(&self) -> &[u8] {
        &self.0
    }
}
