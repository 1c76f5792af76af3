//! Reading a stack that is made up, some of whose pages cannot be read.

use std::ptr::null_mut;

use crate::unwind::stack::{KnownPages, Stack};
use crate::unwind::{Beginning, Frame, Walks};

const PAGE: usize = 4096;
const WORD: usize = size_of::<usize>();

/// Mapped pages. Each of their words is its own address, except those of pages that cannot be read.
struct Pages(usize, usize);

impl Pages {
    fn of(count: usize) -> Self {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: new memory, which nobody else uses.
        let memory = unsafe { libc::mmap(null_mut(), count * PAGE, access, flags, -1, 0) };
        assert_ne!(memory, libc::MAP_FAILED);
        let begin = memory as usize;
        for address in (begin..begin + count * PAGE).step_by(WORD) {
            // SAFETY: just mapped, and aligned.
            unsafe { (address as *mut usize).write(address) };
        }
        Self(begin, count)
    }

    fn page(&self, number: usize) -> usize {
        self.0 + number * PAGE
    }

    fn hide(&self, number: usize) {
        let page = self.page(number) as *mut libc::c_void;
        // SAFETY: the page is ours, and nobody has a reference into it.
        assert_eq!(unsafe { libc::mprotect(page, PAGE, libc::PROT_NONE) }, 0);
    }

    /// Returns which of the pages are known.
    fn known(&self, known: &KnownPages) -> Vec<usize> {
        let is_known = |number: &usize| {
            let page = self.page(*number);
            let ends = [page, page + PAGE - 1].map(|it| known.contain(it));
            assert_eq!(ends[0], ends[1], "pages are known as a whole");
            ends[0]
        };
        (0..self.1).filter(is_known).collect()
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        // SAFETY: nobody uses them any more.
        unsafe { libc::munmap(self.0 as *mut libc::c_void, self.1 * PAGE) };
    }
}

#[test]
fn the_range_grows_upwards_page_by_page() {
    let (pages, known) = (Pages::of(6), KnownPages::none());
    let mut stack = Stack::new(pages.page(1) + 104, &known, None);
    let (first, high) = (pages.page(1), pages.page(2));
    for address in [first, first + 104, high - WORD, high, pages.page(4) + 16] {
        assert_eq!(stack.word(address), Some(address));
        assert_eq!(stack.saved_frame_pointer(address), Some(address));
        assert!((1..WORD).all(|more| stack.word(address + more).is_none()));
    }
    assert!(stack.is_trusted());
    drop(stack);
    assert_eq!(pages.known(&known), [1, 2, 3, 4]);
    known.forget();
    assert!(pages.known(&known).is_empty());
}

#[test]
fn the_range_ends_at_a_page_that_cannot_be_read() {
    let (pages, known) = (Pages::of(6), KnownPages::none());
    pages.hide(3);
    let mut stack = Stack::new(pages.page(1), &known, None);
    assert_eq!(stack.word(pages.page(3)), None);
    // The kernel reads the words beyond that page, and those below the stack pointer.
    for address in [pages.page(4), pages.page(0)] {
        assert_eq!(stack.word(address), Some(address));
    }
    drop(stack);
    assert_eq!(pages.known(&known), [1, 2]);
}

#[test]
fn a_frame_of_sixty_four_pages_is_not_walked_over() {
    for (page, expected) in [(65, 66), (66, 2)] {
        let (pages, known) = (Pages::of(70), KnownPages::none());
        let mut stack = Stack::new(pages.page(1), &known, None);
        // The range ends with page 1.
        let address = pages.page(page) + 8;
        assert_eq!(stack.word(address), Some(address));
        drop(stack);
        assert_eq!(pages.known(&known), (1..expected).collect::<Vec<_>>());
    }
}

#[test]
fn addresses_that_may_be_anything_do_not_let_the_range_grow() {
    let (pages, known) = (Pages::of(4), KnownPages::none());
    let mut stack = Stack::new(pages.page(0), &known, None);
    stack.distrust();
    assert!(!stack.is_trusted());
    for address in [pages.page(0) + 8, pages.page(1), pages.page(2)] {
        assert_eq!(stack.word(address), Some(address));
    }
    drop(stack);
    assert_eq!(pages.known(&known), [0]);
}

#[test]
fn pages_that_an_earlier_walk_came_through_are_known() {
    let (pages, known) = (Pages::of(10), KnownPages::none());
    let walk = |from: usize, to: usize| {
        let mut stack = Stack::new(pages.page(from) + 8, &known, None);
        assert_eq!(stack.word(pages.page(to)), Some(pages.page(to)));
        drop(stack);
        pages.known(&known)
    };
    assert_eq!(walk(3, 5), [3, 4, 5]);
    // Those below the stack pointer stay known: the stack may be as long again.
    assert_eq!(walk(4, 6), [3, 4, 5, 6]);
    assert_eq!(walk(5, 5), [3, 4, 5, 6]);
    // They are not read again. Nothing hides pages of a real stack.
    pages.hide(6);
    assert_eq!(walk(3, 5), [3, 4, 5, 6]);
    assert_eq!(walk(1, 4), [1, 2, 3, 4, 5, 6]);
    assert_eq!(walk(8, 9), [8, 9], "another stack");
    assert_eq!(walk(7, 7), [7], "its first page is not among them");
}

/// Whether a walk that takes `steps` on four pages is remembered.
fn is_remembered(steps: impl FnOnce(&mut Stack<'_>, &Pages)) -> bool {
    let (pages, known, walks) = (Pages::of(4), KnownPages::none(), Walks::nothing());
    let from = Beginning {
        here: Frame {
            stack_pointer: pages.page(1),
            ..Frame::here()
        },
        site: 5,
        frames: 16,
        generation: 1,
    };
    let walk = walks.begin(&from).expect("nobody writes");
    let mut stack = Stack::new(pages.page(1), &known, Some(walk));
    steps(&mut stack, &pages);
    drop(stack);
    walks.end(walk, &from, 7);
    walks.find(&from, &known) == Some(7)
}

#[test]
fn a_walk_that_left_the_range_is_not_remembered() {
    assert!(is_remembered(|_, _| {}));
    assert!(is_remembered(|stack, pages| {
        stack.word(pages.page(2));
        stack.uses_frame_pointer();
    }));
    assert!(!is_remembered(|stack, pages| {
        stack.word(pages.page(0));
    }));
    assert!(!is_remembered(|stack, pages| {
        stack.saved_frame_pointer(pages.page(0));
    }));
    assert!(!is_remembered(|stack, _| stack.distrust()));
    assert!(!is_remembered(|stack, _| stack.spoil()));
}
