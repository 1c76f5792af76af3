//! The list itself: one line per probe.

use std::fmt::Write;

use locktoll_lab::probe::{Group, HandOver, Part, Prices};

use super::page::heading;
use crate::table::{dash, interval, spread_heading};
use locktoll_terminal::fold::folded;
use locktoll_terminal::quantity::price;

/// Returns the heading of a group.
fn heading_of(group: Group) -> &'static str {
    match group {
        Group::Memory => "Memory operations (no system call)",
        Group::KernelEntry => "Entering the kernel",
        Group::Switch => "Switching",
        Group::WakeUp => "Sleeping and waking",
        Group::RoundTrip => "Handing over, one way",
        Group::Clock => "Clocks and timers",
    }
}

/// The widths of columns, in characters.
const PRICE: usize = 8;
const INTERVAL: usize = 18;
const SWITCHES: usize = 9;

/// Writes one table for all groups, each under its heading.
pub fn table(page: &mut String, prices: &Prices, width: usize) -> std::fmt::Result {
    let look = Look {
        title: width_of_titles(&prices.parts),
        forced: forced_matters(prices),
    };
    let mut group = None;
    for part in prices.parts.iter().filter(|part| !is_arm(part, prices)) {
        if group != Some(part.group) {
            if group.is_some() {
                writeln!(page)?;
            }
            group = Some(part.group);
            head(page, prices, part.group, look)?;
        }
        line(page, part, look, width)?;
    }
    if group.is_some() {
        writeln!(page)?;
    }
    Ok(())
}

/// Whether the table of the split already shows this figure, next to its prediction from the parts.
fn is_arm(part: &Part, prices: &Prices) -> bool {
    let among = |side: &Option<HandOver>, place: &str| {
        let arms = side.as_ref().map_or(&[][..], |side| &side.arms);
        let name = part.name.strip_suffix(place);
        part.value.is_some() && arms.iter().any(|arm| Some(arm.name.as_str()) == name)
    };
    let split = &prices.decomposition;
    part.group == Group::RoundTrip
        && (among(&split.same_cpu, "-one-cpu") || among(&split.cross_cpu, "-two-cpus"))
}

/// The layout of all lines of the table.
#[derive(Clone, Copy, Debug)]
struct Look {
    /// The width of the first column, in characters.
    title: usize,
    /// Whether involuntary switches are shown.
    forced: bool,
}

/// Returns a width that fits the titles, and leaves room for the rest of a line.
fn width_of_titles(parts: &[Part]) -> usize {
    let widest = parts.iter().map(|part| titled(part).chars().count()).max();
    widest.unwrap_or(0).clamp(30, 49)
}

/// Returns the title, with a star if a note below says more.
fn titled(part: &Part) -> String {
    let star = if part.note.is_some() { " *" } else { "" };
    format!("{}{star}", part.title)
}

/// Whether involuntary switches matter. Under SCHED_FIFO no thread is preempted; elsewhere they are part of the evidence.
fn forced_matters(prices: &Prices) -> bool {
    let policy = &prices.scheduling.policy;
    policy != "SCHED_FIFO" && prices.parts.iter().any(|part| part.mix.is_some())
}

/// Writes a group's heading, with the headings of the columns.
fn head(page: &mut String, prices: &Prices, group: Group, look: Look) -> std::fmt::Result {
    let shown = |part: &&Part| part.group == group && !is_arm(part, prices);
    let parts = || prices.parts.iter().filter(shown);
    let rounds = parts().filter_map(|part| Some(part.value?.n)).min();
    let switches = match (
        parts().any(|part| part.value.is_some() && switches_matter(part)),
        look.forced,
    ) {
        (false, _) => "",
        (true, false) => " switches",
        (true, true) => " switches  forced",
    };
    let title = heading_of(group);
    let spread = spread_heading(rounds);
    let columns = format!("{:PRICE$}  {spread:>INTERVAL$}  {switches}", "");
    let width = look.title + 2;
    let mut line = String::new();
    heading(&mut line, title, "")?;
    // Styles take no room on the screen.
    let filled = width.saturating_sub(title.len());
    writeln!(
        page,
        "{}{:filled$}  {}",
        line.trim_end(),
        "",
        columns.trim_end()
    )
}

/// Whether a part's switches matter: they do if threads hand over, and if they were counted. A single thread that never sleeps
/// makes none.
fn switches_matter(part: &Part) -> bool {
    let expected = part.switches_expected;
    expected.is_some_and(|expected| expected > 0.0) && part.switches_counted.is_some()
}

fn line(page: &mut String, part: &Part, look: Look, width: usize) -> std::fmt::Result {
    let title = titled(part);
    let start = format!("  {title:titles$}  ", titles = look.title);
    let Some(value) = part.value else {
        let reason = part.refused.as_deref().unwrap_or("not measured");
        return folded(page, &format!("{start}{:>PRICE$}  ", dash()), reason, width);
    };
    let mut line = format!(
        "{start}{:>PRICE$}  {:>INTERVAL$}",
        price(value.median),
        interval(value)
    );
    if switches_matter(part) {
        let counted = part
            .switches_counted
            .map_or_else(dash, |n| format!("{n:.2}"));
        let expected = part.switches_expected.unwrap_or_default();
        write!(line, "  {:>SWITCHES$}", format!("{counted} of {expected}"))?;
        if let Some(mix) = part.mix.filter(|_| look.forced) {
            write!(line, "  {:>6.2}", mix.involuntary)?;
        }
    }
    writeln!(page, "{}", line.trim_end())
}
