//! The stack space that a walk needs, and walks by threads that have hardly any.

use std::ffi::c_void;
use std::hint::black_box;
use std::ptr::null_mut;
use std::sync::LazyLock;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::SeqCst;

use locktoll_recording::layout::{BirthBy, LockKind};
use tempfile::TempDir;

use super::fixture::{Library, calls_to, recorder};
use crate::numbers::StackCache;
use crate::recorder::Recorder;
use crate::unwind::Calls;
use crate::unwind::Frame;

struct Task {
    library: Library,
    action: fn(usize) -> Calls,
}

extern "C" fn run(task: *mut c_void) -> *mut c_void {
    // SAFETY: `walk_on_stack` waits for this thread, and does not touch it meanwhile.
    let task = unsafe { &*task.cast::<Task>() };
    let walk = task.library.walk_by("descend", 3, task.action);
    assert!(walk.found().starts_with(&walk.noted()));
    null_mut()
}

/// Walks by `action` in a thread on `stack`.
fn walk_on_stack(stack: &mut [u8], action: fn(usize) -> Calls) {
    let mut task = Task {
        library: Library::load(&["-O2"]),
        action,
    };
    let mut thread = 0;
    // SAFETY: nobody else uses the stack, and it outlives the thread, which is waited for.
    unsafe {
        let mut attributes: libc::pthread_attr_t = std::mem::zeroed();
        libc::pthread_attr_init(&raw mut attributes);
        let start = stack.as_mut_ptr().cast();
        let made = libc::pthread_attr_setstack(&raw mut attributes, start, stack.len());
        assert_eq!(made, 0);
        let argument = (&raw mut task).cast();
        let started = libc::pthread_create(&raw mut thread, &raw const attributes, run, argument);
        assert_eq!(started, 0);
        libc::pthread_join(thread, null_mut());
        libc::pthread_attr_destroy(&raw mut attributes);
    }
}

#[test]
fn the_smallest_stack_is_large_enough() {
    let mut stack = vec![0; libc::PTHREAD_STACK_MIN];
    walk_on_stack(&mut stack, calls_to);
}

#[test]
fn what_is_done_the_first_time_takes_little_stack() {
    /// An optimised build needs far less; the rest is a margin for other compilers.
    const MOST: usize = if cfg!(debug_assertions) {
        12 << 10
    } else {
        3 << 10
    };
    const STACK: usize = 256 << 10;
    /// A value that nothing writes by chance.
    const PAINT: u8 = 0xA5;
    /// The stack space that the painting itself uses.
    const OWN: usize = 512;
    static START: AtomicUsize = AtomicUsize::new(0);
    static NEEDED: [AtomicUsize; 3] = [const { AtomicUsize::new(0) }; 3];

    #[inline(never)]
    fn needed(work: impl FnOnce()) -> usize {
        let start = START.load(SeqCst) as *mut u8;
        let top = Frame::here().stack_pointer;
        let painted = top - OWN - start as usize;
        // SAFETY: the range lies below the part of this thread's own stack that is in use.
        unsafe { start.write_bytes(PAINT, painted) };
        work();
        // SAFETY: as above.
        let untouched = (0..painted).find(|&at| unsafe { start.add(at).read_volatile() } != PAINT);
        top - start as usize - untouched.unwrap_or(painted)
    }

    /// Started before the library is loaded, so that the library is a file yet to be found.
    static RECORDER: LazyLock<(&Recorder, TempDir)> = LazyLock::new(recorder);

    fn measure(site: usize) -> Calls {
        let recorder = RECORDER.0;
        let cache = StackCache::nothing();
        // Not unrolled: three calls would make three stacks.
        for needed_bytes in black_box(&NEEDED[..]) {
            let bytes = needed(|| {
                let (by, kind) = (BirthBy::FirstUse, LockKind::Mutex);
                assert_eq!(recorder.birth_id(Some(&cache), site, by, kind, None), 1);
            });
            needed_bytes.store(bytes, SeqCst);
        }
        calls_to(site)
    }

    let _begun = &*RECORDER;
    let mut stack = vec![0; STACK];
    START.store(stack.as_ptr() as usize, SeqCst);
    walk_on_stack(&mut stack, measure);
    // The first walk finds a new file. After that, the second learns about the other files again.
    let [first, _, again] = [0, 1, 2].map(|time: usize| NEEDED[time].load(SeqCst));
    println!("stack for a birth: {first} bytes the first time, {again} bytes again");
    assert!(first < MOST, "{first} bytes of stack");
    assert!(again < first, "{again} bytes of stack");
}
