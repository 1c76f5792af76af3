//! The place where the holder of a lock acquired it, in one number.

/// A call site, and the stack that led there if it is known. Both have numbers of 16 bits. Zero is nowhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place(u32);

impl Place {
    pub const NOWHERE: Self = Self(0);

    /// The call site with this number, and the stack with that one, or zero.
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

    /// The number of the call site, or zero.
    pub fn site(self) -> u32 {
        self.0 & u32::from(u16::MAX)
    }

    /// The number of the stack, or zero if it is not known.
    pub fn stack(self) -> u32 {
        self.0 >> 16
    }

    /// The same call site, by whichever stack.
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
