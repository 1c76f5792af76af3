//! Parameters in words.

/// A knob that is not at rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Turned {
    /// What is said of it; `{}` stands where its place is shown.
    pub words: &'static str,
    /// Its place.
    pub shown: Shown,
}

/// Where a knob stands, as far as whoever shows it must know.
#[derive(Clone, Debug, PartialEq)]
pub enum Shown {
    /// On, which the words say.
    On,
    /// A number.
    Number(i64),
    /// A number of percent.
    Share(f64),
    /// A time in nanoseconds.
    Ns(u64),
    /// Operations a second.
    Rate(f64),
    /// Processors.
    Cpus(Vec<usize>),
}

impl Turned {
    /// A knob that is on.
    pub(super) fn on(words: &'static str) -> Self {
        Self {
            words,
            shown: Shown::On,
        }
    }

    /// A knob at this place.
    pub(super) fn to(words: &'static str, shown: Shown) -> Self {
        Self { words, shown }
    }
}
