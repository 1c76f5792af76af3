//! The white paper's first kernel: an allocator's free list.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::Workload;
use super::traits::expect_equal;
use crate::cell::Cell;

/// Marks the end of the list.
const END: u32 = u32::MAX;

/// A singly linked list of nodes named by index. Half of them are in the list, and each thread pops one, then pushes it back.
/// (Indices keep a broken lock from following a wild pointer.)
pub(crate) struct List {
    head: AtomicU32,
    next: Box<[Node]>,
}

/// A node on its own cache line, like most allocated objects.
#[repr(align(64))]
struct Node(AtomicU32);

impl Workload for List {
    /// The node that this thread holds, if any.
    type Local = Option<u32>;

    fn new(cell: &Cell) -> Self {
        // One for each thread and the same number again, so that a pop always finds one.
        let nodes = cell.threads * 2;
        Self {
            head: AtomicU32::new(0),
            next: (1..=nodes)
                .map(|next| Node(AtomicU32::new(if next == nodes { END } else { next })))
                .collect(),
        }
    }

    fn local(&self, _thread: u32) -> Option<u32> {
        None
    }

    #[inline]
    fn enter(&self, held: &mut Option<u32>) -> bool {
        // Relaxed throughout: the lock orders the accesses.
        let head = self.head.load(Relaxed);
        match held.take() {
            Some(node) => {
                self.next[node as usize].0.store(head, Relaxed);
                self.head.store(node, Relaxed);
            }
            None if head == END => return false,
            None => {
                let next = self.next[head as usize].0.load(Relaxed);
                self.head.store(next, Relaxed);
                *held = Some(head);
            }
        }
        true
    }

    fn verify(&self, locals: Vec<Option<u32>>, _operations: u64) -> Result<(), String> {
        // Every node is in exactly one place: in the list, or held by one thread.
        let mut seen = vec![0u64; self.next.len()];
        for node in locals.into_iter().flatten() {
            seen[node as usize] += 1;
        }
        let mut node = self.head.load(Relaxed);
        let mut steps = 0;
        while node != END && steps <= self.next.len() {
            seen[node as usize] += 1;
            node = self.next[node as usize].0.load(Relaxed);
            steps += 1;
        }
        let once = seen.iter().filter(|times| **times == 1).count();
        expect_equal(
            "list nodes found exactly once",
            once as u64,
            self.next.len() as u64,
        )
    }
}
