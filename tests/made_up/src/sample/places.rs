//! Frames, call sites and stacks of a program that never was.

use locktoll_results::profile::{Blame, Frame, Site, StackWaits};

/// A function of the program itself at a line of its source.
pub fn frame(function: &str, file: &str, line: u32) -> Frame {
    Frame {
        function: Some(function.to_owned()),
        file: Some(file.to_owned()),
        line: Some(line),
        module: Some("/opt/job-server".to_owned()),
        offset: Some(0x1000 + 16 * u64::from(line)),
    }
}

/// A place in a library without symbols.
pub fn bare_frame(offset: u64) -> Frame {
    Frame {
        module: Some("/usr/lib/libsession.so.1".to_owned()),
        offset: Some(offset),
        ..Frame::default()
    }
}

/// A function, its callers and the start of a thread, from places like `("write_log_line", "src/log.c", 88)`.
pub fn stack(calls: &[(&str, &str, u32)]) -> Vec<Frame> {
    let called = calls
        .iter()
        .map(|&(function, file, line)| frame(function, file, line));
    called
        .chain([
            frame("serve", "src/server.c", 210),
            frame("worker_main", "src/worker.c", 35),
        ])
        .collect()
}

/// A call site: where, acquisitions, contended ones and time waited.
pub fn site(frames: Vec<Frame>, acquisitions: u64, contended: u64, wait_ns: u64) -> Site {
    Site {
        frames,
        acquisitions: Some(acquisitions),
        contended,
        try_failed: Some(0),
        wait_ns,
        wait_max_ns: (contended > 0).then_some(wait_ns / 10),
        hold_ns: None,
    }
}

/// Waits with a stack.
pub fn stack_waits(frames: Vec<Frame>, waits: u64, wait_ns: u64) -> StackWaits {
    StackWaits {
        frames,
        waits,
        wait_ns,
    }
}

/// Waiting at one place, charged to another.
pub fn blame(waiter: &[Frame], holder: Option<&[Frame]>, count: u64, wait_ns: u64) -> Blame {
    Blame {
        waiter: waiter.to_vec(),
        holder: holder.map(<[Frame]>::to_vec),
        holder_thread: None,
        count,
        wait_ns,
    }
}
