//! Parameters in words.

/// A knob that is not at rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Turned {
    /// The description of the knob; `{}` marks the place for its value.
    pub words: &'static str,
    /// Its value.
    pub shown: Shown,
}

/// The value of a knob, with the type that is needed to display it.
#[derive(Clone, Debug, PartialEq)]
pub enum Shown {
    /// On; the words already say so.
    On,
    /// A number.
    Number(i64),
    /// A percentage.
    Share(f64),
    /// A time in nanoseconds.
    Ns(u64),
    /// Operations per second.
    Rate(f64),
    /// Processors.
    Cpus(Vec<usize>),
}

impl Turned {
    /// Makes a knob that is on.
    pub(super) fn on(words: &'static str) -> Self {
        Self {
            words,
            shown: Shown::On,
        }
    }

    /// Makes a knob with this value.
    pub(super) fn to(words: &'static str, shown: Shown) -> Self {
        Self { words, shown }
    }
}
