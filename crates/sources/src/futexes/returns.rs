//! Where returning futex calls are seen: at the ends of the kernel's functions for them if it allows that, else at the
//! tracepoint of all returning system calls, which makes each of these slower, in every process.

use anyhow::{bail, ensure};
use aya::Btf;

use super::raw;
use crate::ebpf::{Function, Loaded};

/// How returning calls are seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// At the ends of functions: other system calls cost the same as ever.
    Functions,
    /// At the tracepoint of all system calls.
    Tracepoint,
}

/// What sees calls return. It wants its programs attached in this order: [`prepare`](Returns::prepare), then what sees threads leave their
/// processor, [`complete`](Returns::complete), a look at the threads that wait already, [`settle`](Returns::settle).
pub struct Returns {
    method: Method,
    /// The programs at the ends of functions that this kernel has.
    ends: Vec<&'static str>,
    /// Whether `futex_exit_of_earlier` is attached.
    sees_earlier: bool,
}

/// The program at the tracepoint.
const EXIT: &str = "futex_exit";
/// The same for calls that began before the programs at functions were in place.
const EXIT_OF_EARLIER: &str = "futex_exit_of_earlier";
const SYS_EXIT: &str = "sys_exit";

/// The programs at the ends of functions, each with its function. `sys_futex` comes last: once it is attached, nearly all calls are seen.
const ENDS: [(&str, &str); 6] = [
    ("end_of_restart", "futex_wait_restart"),
    ("end_of_futex_waitv", "sys_futex_waitv"),
    ("end_of_futex_wait", "sys_futex_wait"),
    ("end_of_futex_wake", "sys_futex_wake"),
    ("end_of_futex_requeue", "sys_futex_requeue"),
    ("end_of_futex", "sys_futex"),
];

/// Those that not every kernel has: the first came with Linux 5.16, the others with 6.7.
const LATER: [&str; 4] = [
    "sys_futex_waitv",
    "sys_futex_wait",
    "sys_futex_wake",
    "sys_futex_requeue",
];

/// The program that sees plain waits end whose call began earlier, and its function: Linux 5.16 renamed it.
const UNQUEUED: &str = "futex_unqueued";
const UNQUEUE: [&str; 2] = ["futex_unqueue", "unqueue_me"];

/// What the names of the functions of system calls begin with.
#[cfg(target_arch = "aarch64")]
const PREFIX: &str = "__arm64_";
#[cfg(not(target_arch = "aarch64"))]
const PREFIX: &str = "__x64_";

/// How far the programs are in place, as `bpf/tables.bpf.h` has it.
const AT_FUNCTIONS: u32 = 1;
const LOOKED: u32 = 2;

impl Returns {
    /// Loads what sees calls return by `wanted`, or else by the tracepoint, and attaches what must come first.
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
            // What ends a wait before what begins one, so that none is left without its end.
            Method::Tracepoint => loaded.attach_at(EXIT, SYS_EXIT)?,
        }
        Ok(Self {
            method,
            ends,
            sees_earlier: false,
        })
    }

    /// How they are seen.
    #[cfg(test)]
    pub const fn method(&self) -> Method {
        self.method
    }

    /// Whether the tracepoint is in use for waits that began before.
    #[cfg(test)]
    pub const fn sees_earlier(&self) -> bool {
        self.sees_earlier
    }

    /// Attaches the rest. From then on no call that begins passes unseen.
    ///
    /// # Errors
    /// If the kernel refuses.
    pub fn complete(&mut self, loaded: &mut Loaded) -> anyhow::Result<()> {
        for program in &self.ends {
            loaded.attach_to_end(program)?;
        }
        is_in_place(loaded, AT_FUNCTIONS)
    }

    /// All threads that waited already are known. Waits that no function shows the end of are seen to at the tracepoint: those for several
    /// words, and for locks that the kernel hands on.
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

/// Loads all programs at ends of functions, or none; returns those that see system calls end.
fn load_functions(loaded: &mut Loaded) -> anyhow::Result<Vec<&'static str>> {
    ensure!(
        loaded.goes_through_threads("futex_asleep"),
        "the threads that wait already cannot be found"
    );
    let kernel = Btf::from_sys_fs()?;
    let loaded_ends = load_each(loaded, &kernel);
    if loaded_ends.is_err() {
        for program in ENDS.iter().map(|it| it.0).chain([UNQUEUED]) {
            // Only some were loaded.
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
