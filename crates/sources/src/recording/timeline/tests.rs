//! Joining of events that were decoded.
