//! BTF as bytes: names, and the types that describe tracepoints (Documentation/bpf/btf.rst).

/// The two sections of BTF data.
pub struct Sections<'a> {
    /// The names, each followed by a NUL.
    pub names: &'a [u8],
    types: &'a [u8],
}

/// The three words of `struct btf_type`: its name; its kind and number of members; its size or the type that it refers to.
const TYPE_BYTES: usize = 12;

/// Kinds of types that are followed, or that are longer than [`TYPE_BYTES`].
mod kind {
    pub const INT: u32 = 1;
    pub const PTR: u32 = 2;
    pub const ARRAY: u32 = 3;
    pub const STRUCT: u32 = 4;
    pub const UNION: u32 = 5;
    pub const ENUM: u32 = 6;
    pub const TYPEDEF: u32 = 8;
    pub const FUNC_PROTO: u32 = 13;
    pub const VAR: u32 = 14;
    pub const DATASEC: u32 = 15;
    pub const DECL_TAG: u32 = 17;
    pub const ENUM64: u32 = 19;
}

struct Type {
    name: u32,
    kind: u32,
    members: usize,
    refers_to: u32,
}

impl<'a> Sections<'a> {
    /// Finds the sections; `None` if this is not BTF.
    pub fn of(bytes: &'a [u8]) -> Option<Self> {
        const MAGIC: u16 = 0xeb9f;
        let magic = u16::from_ne_bytes(bytes.get(..2)?.try_into().ok()?);
        if magic != MAGIC {
            return None;
        }
        // struct btf_header: magic, version, flags, then hdr_len, type_off, type_len, str_off, str_len.
        let header = word(bytes, 4)? as usize;
        let section = |offset: usize| {
            let start = header.checked_add(word(bytes, offset)? as usize)?;
            let end = start.checked_add(word(bytes, offset + 4)? as usize)?;
            bytes.get(start..end)
        };
        Some(Self {
            types: section(8)?,
            names: section(16)?,
        })
    }

    /// Returns the number of arguments of the function to which this type definition points.
    pub fn arguments(&self, definition: &str) -> Option<usize> {
        let mut places = Vec::new();
        let mut defined = None;
        let mut at = 0;
        while let Some(one) = self.type_at(at) {
            if one.kind == kind::TYPEDEF && self.name(one.name) == Some(definition.as_bytes()) {
                defined = Some(one.refers_to);
            }
            places.push(at);
            at += TYPE_BYTES + one.more_bytes();
        }
        // Types are counted from 1: 0 is void.
        let numbered = |number: u32| {
            let place = places.get((number as usize).checked_sub(1)?)?;
            self.type_at(*place)
        };
        let pointer = numbered(defined?)?;
        let function = match pointer.kind {
            kind::PTR => numbered(pointer.refers_to)?,
            _ => return None,
        };
        (function.kind == kind::FUNC_PROTO).then_some(function.members)
    }

    fn type_at(&self, at: usize) -> Option<Type> {
        let info = word(self.types, at + 4)?;
        Some(Type {
            name: word(self.types, at)?,
            kind: info >> 24 & 0x1f,
            members: (info & 0xffff) as usize,
            refers_to: word(self.types, at + 8)?,
        })
    }

    fn name(&self, offset: u32) -> Option<&'a [u8]> {
        self.names
            .get(offset as usize..)?
            .split(|byte| *byte == 0)
            .next()
    }
}

impl Type {
    /// Returns how many bytes follow the type itself.
    fn more_bytes(&self) -> usize {
        match self.kind {
            kind::INT | kind::VAR | kind::DECL_TAG => 4,
            kind::ARRAY => 12,
            kind::ENUM | kind::FUNC_PROTO => 8 * self.members,
            kind::STRUCT | kind::UNION | kind::DATASEC | kind::ENUM64 => 12 * self.members,
            _ => 0,
        }
    }
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_ne_bytes(
        bytes.get(at..at.checked_add(4)?)?.try_into().ok()?,
    ))
}

/// Returns BTF with these names and no types.
#[cfg(test)]
pub fn made_up(names: &[u8]) -> Vec<u8> {
    with_types(names, &[])
}

#[cfg(test)]
fn with_types(names: &[u8], types: &[u32]) -> Vec<u8> {
    let mut bytes = 0xeb9f_u16.to_ne_bytes().to_vec();
    bytes.extend([1, 0]);
    let type_bytes = 4 * types.len() as u32;
    for word in [24_u32, 0, type_bytes, type_bytes, names.len() as u32] {
        bytes.extend(word.to_ne_bytes());
    }
    for word in types {
        bytes.extend(word.to_ne_bytes());
    }
    bytes.extend(names);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn arguments_are_those_of_the_function_pointed_to() {
        let names = b"\0other\0traced\0";
        let info = |kind: u32, members: u32| kind << 24 | members;
        let mut types = vec![];
        // 1: a structure of two members; 2: a function of three arguments; 3: a pointer to it; 4, 5: definitions.
        types.extend([0, info(kind::STRUCT, 2), 8, 0, 0, 0, 0, 0, 0]);
        types.extend([0, info(kind::FUNC_PROTO, 3), 0, 0, 0, 0, 0, 0, 0]);
        types.extend([0, info(kind::PTR, 0), 2]);
        types.extend([1, info(kind::TYPEDEF, 0), 1]);
        types.extend([7, info(kind::TYPEDEF, 0), 3]);
        let bytes = with_types(names, &types);
        let sections = Sections::of(&bytes).unwrap();
        assert_eq!(sections.arguments("traced"), Some(3));
        assert_eq!(sections.arguments("other"), None);
        assert_eq!(sections.arguments("missing"), None);
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(mut bytes in prop::collection::vec(any::<u8>(), 0..96)) {
            if bytes.len() > 2 {
                bytes[..2].copy_from_slice(&0xeb9f_u16.to_ne_bytes());
            }
            if let Some(sections) = Sections::of(&bytes) {
                let _ = sections.arguments("x");
            }
        }

        #[test]
        fn any_types_are_followed_to_their_end(types in prop::collection::vec(any::<u32>(), 0..64)) {
            let bytes = with_types(b"\0x\0", &types);
            let _ = Sections::of(&bytes).unwrap().arguments("x");
        }
    }
}
