//! The records of a thread at its end, and of all live threads at the end of the process.

use core::sync::atomic::Ordering::Relaxed;

use locktoll_recording::layout::ThreadRecord;
use locktoll_recording::writer::store_bytes;

use crate::clock;
use crate::recorder::Recorder;
use crate::sys;
use crate::text::{Text, number_after, numbers};
use crate::usage::Usage;

/// For threads that lived no longer than this, the kernel is not asked how long they waited for a processor: zero is written.
const LONG_LIFE_NS: u64 = 10_000_000;

/// Notes that the calling thread ends and gives its slot back.
pub fn end(life: &ThreadRecord) {
    let now_ns = clock::monotonic_ns();
    store_bytes(&life.name, &sys::thread_name());
    if let Some(usage) = Usage::of_thread() {
        life.voluntary_switches
            .store(usage.voluntary_switches, Relaxed);
        life.involuntary_switches
            .store(usage.involuntary_switches, Relaxed);
    }
    // Opening a file takes a descriptor for a moment, and another thread may be about to use that number. So it is not done
    // for threads whose waits for a processor hardly matter.
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

/// Ends a wait for a semaphore in which the thread may have been cancelled.
fn end_cancelled_wait(life: &ThreadRecord) {
    if life.waiting_since_ns.swap(0, Relaxed) == 0 {
        return;
    }
    let lock = life.waiting_lock.load(Relaxed) as usize;
    if let Some(recorder) = Recorder::get()
        // A semaphore that is a signal has no entry, or one from a lock that was at its address before.
        && let Some(entry) = recorder.contended.find(lock)
        && entry.has_waiters()
    {
        recorder.contended.end_wait(lock, entry);
    }
}

/// Called when the process runs its exit handlers: notes what the kernel knows about every live thread.
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

/// Reads proc(5): the time on a processor, the time waiting for one, and how often the thread ran on one.
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

/// Reads the last two lines of proc_pid_status(5).
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
    // One read is enough, since the kernel writes these files into the buffer at once, and they are shorter than it.
    let length = file.read(buffer).ok()?;
    buffer.get(..length)
}

#[cfg(test)]
mod tests;
