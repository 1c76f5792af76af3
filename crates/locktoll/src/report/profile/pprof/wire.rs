//! Protocol buffers, the little of them that a profile needs.
//!
//! Source: the encoding guide of protocol buffers (protobuf.dev/programming-guides/encoding), wire types 0 (VARINT) and
//! 2 (LEN). Fields that hold zero or nothing are left out, which readers take for the same.

/// A message under construction.
#[derive(Debug, Default)]
pub struct Message(Vec<u8>);

impl Message {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// An integer field: `uint64`, `bool`, or an `int64` that is not negative.
    pub fn number(&mut self, field: u32, value: u64) {
        if value != 0 {
            self.key(field, 0);
            varint(&mut self.0, value);
        }
    }

    /// Integers in one field (`repeated`, packed).
    pub fn numbers(&mut self, field: u32, values: impl IntoIterator<Item = u64>) {
        let mut packed = Vec::new();
        for value in values {
            varint(&mut packed, value);
        }
        if !packed.is_empty() {
            self.bytes(field, &packed);
        }
    }

    /// A message in a message. One without content is there all the same.
    pub fn message(&mut self, field: u32, inner: &Self) {
        self.bytes(field, &inner.0);
    }

    /// A string. An empty one is there all the same, as an entry of a table must be.
    pub fn string(&mut self, field: u32, text: &str) {
        self.bytes(field, text.as_bytes());
    }

    /// The message as it is sent.
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    fn bytes(&mut self, field: u32, bytes: &[u8]) {
        self.key(field, 2);
        varint(&mut self.0, bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    fn key(&mut self, field: u32, wire_type: u64) {
        varint(&mut self.0, u64::from(field) << 3 | wire_type);
    }
}

/// Seven bits a byte, the lowest first; the top bit says that more follow.
fn varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_the_encoding_guide() {
        let mut message = Message::new();
        message.number(1, 150);
        assert_eq!(message.into_bytes(), [0x08, 0x96, 0x01]);
        let mut message = Message::new();
        message.string(2, "testing");
        assert_eq!(message.into_bytes(), *b"\x12\x07testing");
        let mut message = Message::new();
        message.numbers(6, [3, 270, 86_942]);
        assert_eq!(
            message.into_bytes(),
            [0x32, 0x06, 0x03, 0x8e, 0x02, 0x9e, 0xa7, 0x05]
        );
    }

    proptest::proptest! {
        #[test]
        fn prost_reads_what_we_write(value: u64) {
            let mut bytes = Vec::new();
            varint(&mut bytes, value);
            let read = prost::encoding::decode_varint(&mut bytes.as_slice()).unwrap();
            proptest::prop_assert_eq!(read, value);
        }
    }
}
