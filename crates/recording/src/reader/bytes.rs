//! Little-endian fields of a record, which may be shorter than the structure of this version.

/// The bytes of a header or a record. Bytes beyond its end read as zero, by the format's rule that zero means "not recorded".
#[derive(Clone, Copy)]
pub(super) struct Fields<'a>(pub &'a [u8]);

impl<'a> Fields<'a> {
    fn array<const N: usize>(self, offset: usize) -> [u8; N] {
        let mut array = [0; N];
        let field = self.bytes(offset, N);
        array[..field.len()].copy_from_slice(field);
        array
    }

    /// Returns up to `length` bytes at `offset`, as many as there are.
    pub fn bytes(self, offset: usize, length: usize) -> &'a [u8] {
        let rest = self.0.get(offset..).unwrap_or(&[]);
        &rest[..length.min(rest.len())]
    }

    pub fn u8(self, offset: usize) -> u8 {
        u8::from_le_bytes(self.array(offset))
    }

    pub fn u16(self, offset: usize) -> u16 {
        u16::from_le_bytes(self.array(offset))
    }

    pub fn u32(self, offset: usize) -> u32 {
        u32::from_le_bytes(self.array(offset))
    }

    pub fn u64(self, offset: usize) -> u64 {
        u64::from_le_bytes(self.array(offset))
    }
}

#[cfg(test)]
mod tests {
    use super::Fields;

    #[test]
    fn a_field_cut_off_by_the_end_reads_as_if_zeros_followed() {
        let fields = Fields(&[1, 2, 3]);
        assert_eq!(fields.u16(0), 0x0201);
        assert_eq!(fields.u32(1), 0x0302);
        assert_eq!(fields.u64(usize::MAX), 0);
    }
}
