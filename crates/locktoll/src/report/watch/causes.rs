//! Why threads switched, and what the watching cost.

use locktoll_lab::watch::{Cause, KnownBy};

use super::page::Block;
use super::words::{Line, cause, per_second, percent};
use crate::report::quantity::duration;

/// Causes, and the own cost.
pub fn lines(block: &Block) -> Vec<Line> {
    let ns = block.interval.interval_ns;
    let mut lines = vec![Line::strong(format!(
        "{:<49}  {:>12}  known by",
        "why the threads seen switched", "per second"
    ))];
    for one in &block.interval.causes {
        // Shares of single switches say nothing.
        if one.known_by == KnownBy::Looks && one.switches == 0 {
            continue;
        }
        let sure = match one.known_by {
            KnownBy::Counted | KnownBy::Rest => "",
            KnownBy::Looks => "~",
            KnownBy::CpuTime => "<=",
        };
        let rate = format!("{sure}{}", per_second(one.switches, ns));
        let (what, source) = (cause(one.cause), source(one, block));
        lines.push(Line::plain(format!("{what:<49}  {rate:>12}  {source}")));
    }
    let own = &block.interval.own;
    lines.push(Line::faint(format!(
        "this view itself: {} of one CPU, {} switches/s",
        percent(own.cpu_share),
        per_second(own.switches, ns)
    )));
    lines
}

fn source(cause: &Cause, block: &Block) -> String {
    match cause.known_by {
        KnownBy::Counted => "counted: /proc/PID/task/TID/status".to_owned(),
        KnownBy::Looks => match block.looks {
            1 => "found by one look".to_owned(),
            looks => format!("found by {looks} looks"),
        },
        KnownBy::CpuTime => match block.limits.slice_ns {
            Some(slice) => format!("CPU time / slice of {}", duration(slice as f64)),
            None => "CPU time / slice".to_owned(),
        },
        KnownBy::Rest => "the rest".to_owned(),
    }
}
