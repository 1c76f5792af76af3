//! Models of the queue locks, with nodes of their own.
#![cfg(locktoll_loom)]

use locktoll_lock_checks::models as checker;

use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use checker::{Models, ORDERINGS, PARKING, WRONG_DATA};
use locktoll_locks::*;
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;

/// A lock whose callers bring nodes, each as it is called by its own name.
trait Queue: Send + Sync + 'static {
    fn make() -> Self;
    /// Locks with `node`, works, unlocks; the nodes that the caller may use afterwards.
    fn locked(&self, node: NonNull<QueueNode>, work: impl FnOnce()) -> Vec<NonNull<QueueNode>>;
    /// Whether the lock could be had at once; and the nodes as above.
    fn tried(
        &self,
        node: NonNull<QueueNode>,
        work: impl FnOnce(),
    ) -> (bool, Vec<NonNull<QueueNode>>);
}

impl Queue for ClhQueue {
    fn make() -> Self {
        Self::new()
    }

    fn locked(&self, node: NonNull<QueueNode>, work: impl FnOnce()) -> Vec<NonNull<QueueNode>> {
        let mut back = Vec::new();
        // SAFETY: the nodes live as long as the model, and each is in one place.
        unsafe { self.lock_with(node, |node| back.push(node)) };
        work();
        // SAFETY: locked above.
        unsafe { self.unlock_with(node) };
        back
    }

    fn tried(
        &self,
        node: NonNull<QueueNode>,
        work: impl FnOnce(),
    ) -> (bool, Vec<NonNull<QueueNode>>) {
        let mut back = Vec::new();
        // SAFETY: as in `locked`.
        let acquired = unsafe { self.try_lock_with(node, |node| back.push(node)) };
        if acquired {
            work();
            // SAFETY: acquired above.
            unsafe { self.unlock_with(node) };
        }
        (acquired, back)
    }
}

macro_rules! queue_that_returns_nodes {
    ($lock:ty, $make:expr $(, $spin:expr)?) => {
        impl Queue for $lock {
            fn make() -> Self {
                $make
            }

            fn locked(
                &self,
                node: NonNull<QueueNode>,
                work: impl FnOnce(),
            ) -> Vec<NonNull<QueueNode>> {
                // SAFETY: the nodes live as long as the model, and each is in one place.
                unsafe { self.lock_with(node $(, $spin)?) };
                work();
                // SAFETY: locked above.
                unsafe { self.unlock_with(node) };
                vec![node]
            }

            fn tried(
                &self,
                node: NonNull<QueueNode>,
                work: impl FnOnce(),
            ) -> (bool, Vec<NonNull<QueueNode>>) {
                // SAFETY: as above.
                let acquired = unsafe { self.try_lock_with(node) };
                if acquired {
                    work();
                    // SAFETY: acquired above.
                    unsafe { self.unlock_with(node) };
                }
                (acquired, vec![node])
            }
        }
    };
}
queue_that_returns_nodes!(McsQueue, McsQueue::new());
queue_that_returns_nodes!(McsParkQueue, McsParkQueue::new(), 0);

struct Protected<Q> {
    queue: Q,
    nodes: [QueueNode; 4],
    count: UnsafeCell<u32>,
}

// SAFETY: the count is touched under the lock; that this excludes is what loom checks.
unsafe impl<Q: Queue> Sync for Protected<Q> {}
// SAFETY: as above.
unsafe impl<Q: Queue> Send for Protected<Q> {}

impl<Q: Queue> Protected<Q> {
    fn new() -> Arc<Self> {
        Arc::new(Self {
            queue: Q::make(),
            nodes: [(); 4].map(|()| QueueNode::new()),
            count: UnsafeCell::new(0),
        })
    }

    fn node(&self, index: usize) -> NonNull<QueueNode> {
        NonNull::from(&self.nodes[index])
    }

    fn count_up(&self) {
        // SAFETY: loom checks that no other access overlaps.
        self.count.with_mut(|count| unsafe { *count += 1 });
    }

    fn expect(&self, count: u32) {
        // SAFETY: all contenders have ended.
        self.count
            .with(|is| assert_eq!(unsafe { *is }, count, "{WRONG_DATA}"));
    }
}

/// Two contenders, one of which comes twice with whatever node it has got back, then once more.
fn contended<Q: Queue>() {
    let shared = Protected::<Q>::new();
    let other = Arc::clone(&shared);
    let contender = thread::spawn(move || {
        other.queue.locked(other.node(1), || other.count_up());
    });
    let mut node = shared.node(0);
    for _ in 0..2 {
        let back = shared.queue.locked(node, || shared.count_up());
        node = back.last().copied().unwrap_or(shared.node(2));
    }
    contender.join().unwrap();
    shared.queue.locked(node, || shared.count_up());
    shared.expect(4);
}

/// One contender tries while the other comes twice, so that the node which the try has looked at
/// can leave the queue and come back to it.
fn tried<Q: Queue>(abandoned: &AtomicBool) {
    let shared = Protected::<Q>::new();
    // From here on the tail is a released node, node 0, for the locks that keep one.
    let mine = shared.queue.locked(shared.node(0), || shared.count_up());
    let other = Arc::clone(&shared);
    let contender = thread::spawn(move || {
        let (acquired, back) = other.queue.tried(other.node(1), || other.count_up());
        (acquired, acquired || back.contains(&other.node(1)))
    });
    let mut node = mine.last().copied().unwrap_or(shared.node(2));
    let mut returned = 0;
    // Once to let the node go, once to bring it back, once to come upon an abandoned place.
    for _ in 0..3 {
        let back = shared.queue.locked(node, || shared.count_up());
        returned += back.len();
        node = back.last().copied().unwrap_or(shared.node(3));
    }
    let (acquired, settled) = contender.join().unwrap();
    abandoned.fetch_or(!settled, Relaxed);
    returned += shared.queue.locked(node, || shared.count_up()).len();
    shared.expect(5 + u32::from(acquired));
    // A node for each acquisition, and the abandoned one.
    assert_eq!(returned, 4 + usize::from(!settled), "{WRONG_DATA}");
}

#[test]
fn clh() {
    static ABANDONED: AtomicBool = AtomicBool::new(false);
    let models = Models::of("clh")
        .explore("locks", ORDERINGS, contended::<ClhQueue>)
        .explore("locks and a try", ORDERINGS, || {
            tried::<ClhQueue>(&ABANDONED)
        });
    // The model must have come to the case that it is for.
    assert!(ABANDONED.load(Relaxed), "no try was caught out");
    // It lets a try see the node made that it looks at; a model's nodes exist from the start.
    models.need_every_ordering(&[("clh.rs", "let last = self.tail.load(Ordering::Acquire)")]);
}

#[test]
fn mcs() {
    static UNUSED: AtomicBool = AtomicBool::new(false);
    Models::of("mcs")
        .explore("locks", ORDERINGS, contended::<McsQueue>)
        .explore("locks and a try", ORDERINGS, || tried::<McsQueue>(&UNUSED))
        .need_every_ordering(&[
            // These let the holder see its successor's node made, and WAITING stored before it
            // stores GRANTED. A model's nodes exist from the start, and its stores to
            // one word keep the order in which they run.
            (
                "mcs.rs",
                "before.link.store(node.as_ptr(), Ordering::Release)",
            ),
            ("mcs.rs", "own.link.load(Ordering::Acquire)"),
            ("mcs.rs", "self.link.load(Ordering::Acquire)"),
        ]);
}

#[test]
fn mcs_park() {
    static UNUSED: AtomicBool = AtomicBool::new(false);
    Models::of("mcs_park")
        .explore("locks", PARKING, contended::<McsParkQueue>)
        .explore("locks and a try", ORDERINGS, || {
            tried::<McsParkQueue>(&UNUSED)
        })
        .need_every_ordering(&[
            // As for `mcs`.
            (
                "mcs_park.rs",
                "before.link.store(node.as_ptr(), Ordering::Release)",
            ),
            ("mcs_park.rs", "own.link.load(Ordering::Acquire)"),
            ("mcs.rs", "self.link.load(Ordering::Acquire)"),
        ]);
}
