//! The threads that sleep in a futex call now: the record that the kernel's program writes for each (`bpf/asleep.bpf.h`), and
//! their stacks.

use std::collections::HashMap;
use std::fs::File;

use super::before_watching::threads_of;
use super::gathered::Gathered;
use super::unwind::{Code, Registers, walk};
use crate::ebpf::Loaded;
use locktoll_terminal::system::files::{open_of_process, text_of_process};

/// A thread that sleeps in a futex call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asleep {
    /// The process.
    pub process: u32,
    /// The thread, by its number in the program's own pid namespace.
    pub thread: u32,
    /// The registers of the thread.
    pub registers: Registers,
    /// When its wait began or, if that is not known, when we came, by the kernel's monotonic clock.
    pub since_ns: u64,
    /// Whether `since_ns` is the time when we came.
    pub is_since_we_came: bool,
}

/// `struct asleep`, in words of eight bytes.
const WORDS: usize = 6;

/// Returns all such threads of the watched processes. A wait whose beginning was not seen counts from now on. `None` where the
/// kernel does not have such programs, before Linux 5.19.
pub fn find(loaded: &mut Loaded) -> anyhow::Result<Option<Vec<Asleep>>> {
    let written = loaded.go_through_threads("futex_asleep")?;
    Ok(written.map(|bytes| of_bytes(&bytes)))
}

fn of_bytes(bytes: &[u8]) -> Vec<Asleep> {
    let (words, _) = bytes.as_chunks::<8>();
    let (threads, _) = words.as_chunks::<WORDS>();
    let threads = threads.iter();
    threads
        .map(|[numbers, ip, sp, bp, since_ns, is_since_we_came]| {
            let [a, b, c, d, e, f, g, h] = *numbers;
            Asleep {
                process: u32::from_ne_bytes([a, b, c, d]),
                thread: u32::from_ne_bytes([e, f, g, h]),
                registers: Registers {
                    ip: u64::from_ne_bytes(*ip),
                    sp: u64::from_ne_bytes(*sp),
                    bp: u64::from_ne_bytes(*bp),
                },
                since_ns: u64::from_ne_bytes(*since_ns),
                is_since_we_came: u64::from_ne_bytes(*is_since_we_came) != 0,
            }
        })
        .collect()
}

/// Gives the waits that go on the stacks of their threads, `asleep`, whose code is `code`. `pid` maps a process's number to its
/// id.
pub fn add_stacks(
    gathered: &mut Gathered,
    asleep: &[Asleep],
    pid: impl Fn(u32) -> u32,
    code: &Code,
) {
    let by_thread: HashMap<(u32, u32, u64), &Asleep> = asleep
        .iter()
        .map(|it| ((it.process, it.thread, it.since_ns), it))
        .collect();
    let mut memories: HashMap<u32, Option<File>> = HashMap::new();
    let mut ids: HashMap<u32, HashMap<u32, u32>> = HashMap::new();
    let whose = &gathered.stack_process;
    let mut numbers: HashMap<(u32, Vec<u64>), u32> = gathered
        .stacks
        .iter()
        .filter_map(|(number, addresses)| Some(((*whose.get(number)?, addresses.clone()), *number)))
        .collect();
    let mut free = (1..).filter({
        let taken: std::collections::HashSet<u32> = gathered.stacks.keys().copied().collect();
        move |number| !taken.contains(number)
    });
    for waiting in &mut gathered.waiting {
        let process = waiting.process;
        let thread = (process, waiting.thread, waiting.since_ns);
        let memory = memories
            .entry(process)
            .or_insert_with(|| open_of_process(pid(process), "mem").ok());
        let (Some(asleep), Some(memory)) = (by_thread.get(&thread), memory) else {
            continue;
        };
        let (addresses, cut) = walk(code, process, memory, asleep.registers);
        // The stack was read later than the registers. If the thread has left the wait meanwhile, what was read belongs to other calls.
        let still = still_at(&asleep.registers, pid(process), waiting.thread, &mut ids);
        if !still {
            continue;
        }
        let key = (process, addresses);
        let number = match numbers.get(&key) {
            Some(&number) => number,
            None => {
                let number = free.next().unwrap_or(0);
                gathered.stacks.insert(number, key.1.clone());
                gathered.stack_process.insert(number, process);
                gathered.cut_stacks.extend(cut.map(|cut| (number, cut)));
                numbers.insert(key, number);
                number
            }
        };
        waiting.stack = number;
    }
}

/// Whether a thread of a process, by its number there, sleeps in the system call that it entered with these registers. `ids` keeps the ids
/// that threads have here.
fn still_at(
    registers: &Registers,
    process: u32,
    thread: u32,
    ids: &mut HashMap<u32, HashMap<u32, u32>>,
) -> bool {
    let ids = ids.entry(process).or_insert_with(|| {
        let threads = threads_of(process).into_iter();
        threads.map(|(here, there)| (there, here)).collect()
    });
    let here = ids.get(&thread).copied().unwrap_or(thread);
    match text_of_process(process, &format!("task/{here}/syscall")) {
        Ok(line) => stack_and_place(&line) == Some((registers.sp, registers.ip)),
        // A kernel may have been built without this file. A thread that has ended has no name either.
        Err(_) => text_of_process(process, &format!("task/{here}/comm")).is_ok(),
    }
}

/// Reads the stack pointer and the program counter at the end of `/proc/PID/task/TID/syscall`; `None` for a thread that runs.
fn stack_and_place(line: &str) -> Option<(u64, u64)> {
    let mut words = line.split_whitespace().rev();
    let mut number = || u64::from_str_radix(words.next()?.strip_prefix("0x")?, 16).ok();
    let (ip, sp) = (number()?, number()?);
    Some((sp, ip))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sleeping_thread_shows_where_it_sleeps() {
        let line = "202 0x7f00deadbe10 0x189 0x2 0x0 0x0 0xffffffff 0x7ffc0 0x7f01\n";
        assert_eq!(stack_and_place(line), Some((0x7ffc0, 0x7f01)));
        for line in ["running\n", "", "-1 0x7ffc0\n", "202 0x1 x y"] {
            assert_eq!(stack_and_place(line), None, "{line}");
        }
    }

    #[test]
    fn each_thread_has_its_own_words() {
        let mut bytes = Vec::new();
        for thread in [7_u32, 8] {
            bytes.extend(40_u32.to_ne_bytes());
            bytes.extend(thread.to_ne_bytes());
            for word in [0x10_u64, 0x20, 0x30, u64::from(thread) * 100, 1] {
                bytes.extend(word.to_ne_bytes());
            }
        }
        // The last one is cut short, and left out.
        bytes.truncate(bytes.len() - 1);
        let expected = Asleep {
            process: 40,
            thread: 7,
            registers: Registers {
                ip: 0x10,
                sp: 0x20,
                bp: 0x30,
            },
            since_ns: 700,
            is_since_we_came: true,
        };
        assert_eq!(of_bytes(&bytes), [expected]);
    }

    /// Reads a line in a thread of its own, and returns the thread's id.
    fn sleeper(mut from: std::io::PipeReader) -> (u32, std::thread::JoinHandle<()>) {
        use std::io::Read;
        let (tell, id) = std::sync::mpsc::channel();
        let thread = std::thread::spawn(move || {
            tell.send(rustix::thread::gettid().as_raw_pid().cast_unsigned())
                .unwrap();
            from.read_exact(&mut [0]).unwrap();
        });
        (id.recv().unwrap(), thread)
    }

    /// Returns where a thread of ours sleeps in a read, once it does; `None` if the kernel does not say.
    fn asleep_at(thread: u32) -> Option<Registers> {
        let path = format!("/proc/self/task/{thread}/syscall");
        let read = libc::SYS_read.to_string();
        loop {
            let line = std::fs::read_to_string(&path).ok()?;
            let call = line.split(' ').next().unwrap();
            if let Some((sp, ip)) = stack_and_place(&line).filter(|_| call == read) {
                return Some(Registers { ip, sp, bp: 0 });
            }
            std::thread::yield_now();
        }
    }

    #[test]
    fn a_thread_that_has_left_its_wait_is_not_still_there() {
        use std::io::Write;
        let own = std::process::id();
        let (reader, mut writer) = std::io::pipe().unwrap();
        let (thread, handle) = sleeper(reader);
        let Some(here) = asleep_at(thread) else {
            writer.write_all(&[0]).unwrap();
            handle.join().unwrap();
            return locktoll_needs::refused("/proc/self/task/TID/syscall");
        };
        let still = |registers: &Registers, thread: u32| {
            still_at(registers, own, thread, &mut HashMap::new())
        };
        assert!(still(&here, thread));
        // It waits elsewhere meanwhile: at another place, or at the same place in another call.
        let (ip, sp) = (here.ip + 1, here.sp + 16);
        assert!(!still(&Registers { ip, ..here }, thread));
        assert!(!still(&Registers { sp, ..here }, thread));
        // The program has another number for the thread.
        let mut ids = HashMap::from([(own, HashMap::from([(7, thread)]))]);
        assert!(still_at(&here, own, 7, &mut ids));
        assert!(
            !still_at(&here, own, u32::MAX, &mut ids),
            "no thread has it"
        );
        writer.write_all(&[0]).unwrap();
        handle.join().unwrap();
        assert!(!still(&here, thread), "it has ended");
    }
}
