//! A value behind a sequence lock: readers copy it without taking a lock.
//!
//! # Invariants
//!
//! - **C1** The value's memory is accessed through atomics only, and always in the same pieces: whole words from the start,
//!   then single bytes. So a reader that overlaps with a writer gets a mixture of bytes, but causes no data race.
//! - **C2** Bytes become a `T` only after [`SeqLock::read`] has found that all of them come from one writer.
//! - **C3** A [`Plain`] type has no padding, so each of its bytes can be read and written as a
//!   number.
//!
//! Source: that of [`SeqLock`]; the piecewise copy is what P1478 ("Byte-wise atomic memcpy")
//! would standardise for C++.

use core::cell::UnsafeCell;
use core::mem::{MaybeUninit, size_of};
use core::sync::atomic::{AtomicU8, AtomicUsize, Ordering};

use crate::{RawLock, SeqLock};

/// Types that consist of initialised bytes only.
///
/// ```
/// use locktoll_locks::{Plain, SeqCell, Ttas};
///
/// #[derive(Clone, Copy)]
/// struct Price {
///     cents: u64,
///     currency: [u8; 8],
/// }
/// // SAFETY: 8 and 8 bytes are the 16 bytes of the type, so there is no padding.
/// unsafe impl Plain for Price {}
/// let price = SeqCell::<Ttas, _>::new(Price { cents: 250, currency: *b"EUR     " });
/// assert_eq!(price.load().cents, 250);
/// # assert_eq!(price.load().currency[0], b'E');
/// ```
///
/// # Safety
///
/// A value has no padding and no uninitialised byte: its size is the sum of its fields' sizes, all of them `Plain`. (Not every
/// pattern of bytes has to be a valid value.)
pub unsafe trait Plain: Copy + Send {}

macro_rules! plain {
    ($($ty:ty)+) => {
        $(
            // SAFETY: a primitive without padding.
            unsafe impl Plain for $ty {}
        )+
    };
}
plain!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 bool char);

// SAFETY: arrays have no padding between or after their elements.
unsafe impl<T: Plain, const N: usize> Plain for [T; N] {}

const WORD: usize = size_of::<usize>();

/// The value, aligned so that its words can be atomics.
#[repr(C)]
struct Aligned<T> {
    align: [AtomicUsize; 0],
    value: UnsafeCell<T>,
}

/// A value that readers copy without a lock, and writers replace under the lock `R`.
///
/// ```
/// use locktoll_locks::{SeqCell, Ttas};
///
/// static POSITION: SeqCell<Ttas, [f64; 3]> = SeqCell::around(Ttas::new(), [0.0; 3]);
/// POSITION.store([1.0, 2.0, 3.0]);
/// POSITION.update(|[x, y, z]| [x + 1.0, y, z]);
/// assert_eq!(POSITION.load(), [2.0, 2.0, 3.0]);
/// ```
pub struct SeqCell<R, T> {
    lock: SeqLock<R>,
    place: Aligned<T>,
}

// SAFETY: shared access to the value is through atomics only (C1), and copies of it move between
// threads, which `Plain` types may.
unsafe impl<R: Send + Sync, T: Plain> Sync for SeqCell<R, T> {}

impl<R, T: Plain> SeqCell<R, T> {
    /// Creates a cell with `value` in it. Its writers exclude each other with `writers`, a free lock.
    ///
    /// ```
    /// use locktoll_locks::{Futex3, SeqCell};
    ///
    /// // Writers that have to wait for each other spin for about 2.5 us and then sleep. Readers never sleep.
    /// static LIMITS: SeqCell<Futex3, [u32; 4]> = SeqCell::around(Futex3::with_spin(100), [0; 4]);
    /// LIMITS.store([1, 2, 3, 4]);
    /// assert_eq!(LIMITS.load()[3], 4);
    /// ```
    pub const fn around(writers: R, value: T) -> Self {
        Self {
            lock: SeqLock::around(writers),
            place: Aligned {
                align: [],
                value: UnsafeCell::new(value),
            },
        }
    }

    /// Returns a copy of the value that some writer left.
    ///
    /// ```
    /// use locktoll_locks::{SeqCell, Ttas};
    ///
    /// static PAIR: SeqCell<Ttas, [u64; 2]> = SeqCell::around(Ttas::new(), [0, 0]);
    /// std::thread::scope(|scope| {
    ///     scope.spawn(|| (1..100).for_each(|n| PAIR.store([n, n])));
    ///     // A copy that overlaps with a store is taken again, so it is never a mixture of two values.
    ///     let [a, b] = PAIR.load();
    ///     assert_eq!(a, b);
    /// });
    /// ```
    #[inline]
    pub fn load(&self) -> T {
        let copy = self.lock.read(|| {
            let mut copy = MaybeUninit::<T>::uninit();
            let to = copy.as_mut_ptr().cast::<u8>();
            let (words, bytes) = self.pieces();
            for (i, word) in words.iter().enumerate() {
                // Relaxed: the sequence lock provides the ordering.
                // SAFETY: the word lies within `copy`.
                unsafe {
                    to.add(i * WORD)
                        .cast::<usize>()
                        .write_unaligned(word.load(Ordering::Relaxed));
                }
            }
            for (i, byte) in bytes.iter().enumerate() {
                // Relaxed and SAFETY: as above.
                unsafe {
                    to.add(words.len() * WORD + i)
                        .write(byte.load(Ordering::Relaxed));
                }
            }
            copy
        });
        // SAFETY: every byte was copied, and by C2 all come from one value.
        unsafe { copy.assume_init() }
    }

    /// Returns the value's memory in pieces (C1).
    #[inline]
    fn pieces(&self) -> (&[AtomicUsize], &[AtomicU8]) {
        let start = self.place.value.get();
        let words = size_of::<T>() / WORD;
        // SAFETY: within the value, aligned by `Aligned`, initialised (C3), inside an `UnsafeCell`,
        // and accessed in no other way (C1).
        unsafe {
            (
                core::slice::from_raw_parts(start.cast(), words),
                core::slice::from_raw_parts(
                    start.cast::<AtomicU8>().add(words * WORD),
                    size_of::<T>() % WORD,
                ),
            )
        }
    }

    /// Writes `value` piece by piece. The caller is the only writer.
    #[inline]
    fn replace(&self, value: &T) {
        let from = core::ptr::from_ref(value).cast::<u8>();
        let (words, bytes) = self.pieces();
        for (i, word) in words.iter().enumerate() {
            // Relaxed: the sequence lock provides the ordering.
            // SAFETY: within `value`, initialised (C3).
            let piece = unsafe { from.add(i * WORD).cast::<usize>().read_unaligned() };
            word.store(piece, Ordering::Relaxed);
        }
        for (i, byte) in bytes.iter().enumerate() {
            // Relaxed and SAFETY: as above.
            let piece = unsafe { from.add(words.len() * WORD + i).read() };
            byte.store(piece, Ordering::Relaxed);
        }
    }
}

impl<R: RawLock, T: Plain> SeqCell<R, T> {
    /// Creates a cell with `value` in it.
    ///
    /// ```
    /// use locktoll_locks::{SeqCell, Ticket};
    ///
    /// let position = SeqCell::<Ticket, _>::new([0.5, 0.25]);
    /// assert_eq!(position.load(), [0.5, 0.25]);
    /// ```
    pub fn new(value: T) -> Self {
        Self::around(R::new(), value)
    }

    /// Replaces the value.
    ///
    /// ```
    /// use locktoll_locks::{SeqCell, Ttas};
    ///
    /// static LAST: SeqCell<Ttas, [u8; 5]> = SeqCell::around(Ttas::new(), *b"none ");
    /// // The old value is lost. To compute the new one from it, use `update`.
    /// LAST.store(*b"write");
    /// assert_eq!(&LAST.load(), b"write");
    /// ```
    #[inline]
    pub fn store(&self, value: T) {
        self.lock.write(|| self.replace(&value));
    }

    /// Replaces the value by the result of `change`, while no other writer is at work, and returns the new value. If `change`
    /// panics, the value stays.
    ///
    /// ```
    /// use locktoll_locks::{SeqCell, Ttas};
    ///
    /// static SPAN: SeqCell<Ttas, [i64; 2]> = SeqCell::around(Ttas::new(), [0, 0]);
    /// let seen = 12;
    /// let span = SPAN.update(|[least, most]| [least.min(seen), most.max(seen)]);
    /// assert_eq!(span, [0, 12]);
    /// ```
    #[inline]
    pub fn update(&self, change: impl FnOnce(T) -> T) -> T {
        self.lock.write(|| {
            // SAFETY: no other writer is at work, and readers only read.
            let value = change(unsafe { *self.place.value.get() });
            self.replace(&value);
            value
        })
    }
}

impl<R: RawLock, T: Plain + Default> Default for SeqCell<R, T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

impl<R: RawLock, T: Plain + core::fmt::Debug> core::fmt::Debug for SeqCell<R, T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_tuple("SeqCell").field(&self.load()).finish()
    }
}
