//! The place where the holder of a lock acquired it, as one number.

/// A call site, and the stack that led to it, if known. Both have numbers of 16 bits. Zero means nowhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place(u32);

impl Place {
    pub const NOWHERE: Self = Self(0);

    /// Returns the place with this call site and this stack; the stack may be zero.
    pub fn new(site: u32, stack: u32) -> Self {
        match site {
            0 => Self::NOWHERE,
            _ => Self((site & u32::from(u16::MAX)) | (stack << 16)),
        }
    }

    pub fn from_number(number: u32) -> Self {
        Self(number)
    }

    pub fn number(self) -> u32 {
        self.0
    }

    /// Returns the number of the call site, or zero.
    pub fn site(self) -> u32 {
        self.0 & u32::from(u16::MAX)
    }

    /// Returns the number of the stack, or zero if it is not known.
    pub fn stack(self) -> u32 {
        self.0 >> 16
    }

    /// Returns the same call site, without its stack.
    pub fn by_any_stack(self) -> Self {
        Self(self.site())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_numbers_are_found_again() {
        let place = Place::new(65_535, 40_000);
        assert_eq!((place.site(), place.stack()), (65_535, 40_000));
        assert_eq!(place.by_any_stack(), Place::new(65_535, 0));
        assert_eq!(Place::from_number(place.number()), place);
        assert_eq!(Place::new(0, 7), Place::NOWHERE);
    }
}
