//! The records of a thread at its end, and of all threads that live at the end of the process.

use core::sync::atomic::Ordering::Relaxed;

use locktoll_recording::layout::ThreadRecord;
use locktoll_recording::writer::store_bytes;

use crate::clock;
use crate::recorder::Recorder;
use crate::sys;
use crate::text::{Text, number_after, numbers};
use crate::usage::Usage;

/// Threads that lived no longer are not asked how long they waited for a processor: zero is written.
const LONG_LIFE_NS: u64 = 10_000_000;

/// The calling thread ends, and gives its slot back.
pub fn end(life: &ThreadRecord) {
    let now_ns = clock::monotonic_ns();
    store_bytes(&life.name, &sys::thread_name());
    if let Some(usage) = Usage::of_thread() {
        life.voluntary_switches
            .store(usage.voluntary_switches, Relaxed);
        life.involuntary_switches
            .store(usage.involuntary_switches, Relaxed);
    }
    // Opening a file takes a descriptor for a moment, which another thread may be about to use; so it is not done for
    // threads whose waiting for a processor hardly counts.
    let lived_ns = now_ns.saturating_sub(life.start_ns.load(Relaxed));
    if lived_ns >= LONG_LIFE_NS {
        let mut path = Text::<40>::default();
        path.push(b"/proc/thread-self/schedstat");
        read_schedule(life, &path, now_ns);
    } else {
        life.cpu_ns.store(clock::thread_cpu_ns(), Relaxed);
        life.kernel_read_ns.store(now_ns, Relaxed);
    }
    end_cancelled_wait(life);
    life.end_ns.store(now_ns, Relaxed);
}

/// The thread may have been cancelled in a wait for a semaphore, and waits no more.
fn end_cancelled_wait(life: &ThreadRecord) {
    if life.waiting_since_ns.swap(0, Relaxed) == 0 {
        return;
    }
    let lock = life.waiting_lock.load(Relaxed) as usize;
    if let Some(recorder) = Recorder::get()
        // What is waited for as a signal has no entry, or one from a lock that was there before.
        && let Some(entry) = recorder.contended.find(lock)
        && entry.has_waiters()
    {
        recorder.contended.end_wait(lock, entry);
    }
}

/// The process runs its exit handlers: notes what the kernel knows of every thread that lives.
pub fn note_all() {
    let Some(recorder) = Recorder::get() else {
        return;
    };
    let now_ns = clock::monotonic_ns();
    for thread in recorder.holders.all() {
        let tid = thread.tid.load(Relaxed);
        if let Some(life) = thread.life().filter(|_| tid != 0) {
            read_schedule(life, &path(tid, b"/schedstat"), now_ns);
            read_switches(life, &path(tid, b"/status"));
            read_name(life, &path(tid, b"/comm"));
        }
    }
}

fn path(tid: u32, file: &[u8]) -> Text<40> {
    let mut path = Text::default();
    path.push(b"/proc/self/task/");
    path.push_number(u64::from(tid));
    path.push(file);
    path
}

/// proc(5): time on a processor, time waiting for one, and how often it had one.
fn read_schedule(life: &ThreadRecord, path: &Text<40>, now_ns: u64) {
    let mut buffer = [0; 64];
    let Some(text) = read(path, &mut buffer) else {
        return;
    };
    let [cpu_ns, run_delay_ns] = numbers(text);
    life.cpu_ns.store(cpu_ns, Relaxed);
    life.run_delay_ns.store(run_delay_ns, Relaxed);
    life.kernel_read_ns.store(now_ns, Relaxed);
}

/// The last two lines of proc_pid_status(5).
fn read_switches(life: &ThreadRecord, path: &Text<40>) {
    let mut buffer = [0; 4096];
    let Some(text) = read(path, &mut buffer) else {
        return;
    };
    let after = |name| number_after(text, name).unwrap_or(0);
    let voluntary = after(b"\nvoluntary_ctxt_switches:");
    let involuntary = after(b"\nnonvoluntary_ctxt_switches:");
    life.voluntary_switches.store(voluntary, Relaxed);
    life.involuntary_switches.store(involuntary, Relaxed);
}

fn read_name(life: &ThreadRecord, path: &Text<40>) {
    let mut buffer = [0; 16];
    let Some(text) = read(path, &mut buffer) else {
        return;
    };
    let name = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let mut ended = [0; 16];
    let kept = name.len().min(ended.len() - 1);
    ended[..kept].copy_from_slice(&name[..kept]);
    store_bytes(&life.name, &ended);
}

fn read<'b>(path: &Text<40>, buffer: &'b mut [u8]) -> Option<&'b [u8]> {
    let file = sys::open(path.to_c_str()?, libc::O_RDONLY, 0).ok()?;
    // Whole, since the kernel writes these files into the buffer at once, and they are shorter.
    let length = file.read(buffer).ok()?;
    buffer.get(..length)
}
