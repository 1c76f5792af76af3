//! The maps' entries, as `bpf/tables.bpf.h` and `bpf/images.bpf.h` lay them out.

use aya::Pod;

use super::call::Call;

/// How many powers of two a histogram has.
pub const BUCKETS: usize = 40;

/// How many bytes are kept on either side of a word.
pub const AROUND: usize = 48;

/// Structures that have the same layout in C and Rust.
macro_rules! raw {
    ($($(#[$doc:meta])* $name:ident { $($field:ident: $kind:ty),* $(,)? })*) => {$(
        $(#[$doc])*
        #[repr(C)]
        #[derive(Clone, Copy, Debug)]
        pub struct $name {
            $(pub $field: $kind,)*
        }

        // SAFETY: plain integers and arrays of them, with no bytes between (the assertion adds them up), laid out as C does: any bytes
        // are a value.
        unsafe impl Pod for $name {}
        const _: () = assert!(size_of::<$name>() == 0 $(+ size_of::<$kind>())*);
    )*};
}

raw! {
    /// `struct thread_key`.
    ThreadKey { process: u32, thread: u32 }

    /// `struct place`.
    Place { ip: u64, sp: u64, bp: u64, word: u64, stack: u32, padding: u32 }

    /// `struct thread`.
    Thread {
        asleep_ns: u64,
        word: u64,
        second: u64,
        call: u32,
        op: u32,
        value: u32,
        owner: u32,
        woken_ns: u64,
        ended_on: u64,
        waker_process: u32,
        waker_stack: u32,
        suspended_ns: u64,
        suspended_by: i32,
        stack: u32,
        restarted: u32,
        flags: u32,
        own_stack: u32,
        woke: u32,
        off_ns: u64,
        preempted_ns: u64,
        preempted: u64,
        yielded: u64,
        wanted_word: u64,
        off_word: u64,
        off_waited_ns: u64,
        counted_on: u64,
        waits: u64,
        wait_ns: u64,
        max_ns: u64,
        places: [Place; 2],
        global: u32,
        process: u32,
        thread: u32,
        padding: u32,
        began_ns: u64,
        ended_ns: u64,
        user_ns: u64,
        system_ns: u64,
        cpu_ns: u64,
        run_delay_ns: u64,
        voluntary: u64,
        involuntary: u64,
        name: [u8; 16],
    }

    /// `struct wait_key`.
    WaitKey {
        word: u64,
        ended_on: u64,
        process: u32,
        op: u32,
        call: u32,
        stack: u32,
        waker_process: u32,
        waker_stack: u32,
    }

    /// `struct wait`.
    Wait {
        woken: u64,
        at_once: u64,
        again: u64,
        timed_out: u64,
        interrupted: u64,
        failed: u64,
        restarted: u64,
        total_ns: u64,
        max_ns: u64,
        runnable_ns: u64,
        owner_known: u64,
        log2: [u64; BUCKETS],
    }

    /// `struct wake_key`.
    WakeKey { word: u64, second: u64, process: u32, op: u32, call: u32, stack: u32 }

    /// `struct wake`.
    Wake { empty: u64, failed: u64, met: u64, woken: u64, moved: u64 }

    /// `struct owner_key`.
    OwnerKey { word: u64, process: u32, thread: u32 }

    /// `struct owner`.
    Owner { count: u64, wait_ns: u64 }

    /// `struct word_key`.
    WordKey { word: u64, process: u64 }

    /// `struct holder`.
    Holder { last_ns: u64, waited_ns: u64, waiters: u32, owner: u32 }

    /// `struct preemption`.
    Preemption { count: u64, total_ns: u64, waited_ns: u64, max_ns: u64, log2: [u64; BUCKETS] }

    /// `struct word`.
    Word {
        joined: u64,
        value: u32,
        has_before: u8,
        has_from: u8,
        padding: [u8; 2],
        before: [u8; AROUND],
        from: [u8; AROUND],
    }

    /// `struct moved_key`.
    MovedKey { from: u64, to: u64, process: u64 }

    /// `struct moved`.
    Moved { count: u64, before_ns: u64, after_ns: u64 }

    /// `struct image`.
    Image { process: u32, parent: u32, is_by_exec: u32, padding: u32, began_ns: u64, ended_ns: u64 }
}

impl Thread {
    /// Creates the entry of a thread that has not done anything yet.
    pub fn new(process: u32, thread: u32, global: u32, name: &str) -> Self {
        let mut bytes = [0; 16];
        let name = name.trim_end().as_bytes();
        let length = name.len().min(bytes.len() - 1);
        bytes[..length].copy_from_slice(&name[..length]);
        // SAFETY: any bytes are a value (see above), zeros too.
        let nothing: Self = unsafe { std::mem::zeroed() };
        Self {
            process,
            thread,
            global,
            name: bytes,
            ..nothing
        }
    }

    /// Whether it waits in a call that began before the programs at functions were in place, and whose end [no
    /// function](super::returns) shows.
    pub fn is_in_earlier_call(&self) -> bool {
        let is_plain = Call::of(self.call) == Some(Call::Wait);
        self.asleep_ns != 0 && self.flags & ENTERED_BEFORE != 0 && !is_plain
    }
}

/// The flag of `bpf/tables.bpf.h`.
const ENTERED_BEFORE: u32 = 16;

/// `enum counter`.
#[derive(Clone, Copy, Debug)]
#[repr(u32)]
pub enum Counter {
    NoThread,
    NoWait,
    NoWake,
    NoOwner,
    NoPreemption,
    NoWord,
    NoMoved,
    NoEnded,
    NoImage,
    BegunBefore,
    ThreadsStarted,
    ThreadsEnded,
    ProcessesStarted,
    ProcessesEnded,
    ProgramsReplaced,
}
