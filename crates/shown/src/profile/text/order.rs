//! The order of locks: cycles that can end in a deadlock, other events while locks are held, and the most frequent edges.

use std::collections::HashMap;
use std::fmt::{self, Write};

use super::stacks::frames;
use super::styles::{FAINT, LOCKS, STRONG};
use super::table::{Name, Table};
use crate::profile::Selection;
use crate::profile::order::{Named, cycle_title, how_to_read, unusual};
use crate::profile::words;
use crate::profile::words::fit_place;
use locktoll_results::profile::{LockOrder, OrderEdge, OrderMode, caller};
use locktoll_terminal::fold;
use locktoll_terminal::quantity::{count, counted};

/// The number of cycles, of other events and of edges that are shown.
const CYCLES: usize = 20;
const UNUSUAL: usize = 20;
const EDGES: usize = 20;
/// The number of calls of a stack that are shown.
const CALLS: usize = 64;
/// The fewest characters for the names of two locks.
const NAMES: usize = 40;

/// Writes everything about the order of locks.
pub fn write(page: &mut String, selection: &Selection<'_>, width: usize) -> fmt::Result {
    let Some(order) = &selection.profile.order else {
        return fold::write(
            page,
            "",
            "The order of locks is not in this recording: it was made with --order off, by an earlier version of locktoll, or by a verb other than record.",
            width,
        );
    };
    let named = Named::of(selection);
    if order.cycles.is_empty() {
        let edges = order.edges.len() as u64 + order.more_edges;
        let text = format!(
            "No order of locks that can end in a deadlock was seen, in {} in which a lock was acquired while another was held.",
            counted(edges, "pair of places", "pairs of places"),
        );
        fold::write(page, "", &text, width)?;
    }
    let shown = selection.top.unwrap_or(CYCLES).min(order.cycles.len());
    for (number, cycle) in order.cycles[..shown].iter().enumerate() {
        if number > 0 {
            writeln!(page)?;
        }
        let title = cycle_title(order, cycle, &named);
        write!(page, "{STRONG}")?;
        fold::write(page, "", &title, width)?;
        write!(page, "{STRONG:#}")?;
        draw(page, order, &cycle.edges, &named, width)?;
    }
    if shown < order.cycles.len() {
        let more = counted((order.cycles.len() - shown) as u64, "more", "more");
        writeln!(page, "{FAINT}... and {more} (--top N, --json){FAINT:#}")?;
    }
    events(page, order, &named, width)?;
    edges(page, order, &named, width)?;
    for text in how_to_read(order, &selection.profile.locks) {
        writeln!(page)?;
        write!(page, "{FAINT}")?;
        fold::write(page, "", &text, width)?;
        write!(page, "{FAINT:#}")?;
    }
    Ok(())
}

/// Writes what the summary says of the order of locks: nothing, unless there is a cycle.
pub fn in_short(page: &mut String, selection: &Selection<'_>, width: usize) -> fmt::Result {
    let Some(order) = selection
        .profile
        .order
        .as_ref()
        .filter(|it| !it.cycles.is_empty())
    else {
        return Ok(());
    };
    let named = Named::of(selection);
    writeln!(page)?;
    let number = counted(
        order.cycles.len() as u64,
        "order of locks can end in a deadlock",
        "orders of locks can end in a deadlock",
    );
    writeln!(page, "{LOCKS}{number}{LOCKS:#} (report --order)")?;
    for cycle in order.cycles.iter().take(3) {
        fold::write(page, "  ", &cycle_title(order, cycle, &named), width)?;
    }
    Ok(())
}

/// Draws a cycle: each lock with the place that acquired it, then the place that waits for the next lock, and so back to the first.
fn draw(
    page: &mut String,
    order: &LockOrder,
    edges: &[usize],
    named: &Named<'_>,
    width: usize,
) -> fmt::Result {
    let room = width.saturating_sub(8);
    let edges: Vec<&OrderEdge> = edges.iter().filter_map(|&it| order.edges.get(it)).collect();
    for (number, edge) in edges.iter().enumerate() {
        let lead = if number == 0 { "  +-> " } else { "  |   " };
        let mode = match edge.held_mode {
            OrderMode::Exclusive => "",
            OrderMode::Shared => ", for reading",
        };
        writeln!(
            page,
            "{lead}{STRONG}{}{STRONG:#}{mode}",
            named.name(&edge.held)
        )?;
        place(
            page,
            "acquired in ",
            &edge.held_site,
            &edge.held_stack,
            room,
        )?;
        writeln!(page, "  |     then, while it is held")?;
        let next = edges[(number + 1) % edges.len()];
        let awaited = named.name(&next.held);
        let mode = match edge.acquired_mode {
            OrderMode::Exclusive => "",
            OrderMode::Shared => " for reading",
        };
        let lead = format!("waits for {awaited}{mode} in ");
        place(page, &lead, &edge.acquired_site, &edge.acquired_stack, room)?;
        let threads = counted(edge.threads, "thread", "threads");
        let times = counted(edge.count, "time", "times");
        let gates: Vec<String> = edge.gates.iter().map(|it| named.name(it)).collect();
        let gates = match gates.is_empty() {
            true => String::new(),
            false => format!(", always with {} held too", gates.join(" and ")),
        };
        let text = format!("  |     {FAINT}{times}, by {threads}{gates}{FAINT:#}");
        writeln!(page, "{text}")?;
    }
    let first = edges
        .first()
        .map_or_else(String::new, |it| named.name(&it.held));
    writeln!(page, "  +---- back to {STRONG}{first}{STRONG:#}")
}

fn place(
    page: &mut String,
    lead: &str,
    site: &[locktoll_results::profile::Frame],
    stack: &[locktoll_results::profile::Frame],
    room: usize,
) -> fmt::Result {
    let text = fit_place(&words::site(site), room.saturating_sub(lead.len()));
    writeln!(page, "  |     {lead}{text}")?;
    let calls = words::from_caller(stack);
    let mut lines = String::new();
    // The place itself is the first call.
    let from = usize::from(calls.first() == caller(site));
    let shown = &calls[from.min(calls.len())..calls.len().min(CALLS)];
    frames(&mut lines, shown, 0, room.saturating_sub(4))?;
    for line in lines.lines() {
        writeln!(page, "  |       {FAINT}{line}{FAINT:#}")?;
    }
    Ok(())
}

fn events(page: &mut String, order: &LockOrder, named: &Named<'_>, width: usize) -> fmt::Result {
    if order.unusual.is_empty() {
        return Ok(());
    }
    writeln!(page)?;
    writeln!(page, "{STRONG}Also seen while locks were held{STRONG:#}")?;
    for event in order.unusual.iter().take(UNUSUAL) {
        fold::write(page, "  ", &unusual(event, named), width)?;
    }
    let hidden = order.unusual.len().saturating_sub(UNUSUAL);
    if hidden > 0 {
        writeln!(
            page,
            "  {FAINT}... and {} more (--json){FAINT:#}",
            count(hidden as u64)
        )?;
    }
    Ok(())
}

fn edges(page: &mut String, order: &LockOrder, named: &Named<'_>, width: usize) -> fmt::Result {
    if order.edges.is_empty() {
        return Ok(());
    }
    // One line for each pair of locks: the places are in JSON.
    let mut sums: HashMap<(&str, &str), (u64, u64)> = HashMap::new();
    for edge in &order.edges {
        let sum = sums.entry((&edge.held, &edge.acquired)).or_default();
        sum.0 = sum.0.saturating_add(edge.count);
        sum.1 += 1;
    }
    let mut pairs: Vec<_> = sums.into_iter().collect();
    pairs.sort_by(|(a, x), (b, y)| y.cmp(x).then(a.cmp(b)));
    let hidden = pairs.len().saturating_sub(EDGES);
    pairs.truncate(EDGES);
    writeln!(page)?;
    let mut table = Table::new("held -> acquired", NAMES);
    table.column(
        "times",
        0,
        pairs.iter().map(|(_, (times, _))| count(*times)),
    );
    table.column(
        "places",
        1,
        pairs.iter().map(|(_, (_, places))| count(*places)),
    );
    table.names(pairs.iter().map(|((held, acquired), _)| Name {
        text: format!("{} -> {}", named.name(held), named.name(acquired)),
        remark: String::new(),
    }));
    table.write(page, width, 0)?;
    if hidden > 0 {
        writeln!(
            page,
            "{FAINT}... and {} more (--json){FAINT:#}",
            count(hidden as u64)
        )?;
    }
    Ok(())
}
