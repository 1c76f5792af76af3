//! The most recent walks of a thread. A walk that begins at the same place as a remembered one has the same result, without
//! walking, as long as the words of the stack that it depended on are unchanged: return addresses, and frame pointers that a
//! step was based on.
//!
//! # Invariants
//!
//! - **M1** A walk is written only while `is_written` is set, and only by its thread. A signal handler that interrupts this
//!   neither finds nor writes a walk.
//! - **M2** All its words lie in pages of the thread's stack that the walk came through (K1 of `stack`), and above its stack pointer. They
//!   are read again only if the thread's known pages still contain them and the stack pointer, which is the same: the thread runs on
//!   that stack.

use core::cell::Cell;
use core::sync::atomic::Ordering::SeqCst;
use core::sync::atomic::compiler_fence;

use super::frame::Frame;
use super::stack::KnownPages;

const WALKS: usize = 4;
/// A walk that depends on more words is not remembered.
const WORDS: usize = 48;

/// The place where a walk begins, and everything else besides the stack that it depends on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Beginning {
    /// The frame where it begins.
    pub here: Frame,
    /// The call in the program that it is looking for.
    pub site: usize,
    /// The most calls that it finds.
    pub frames: usize,
    /// The generation of the code tables.
    pub generation: u32,
}

/// The walks that a thread remembers. All zeros means none.
pub struct Walks {
    walks: [Walk; WALKS],
    is_written: Cell<bool>,
}

/// One walk.
pub struct Walk {
    /// If the stack pointer is zero, there is no walk.
    beginning: Cell<Beginning>,
    /// Whether a step was based on the frame pointer with which the walk began.
    needs_frame_pointer: Cell<bool>,
    is_spoilt: Cell<bool>,
    count: Cell<usize>,
    /// Addresses, and the values found there.
    words: [Cell<(usize, usize)>; WORDS],
    /// A saved frame pointer that no step has been based on yet.
    saved: Cell<Option<(usize, usize)>>,
    /// The number of the stack.
    id: Cell<u32>,
}

impl Beginning {
    const NOWHERE: Self = Self {
        here: Frame {
            address: 0,
            stack_pointer: 0,
            frame_pointer: 0,
            link: 0,
            is_exact: false,
        },
        site: 0,
        frames: 0,
        generation: 0,
    };

    fn place(&self) -> usize {
        let mixed = (self.site ^ self.here.stack_pointer) as u64;
        (mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - WALKS.ilog2())) as usize
    }

    /// Whether a walk that began at `earlier` is the same, apart from the stack.
    fn is_as(&self, earlier: &Self, needs_frame_pointer: bool) -> bool {
        let (now, then) = (&self.here, &earlier.here);
        now.stack_pointer == then.stack_pointer
            && now.address == then.address
            && (now.frame_pointer == then.frame_pointer || !needs_frame_pointer)
            && now.link == then.link
            && now.is_exact == then.is_exact
            && self.site == earlier.site
            && self.frames == earlier.frames
            && self.generation == earlier.generation
    }
}

impl Walks {
    #[cfg(test)]
    pub const fn nothing() -> Self {
        Self {
            walks: [const { Walk::nothing() }; WALKS],
            is_written: Cell::new(false),
        }
    }

    /// Forgets another thread's walks.
    pub fn forget(&self) {
        for walk in &self.walks {
            walk.beginning.set(Beginning::NOWHERE);
        }
    }

    /// Returns the number of the stack that a walk from `beginning` finds, if it is remembered.
    #[inline]
    pub fn find(&self, beginning: &Beginning, pages: &KnownPages) -> Option<u32> {
        let walk = &self.walks[beginning.place()];
        let is_it = !self.is_written.get()
            && beginning.is_as(&walk.beginning.get(), walk.needs_frame_pointer.get())
            && pages.contain(beginning.here.stack_pointer)
            && walk.is_unchanged(pages);
        is_it.then(|| walk.id.get())
    }

    /// Returns the walk in which a walk from `beginning` is to be noted, or `None` in a signal handler that interrupted such a
    /// note.
    pub fn begin(&self, beginning: &Beginning) -> Option<&Walk> {
        if self.is_written.replace(true) {
            return None;
        }
        let walk = &self.walks[beginning.place()];
        walk.beginning.set(Beginning::NOWHERE);
        compiler_fence(SeqCst);
        walk.needs_frame_pointer.set(false);
        walk.is_spoilt.set(false);
        walk.count.set(0);
        walk.saved.set(None);
        Some(walk)
    }

    /// Notes that the walk returned by [`begin`](Self::begin) is over, and has found the stack with this number.
    pub fn end(&self, walk: &Walk, beginning: &Beginning, id: u32) {
        walk.id.set(id);
        compiler_fence(SeqCst);
        if id != 0 && !walk.is_spoilt.get() {
            walk.beginning.set(*beginning);
        }
        self.is_written.set(false);
    }
}

impl Walk {
    #[cfg(test)]
    const fn nothing() -> Self {
        Self {
            beginning: Cell::new(Beginning::NOWHERE),
            needs_frame_pointer: Cell::new(false),
            is_spoilt: Cell::new(false),
            count: Cell::new(0),
            words: [const { Cell::new((0, 0)) }; WORDS],
            saved: Cell::new(None),
            id: Cell::new(0),
        }
    }

    /// Notes that the walk depends on the word at `address`, which is `value`.
    pub fn depends_on(&self, address: usize, value: usize) {
        match self.words.get(self.count.get()) {
            Some(word) => {
                word.set((address, value));
                self.count.set(self.count.get() + 1);
            }
            None => self.spoil(),
        }
    }

    /// Notes that a caller's frame pointer is `value`, which was saved at `address`. It counts once a step is based on it.
    pub fn saved_frame_pointer(&self, address: usize, value: usize) {
        self.saved.set(Some((address, value)));
    }

    /// Notes that a step is based on the frame pointer.
    pub fn uses_frame_pointer(&self) {
        match self.saved.get() {
            // Once is enough, but noting it again does no harm.
            Some((address, value)) => self.depends_on(address, value),
            None => self.needs_frame_pointer.set(true),
        }
    }

    /// Notes that the walk depends on more than can be noted, and is not to be remembered.
    pub fn spoil(&self) {
        self.is_spoilt.set(true);
    }

    fn is_unchanged(&self, pages: &KnownPages) -> bool {
        let words = self.words.iter().take(self.count.get());
        words.map(Cell::get).all(|(address, value)| {
            // SAFETY: M2. Another thread may be writing there, as to any variable: the word is read in one access, and only
            // compared.
            pages.contain(address) && unsafe { (address as *const usize).read_volatile() } == value
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unwind::Stack;

    fn beginning(here: Frame) -> Beginning {
        Beginning {
            here,
            site: 5,
            frames: 16,
            generation: 1,
        }
    }

    /// Reads `words` as a walk does, and remembers the walk with stack number 7.
    fn walk(walks: &Walks, from: Beginning, pages: &KnownPages, words: &[usize]) {
        let walk = walks.begin(&from).expect("nobody writes");
        let mut stack = Stack::new(from.here.stack_pointer, pages, Some(walk));
        for word in words {
            assert_eq!(stack.word(&raw const *word as usize), Some(*word));
        }
        drop(stack);
        walks.end(walk, &from, 7);
    }

    #[test]
    fn a_walk_is_known_while_its_words_are_unchanged() {
        let (walks, pages) = (Walks::nothing(), KnownPages::none());
        let mut words = [11, 12, 13];
        let from = beginning(Frame::here());
        assert_eq!(walks.find(&from, &pages), None);
        walk(&walks, from, &pages, &words);
        assert_eq!(walks.find(&from, &pages), Some(7));
        let other_frame_pointer = Frame {
            frame_pointer: !from.here.frame_pointer,
            ..from.here
        };
        assert_eq!(walks.find(&beginning(other_frame_pointer), &pages), Some(7));
        for other in [
            Beginning { site: 6, ..from },
            Beginning { frames: 3, ..from },
            Beginning {
                generation: 2,
                ..from
            },
        ] {
            assert_eq!(walks.find(&other, &pages), None);
        }
        words[1] = 99;
        core::hint::black_box(&words);
        assert_eq!(walks.find(&from, &pages), None);
        words[1] = 12;
        core::hint::black_box(&words);
        assert_eq!(walks.find(&from, &pages), Some(7));
        assert_eq!(
            walks.find(&from, &KnownPages::none()),
            None,
            "another stack"
        );
        walks.forget();
        assert_eq!(walks.find(&from, &pages), None);
    }

    #[test]
    fn a_frame_pointer_counts_where_a_step_is_based_on_it() {
        let (walks, pages) = (Walks::nothing(), KnownPages::none());
        let from = beginning(Frame::here());
        let mut saved = 21_usize;
        for (is_used, expected) in [(false, Some(7)), (true, None)] {
            saved = 21;
            let walk = walks.begin(&from).expect("nobody writes");
            let mut stack = Stack::new(from.here.stack_pointer, &pages, Some(walk));
            assert_eq!(
                stack.saved_frame_pointer(&raw const saved as usize),
                Some(21)
            );
            if is_used {
                stack.uses_frame_pointer();
            }
            drop(stack);
            walks.end(walk, &from, 7);
            assert_eq!(walks.find(&from, &pages), Some(7));
            saved = 22;
            core::hint::black_box(&saved);
            assert_eq!(walks.find(&from, &pages), expected);
        }
        assert_eq!(saved, 22);
    }

    #[test]
    fn a_walk_based_on_the_first_frame_pointer_needs_the_same() {
        let (walks, pages) = (Walks::nothing(), KnownPages::none());
        let from = beginning(Frame::here());
        let walk = walks.begin(&from).expect("nobody writes");
        Stack::new(from.here.stack_pointer, &pages, Some(walk)).uses_frame_pointer();
        walks.end(walk, &from, 7);
        assert_eq!(walks.find(&from, &pages), Some(7));
        let other = Frame {
            frame_pointer: !from.here.frame_pointer,
            ..from.here
        };
        assert_eq!(walks.find(&beginning(other), &pages), None);
    }

    #[test]
    fn what_is_read_by_the_kernel_or_is_too_much_is_not_remembered() {
        let (walks, pages) = (Walks::nothing(), KnownPages::none());
        let words = [1; WORDS + 1];
        let from = beginning(Frame::here());
        walk(&walks, from, &pages, &words);
        assert_eq!(walks.find(&from, &pages), None);
        walk(&walks, from, &pages, &words[..WORDS]);
        assert_eq!(walks.find(&from, &pages), Some(7));
        let elsewhere = Box::new(5_usize);
        walk(&walks, from, &pages, core::slice::from_ref(&*elsewhere));
        assert_eq!(walks.find(&from, &pages), None);
    }

    #[test]
    fn a_handler_that_interrupts_the_writing_finds_nothing() {
        let (walks, pages) = (Walks::nothing(), KnownPages::none());
        let from = beginning(Frame::here());
        walk(&walks, from, &pages, &[3]);
        let elsewhere = Beginning { site: 6, ..from };
        let written = walks.begin(&elsewhere).expect("nobody writes");
        assert!(walks.find(&from, &pages).is_none() && walks.begin(&from).is_none());
        walks.end(written, &elsewhere, 8);
        assert_eq!(walks.find(&elsewhere, &pages), Some(8));
    }
}
