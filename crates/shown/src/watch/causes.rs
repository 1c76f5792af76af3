//! The causes of switches, and the cost of watching.

use locktoll_lab::watch::{Cause, CauseKind, KnownBy};

use super::page::Block;
use super::words::{Line, cause, per_second, percent};
use locktoll_terminal::quantity::duration;

/// Returns the lines with the causes, and with the cost of watching itself.
pub fn lines(block: &Block) -> Vec<Line> {
    let ns = block.interval.interval_ns;
    let mut lines = vec![Line::strong(format!(
        "{:<36}  {:>12}  known by",
        "why the threads seen switched", "per second"
    ))];
    let waited = block
        .interval
        .causes
        .iter()
        .find(|one| one.cause == CauseKind::Waited);
    let waited = waited.map_or(0, |one| one.switches);
    for one in &block.interval.causes {
        // A few samples cannot show less than this.
        if one.known_by == KnownBy::Looks && one.switches < waited / 100 + 1 {
            continue;
        }
        let sure = match one.known_by {
            KnownBy::Counted | KnownBy::Rest => "",
            KnownBy::Looks => "~",
            KnownBy::CpuTime => "<=",
        };
        let rate = format!("{sure}{}", per_second(one.switches, block.window_ns()));
        let (what, source) = (cause(one.cause), source(one, block));
        lines.push(Line::plain(format!("{what:<36}  {rate:>12}  {source}")));
    }
    let own = &block.interval.own;
    lines.push(Line::faint(format!(
        "this view itself: {} of one CPU, {} switches/s; reading took {}",
        percent(own.cpu_share),
        per_second(own.switches, ns),
        duration(own.reading_ns as f64)
    )));
    lines
}

fn source(cause: &Cause, block: &Block) -> String {
    match cause.known_by {
        KnownBy::Counted => "counted (TID/status)".to_owned(),
        KnownBy::Looks => match block.looks {
            1 => "one look".to_owned(),
            samples => format!("{samples} samples"),
        },
        KnownBy::CpuTime => match block.limits.slice_ns {
            Some(slice) => format!("CPU time / slice of {}", duration(slice as f64)),
            None => "CPU time / slice".to_owned(),
        },
        KnownBy::Rest => "the rest".to_owned(),
    }
}
