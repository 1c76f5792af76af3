//! The call stacks that led to waits.

use std::fmt::{self, Write};

use super::styles::FAINT;
use crate::profile::words;
use locktoll_results::profile::{Frame, Lock};
use locktoll_terminal::quantity::{counted, duration, share};

/// Writes the first `limit` stacks, or all.
pub fn write(page: &mut String, lock: &Lock, limit: Option<usize>, width: usize) -> fmt::Result {
    let shown = &lock.stacks[..lock.stacks.len().min(limit.unwrap_or(usize::MAX))];
    let total_ns = match &lock.signal {
        Some(signal) => signal.wait_ns.total,
        None => lock.wait_ns.total,
    };
    for stack in shown {
        writeln!(
            page,
            "  {} ({}) in {}",
            duration(stack.wait_ns as f64),
            share(stack.wait_ns, total_ns),
            counted(stack.waits, "wait", "waits"),
        )?;
        frames(page, words::from_caller(&stack.frames), 6, width)?;
    }
    if lock.stacks.is_empty() {
        writeln!(page, "  {FAINT}no stack was kept{FAINT:#}")?;
    }
    let hidden = lock.stacks.len() - shown.len();
    if hidden > 0 {
        let more = counted(hidden as u64, "more stack", "more stacks");
        writeln!(
            page,
            "  {FAINT}... and {more} (--lock ID --stacks){FAINT:#}"
        )?;
    }
    Ok(())
}

/// Writes one frame per line, innermost first.
pub fn frames(page: &mut String, frames: &[Frame], indent: usize, width: usize) -> fmt::Result {
    for frame in frames {
        let place = words::fit_place(&words::frame(frame), width.saturating_sub(indent));
        writeln!(page, "{:indent$}{place}", "")?;
    }
    Ok(())
}
