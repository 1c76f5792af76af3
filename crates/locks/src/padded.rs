//! Keeps data that different processors write on different cache lines.

use core::ops::Deref;

/// A value that has its 128 bytes to itself.
///
/// 128, not 64: x86-64 processors fetch lines in pairs, and several aarch64 processors have lines of 128 bytes.
#[derive(Debug, Default)]
#[repr(align(128))]
pub struct CachePadded<T>(T);

impl<T> CachePadded<T> {
    /// Pads `value`.
    pub const fn new(value: T) -> Self {
        Self(value)
    }
}

impl<T> Deref for CachePadded<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.0
    }
}
