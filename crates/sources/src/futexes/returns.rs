//! Where the returns of futex calls are seen: at the ends of the kernel's functions for them, if the kernel allows that.
//! Otherwise at the tracepoint of all returning system calls, which slows down each of them in every process.

use anyhow::{bail, ensure};
use aya::Btf;

use super::raw;
use crate::ebpf::{Function, Loaded};

/// How the returns of calls are seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// At the ends of functions, so that other system calls cost the same as before.
    Functions,
    /// At the tracepoint of all system calls.
    Tracepoint,
}

/// The programs that see calls return. Programs must be attached in this order: [`prepare`](Returns::prepare), the programs that
/// see threads leave their processor, [`complete`](Returns::complete), a look at the threads that already wait,
/// [`settle`](Returns::settle).
pub struct Returns {
    method: Method,
    /// The programs at the ends of functions that this kernel has.
    ends: Vec<&'static str>,
    /// Whether `futex_exit_of_earlier` is attached.
    sees_earlier: bool,
}

/// The program at the tracepoint.
const EXIT: &str = "futex_exit";
/// The program for calls that began before the programs at functions were in place.
const EXIT_OF_EARLIER: &str = "futex_exit_of_earlier";
const SYS_EXIT: &str = "sys_exit";

/// The programs at the ends of functions, each with its function. `sys_futex` comes last: once its program is attached, nearly
/// all calls are seen.
const ENDS: [(&str, &str); 6] = [
    ("end_of_restart", "futex_wait_restart"),
    ("end_of_futex_waitv", "sys_futex_waitv"),
    ("end_of_futex_wait", "sys_futex_wait"),
    ("end_of_futex_wake", "sys_futex_wake"),
    ("end_of_futex_requeue", "sys_futex_requeue"),
    ("end_of_futex", "sys_futex"),
];

/// The functions that not every kernel has: the first came with Linux 5.16, the others with 6.7.
const LATER: [&str; 4] = [
    "sys_futex_waitv",
    "sys_futex_wait",
    "sys_futex_wake",
    "sys_futex_requeue",
];

/// The program that sees the ends of plain waits whose call began earlier, and its function, which Linux 5.16 renamed.
const UNQUEUED: &str = "futex_unqueued";
const UNQUEUE: [&str; 2] = ["futex_unqueue", "unqueue_me"];

/// How the names of the functions of system calls begin.
#[cfg(target_arch = "aarch64")]
const PREFIX: &str = "__arm64_";
#[cfg(not(target_arch = "aarch64"))]
const PREFIX: &str = "__x64_";

/// The stages in which the programs are put in place, as in `bpf/tables.bpf.h`.
const AT_FUNCTIONS: u32 = 1;
const LOOKED: u32 = 2;

impl Returns {
    /// Loads the programs that see calls return, by `wanted` or, failing that, by the tracepoint, and attaches those that must
    /// come first.
    ///
    /// # Errors
    /// If the kernel allows neither.
    pub fn prepare(loaded: &mut Loaded, wanted: Method) -> anyhow::Result<Self> {
        let (method, ends) = match wanted {
            Method::Functions => load_functions(loaded)
                .map_or((Method::Tracepoint, Vec::new()), |ends| (wanted, ends)),
            Method::Tracepoint => (wanted, Vec::new()),
        };
        match method {
            Method::Functions => loaded.attach_to_end(UNQUEUED)?,
            // Programs that end a wait are attached before those that begin one, so that no wait is left without its end.
            Method::Tracepoint => loaded.attach_at(EXIT, SYS_EXIT)?,
        }
        Ok(Self {
            method,
            ends,
            sees_earlier: false,
        })
    }

    /// Returns how returns are seen.
    #[cfg(test)]
    pub const fn method(&self) -> Method {
        self.method
    }

    /// Whether the tracepoint is in use for waits that began before watching.
    #[cfg(test)]
    pub const fn sees_earlier(&self) -> bool {
        self.sees_earlier
    }

    /// Attaches the rest. From then on, every call that begins is seen.
    ///
    /// # Errors
    /// If the kernel refuses.
    pub fn complete(&mut self, loaded: &mut Loaded) -> anyhow::Result<()> {
        for program in &self.ends {
            loaded.attach_to_end(program)?;
        }
        is_in_place(loaded, AT_FUNCTIONS)
    }

    /// Takes note that all threads that already waited are known. Waits whose end no function shows are watched at the
    /// tracepoint: those for several words, and those for locks that the kernel hands over.
    ///
    /// # Errors
    /// If the kernel's maps cannot be read, or it refuses.
    pub fn settle(&mut self, loaded: &mut Loaded) -> anyhow::Result<()> {
        is_in_place(loaded, LOOKED)?;
        if self.method == Method::Functions && has_earlier(loaded)? {
            loaded.attach_at(EXIT_OF_EARLIER, SYS_EXIT)?;
            self.sees_earlier = true;
        }
        Ok(())
    }

    /// Gives up the tracepoint if none of these waits is left. To be called from time to time.
    ///
    /// # Errors
    /// As [`settle`](Self::settle).
    pub fn look_after_earlier(&mut self, loaded: &mut Loaded) -> anyhow::Result<()> {
        if self.sees_earlier && !has_earlier(loaded)? {
            loaded.take_away(EXIT_OF_EARLIER)?;
            self.sees_earlier = false;
        }
        Ok(())
    }
}

fn is_in_place(loaded: &mut Loaded, phase: u32) -> anyhow::Result<()> {
    Ok(loaded.array_mut::<u32>("in_place")?.set(0, phase, 0)?)
}

/// Loads all programs at ends of functions, or none of them; returns those that see the ends of system calls.
fn load_functions(loaded: &mut Loaded) -> anyhow::Result<Vec<&'static str>> {
    ensure!(
        loaded.goes_through_threads("futex_asleep"),
        "the threads that wait already cannot be found"
    );
    let kernel = Btf::from_sys_fs()?;
    let loaded_ends = load_each(loaded, &kernel);
    if loaded_ends.is_err() {
        for program in ENDS.iter().map(|it| it.0).chain([UNQUEUED]) {
            // Only some of them were loaded.
            let _ = loaded.take_from_end(program);
        }
    }
    loaded_ends
}

fn load_each(loaded: &mut Loaded, kernel: &Btf) -> anyhow::Result<Vec<&'static str>> {
    let mut ends = Vec::new();
    for (program, function) in ENDS {
        let prefix = if function.starts_with("sys_") {
            PREFIX
        } else {
            ""
        };
        match loaded.load_for_end(program, &format!("{prefix}{function}"), kernel)? {
            Function::Found => ends.push(program),
            Function::Unknown => ensure!(LATER.contains(&function), "no {prefix}{function}"),
        }
    }
    for function in UNQUEUE {
        if loaded.load_for_end(UNQUEUED, function, kernel)? == Function::Found {
            return Ok(ends);
        }
    }
    bail!("no function that ends a wait")
}

fn has_earlier(loaded: &Loaded) -> anyhow::Result<bool> {
    let threads = loaded.hash::<raw::ThreadKey, raw::Thread>("threads")?;
    let mut threads = threads.iter().filter_map(Result::ok);
    Ok(threads.any(|(_, thread)| thread.is_in_earlier_call()))
}
