//! Which crates are published, and which crates the libraries are made of.

/// The published crates: each comes after the ones that it depends on. The library that `record` loads is not among them, since no
/// program links it: the crate `locktoll` carries its source.
pub const PUBLISHED: &[&str] = &[
    "locktoll-waiting",
    "tollgate",
    "locktoll-locks",
    "locktoll-lab",
    "locktoll-loops",
    "locktoll-recording",
    "locktoll-terminal",
    "locktoll-results",
    "locktoll-sources",
    "locktoll-shown",
    "locktoll-substitute",
    "locktoll-verbs",
    "locktoll",
];

/// The folders of `crates` whose sources the crate `locktoll` carries: the two libraries, and all that they are made of.
pub const CARRIED: &[&str] = &[
    "preload",
    "recording",
    "substitute",
    "locks",
    "tollgate",
    "waiting",
];
