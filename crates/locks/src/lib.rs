//! Lock algorithms, one file a lock.
#![no_std]
#[cfg(feature = "std")]
extern crate std;
