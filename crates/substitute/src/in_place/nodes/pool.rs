//! The nodes that belong to no thread.
//!
//! A stack of free nodes (R. K. Treiber, "Systems Programming: Coping with Parallelism", IBM RJ 5118, 1986), whose head is a
//! number together with a count. Every change changes the count, so a head that has been taken and put back in between is not
//! mistaken for an unchanged one (no ABA). The head changes in one step, so a child that is forked in the middle of a change
//! finds a complete stack.
//!
//! Nodes are made in chunks. Each chunk has 64 more nodes than all chunks before it together, so the number of a node
//! determines its place. The first chunk is part of the library.
//!
//! # Invariants
//!
//! - **L1** A chunk stays where it is forever, so a node's `next_spare` can be read even if another thread has taken it in the
//!   meantime; the value is then not used.
//! - **L2** Numbers below `MADE` are nodes that were given out at least once; their chunks exist.

use core::ptr::NonNull;
use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use core::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64};

use locktoll_locks::QueueNode;
use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous, munmap};

/// The number of nodes in the first chunk: 8 KiB.
const FIRST: usize = 64;

/// Enough for 2^26 nodes: more than the number of threads that the kernel allows.
const CHUNKS: usize = 20;

static FIRST_CHUNK: [QueueNode; FIRST] = [const { QueueNode::new() }; FIRST];

/// The later chunks, made when they are needed.
static LATER_CHUNKS: [AtomicPtr<QueueNode>; CHUNKS - 1] =
    [const { AtomicPtr::new(core::ptr::null_mut()) }; CHUNKS - 1];

/// The free stack: a count in the upper half, and the number of the top node, plus one, in the lower.
static FREE: AtomicU64 = AtomicU64::new(0);

/// The number of nodes that have ever been given out.
static MADE: AtomicU32 = AtomicU32::new(0);

/// Takes a node that nobody has. If there is no memory for another, waits until some thread gives one back.
#[cold]
pub fn take() -> NonNull<QueueNode> {
    loop {
        if let Some(node) = pop().or_else(make) {
            return node;
        }
        locktoll_locks::yield_now();
    }
}

/// Takes back a node that is in no queue.
#[cold]
pub fn put(node: NonNull<QueueNode>) {
    let number = number_of(node.as_ptr());
    // Relaxed: a hint for the exchange.
    let mut free = FREE.load(Relaxed);
    loop {
        // SAFETY: L1, and the caller has the node.
        unsafe { node.as_ref() }.set_next_spare(node_of(free as u32));
        // Release: a thread that takes the node sees its link.
        match FREE.compare_exchange_weak(free, changed(free, number), Release, Relaxed) {
            Ok(_) => return,
            Err(now) => free = now,
        }
    }
}

/// Returns the number of nodes made.
#[cfg(test)]
pub fn made() -> u32 {
    MADE.load(Relaxed)
}

fn pop() -> Option<NonNull<QueueNode>> {
    // Acquire, here and on failure: pairs with the release in `put`, for the link.
    let mut free = FREE.load(Acquire);
    loop {
        let node = NonNull::new(node_of(free as u32))?;
        // SAFETY: L1.
        let next = number_of(unsafe { node.as_ref() }.next_spare());
        match FREE.compare_exchange_weak(free, changed(free, next), Acquire, Acquire) {
            Ok(_) => return Some(node),
            Err(now) => free = now,
        }
    }
}

/// Returns the word with another top, and another count.
fn changed(free: u64, top: u32) -> u64 {
    ((free >> 32).wrapping_add(1) << 32) | u64::from(top)
}

/// Returns a node that was never given out.
fn make() -> Option<NonNull<QueueNode>> {
    // Relaxed: a number; the chunk is published by its own pointer.
    let mut made = MADE.load(Relaxed);
    loop {
        let (chunk, offset) = place(made as usize);
        let first = chunk_or_new(chunk)?;
        match MADE.compare_exchange_weak(made, made + 1, Relaxed, Relaxed) {
            // SAFETY: the chunk has more nodes than `offset`.
            Ok(_) => return Some(unsafe { first.add(offset) }),
            Err(now) => made = now,
        }
    }
}

/// Returns the chunk of the node with this index, and the node's position in the chunk.
fn place(index: usize) -> (usize, usize) {
    let chunk = (index / FIRST + 1).ilog2() as usize;
    (chunk, index - FIRST * ((1 << chunk) - 1))
}

const fn nodes_in(chunk: usize) -> usize {
    FIRST << chunk
}

/// Returns the first node of a chunk, if the chunk has been made.
fn chunk(index: usize) -> Option<NonNull<QueueNode>> {
    match index.checked_sub(1) {
        None => Some(NonNull::from(&FIRST_CHUNK).cast()),
        // Acquire: pairs with the release below.
        Some(later) => NonNull::new(LATER_CHUNKS.get(later)?.load(Acquire)),
    }
}

fn chunk_or_new(index: usize) -> Option<NonNull<QueueNode>> {
    if let Some(made) = chunk(index) {
        return Some(made);
    }
    let place = LATER_CHUNKS.get(index.checked_sub(1)?)?;
    let bytes = nodes_in(index) * size_of::<QueueNode>();
    let (protection, flags) = (ProtFlags::READ | ProtFlags::WRITE, MapFlags::PRIVATE);
    // SAFETY: new memory, at an address that the kernel chooses.
    let memory = unsafe { mmap_anonymous(core::ptr::null_mut(), bytes, protection, flags) }.ok()?;
    // All zeros is a valid node: a state of 0 and a null link. A page is aligned well enough for nodes.
    let new = memory.cast::<QueueNode>();
    // Release: a thread that sees the chunk sees it mapped. Acquire: as in `chunk`.
    match place.compare_exchange(core::ptr::null_mut(), new, AcqRel, Acquire) {
        Ok(_) => NonNull::new(new),
        Err(other) => {
            // SAFETY: mapped above, and not passed to anybody.
            let _ = unsafe { munmap(memory, bytes) };
            NonNull::new(other)
        }
    }
}

/// Returns the node with a number, which is its index plus one; null for 0.
fn node_of(number: u32) -> *mut QueueNode {
    let Some(index) = (number as usize).checked_sub(1) else {
        return core::ptr::null_mut();
    };
    let (index, offset) = place(index);
    match chunk(index) {
        // SAFETY: the chunk has more nodes than `offset`.
        Some(first) => unsafe { first.as_ptr().add(offset) },
        None => core::ptr::null_mut(),
    }
}

/// Returns the number of a node; 0 for null, and for a pointer that is not a node.
fn number_of(node: *mut QueueNode) -> u32 {
    for index in 0..CHUNKS {
        let Some(first) = chunk(index) else { continue };
        let bytes = node.addr().wrapping_sub(first.addr().get());
        let offset = bytes / size_of::<QueueNode>();
        if offset < nodes_in(index) {
            return (FIRST * ((1 << index) - 1) + offset + 1) as u32;
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_tell_places() {
        assert_eq!(place(0), (0, 0));
        assert_eq!(place(FIRST - 1), (0, FIRST - 1));
        assert_eq!(place(FIRST), (1, 0));
        assert_eq!(place(3 * FIRST - 1), (1, 2 * FIRST - 1));
        assert_eq!(place(3 * FIRST), (2, 0));
        assert_eq!(number_of(core::ptr::null_mut()), 0);
        assert!(node_of(0).is_null());
    }

    #[test]
    fn nodes_keep_their_numbers_over_all_chunks() {
        let nodes: Vec<_> = (0..10 * FIRST).map(|_| take()).collect();
        for node in &nodes {
            let number = number_of(node.as_ptr());
            assert_ne!(number, 0);
            assert_eq!(node_of(number), node.as_ptr());
        }
        nodes.into_iter().for_each(put);
    }
}
