//! The trace, read back.
