//! The walk from the library's own frame to the program's outermost frame.

use locktoll_recording::layout::STACK_FRAMES;

use super::frame::Frame;
use super::remembered::{Beginning, Walk};
use super::stack::{KnownPages, Stack};
use super::step::{self, Knowledge};

/// The greatest number of this library's frames between the program's call and the walk.
const OWN_FRAMES: usize = 32;

/// The calls that a thread is in, innermost first. Entry `n` is the address after the `n`th call. For a function that a signal
/// interrupted, it is the address after the first byte of the interrupted instruction.
pub struct Calls {
    pub addresses: [usize; STACK_FRAMES],
    pub count: usize,
    /// Whether there were more.
    pub is_truncated: bool,
}

impl Calls {
    pub fn addresses(&self) -> &[usize] {
        self.addresses.get(..self.count).unwrap_or(&[])
    }

    /// An empty list that a walk fills in place. Returning the list would copy it, on stacks that have little room.
    pub const NONE: Self = Self {
        addresses: [0; STACK_FRAMES],
        count: 0,
        is_truncated: false,
    };

    /// Finds the calls that led to `site`: the return address, in the program, of the call that this thread is in.
    ///
    /// The first call is `site`; it is the only one if the way to it cannot be found. At most `frames` calls are found. The
    /// walk begins in a frame that lasts as long as the walk, and may be noted in `walk`.
    #[inline(never)]
    pub fn find(
        &mut self,
        beginning: &Beginning,
        knowledge: Knowledge<'_>,
        known_pages: &KnownPages,
        walk: Option<&Walk>,
    ) {
        let Beginning { here, site, .. } = *beginning;
        self.addresses[0] = site;
        self.count = 1;
        let mut stack = Stack::new(here.stack_pointer, known_pages, walk);
        match find(site, here, knowledge, &mut stack) {
            Some(frame) => self.follow(frame, beginning.frames, knowledge, &mut stack),
            None => stack.spoil(),
        }
    }

    fn follow(
        &mut self,
        mut frame: Frame,
        frames: usize,
        knowledge: Knowledge<'_>,
        stack: &mut Stack<'_>,
    ) {
        let places = frames.min(STACK_FRAMES);
        while let Some(caller) = step::caller(&frame, knowledge, stack) {
            let Some(place) = self.addresses[..places].get_mut(self.count) else {
                self.is_truncated = true;
                return;
            };
            *place = caller.address.wrapping_add(usize::from(caller.is_exact));
            self.count += 1;
            frame = caller;
        }
    }
}

/// Finds the program's function that made the call before `site`, going outwards from `frame`.
fn find(
    site: usize,
    mut frame: Frame,
    knowledge: Knowledge<'_>,
    stack: &mut Stack<'_>,
) -> Option<Frame> {
    for _ in 0..OWN_FRAMES {
        frame = step::caller(&frame, knowledge, stack)?;
        // This library's functions have tables; a walk that has come here without them is lost.
        if !stack.is_trusted() {
            return None;
        }
        if frame.address == site {
            return Some(frame);
        }
    }
    None
}
