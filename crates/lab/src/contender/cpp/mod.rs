//! The C++ peers.
