//! The picture of an order of locks that can end in a deadlock: each lock, the step from it to the next, and the way back.

use super::markup::{Picture, text};
use crate::profile::Selection;
use crate::profile::order::{Named, cycle_title};
use crate::profile::words;
use locktoll_results::profile::{LockOrder, OrderEdge, OrderMode};
use locktoll_terminal::quantity::counted;

/// The most cycles that are drawn, and the most steps of one.
const CYCLES: usize = 20;
const STEPS: usize = 24;

/// Pixels: the picture, the left edge of the locks, a lock, and a step from one to the next.
const WIDTH: u32 = 860;
const LEFT: u32 = 40;
const LOCK: u32 = 28;
const STEP: u32 = 84;

/// Returns the pictures of all cycles; empty if there are none.
pub fn cycles(selection: &Selection<'_>) -> String {
    let order = selection.profile.order.as_ref();
    let Some(order) = order.filter(|it| !it.cycles.is_empty()) else {
        return String::new();
    };
    let named = Named::of(selection);
    let number = counted(
        order.cycles.len() as u64,
        "order of locks can end in a deadlock",
        "orders of locks can end in a deadlock",
    );
    let mut markup = format!(
        "<h2>{number}</h2>\n<p class=\"note\">Each box is a lock. The arrow from it says where a thread acquires it, and where the thread then waits for the next lock.</p>\n"
    );
    for cycle in order.cycles.iter().take(CYCLES) {
        let title = cycle_title(order, cycle, &named);
        markup += &format!("<h3>{}</h3>\n", text(&title));
        markup += &picture(order, &cycle.edges, &named, &title);
    }
    let more = order.cycles.len().saturating_sub(CYCLES);
    if more > 0 {
        markup += &format!("<p class=\"note\">... and {more} more (report --order)</p>\n");
    }
    markup
}

fn picture(order: &LockOrder, edges: &[usize], named: &Named<'_>, title: &str) -> String {
    let edges: Vec<&OrderEdge> = edges
        .iter()
        .filter_map(|&it| order.edges.get(it))
        .take(STEPS)
        .collect();
    let mut picture = Picture::new(WIDTH, title);
    for (number, edge) in edges.iter().enumerate() {
        let top = number as u32 * STEP + 2;
        let mode = match edge.held_mode {
            OrderMode::Exclusive => "",
            OrderMode::Shared => " (for reading)",
        };
        picture.draw(&format!(
            "<rect x=\"{LEFT}\" y=\"{top}\" width=\"{}\" height=\"{LOCK}\" rx=\"6\" fill=\"var(--surface)\" stroke=\"var(--locks)\"/>",
            WIDTH - LEFT - 2
        ));
        let name = format!("{}{mode}", named.name(&edge.held));
        picture.write((LEFT + 12, top + 19), &name, "font-weight=\"600\"");
        step(
            &mut picture,
            edge,
            named,
            edges[(number + 1) % edges.len()],
            top + LOCK,
        );
        let bottom = top + STEP;
        if number + 1 < edges.len() {
            picture.draw(&arrow(LEFT + 20, top + LOCK, bottom));
        }
    }
    let last = (edges.len().saturating_sub(1) as u32) * STEP + 2;
    picture.draw(&back(last + LOCK, 2 + LOCK / 2));
    picture.end(last + STEP)
}

/// Says where the lock is acquired, and where the thread then waits.
fn step(picture: &mut Picture, edge: &OrderEdge, named: &Named<'_>, next: &OrderEdge, top: u32) {
    let x = LEFT + 34;
    let held = format!("acquired in {}", words::site(&edge.held_site));
    picture.write((x, top + 16), &held, "");
    let mode = match edge.acquired_mode {
        OrderMode::Exclusive => "",
        OrderMode::Shared => " for reading",
    };
    let wait = format!(
        "then waits for {}{mode} in {}",
        named.name(&next.held),
        words::site(&edge.acquired_site)
    );
    picture.write((x, top + 33), &wait, "");
    let often = format!(
        "{}, by {}",
        counted(edge.count, "time", "times"),
        counted(edge.threads, "thread", "threads")
    );
    picture.write((x, top + 49), &often, "opacity=\"0.7\"");
}

fn arrow(x: u32, from: u32, to: u32) -> String {
    let tip = to - 7;
    format!(
        "<path d=\"M{x} {from}V{to}M{} {tip}L{x} {to}L{} {tip}\" stroke=\"var(--locks)\"/>",
        x - 4,
        x + 4
    )
}

/// The way from the last lock back to the first, on the left side.
fn back(from: u32, to: u32) -> String {
    let (x, down) = (LEFT + 20, from + 24);
    format!(
        "<path d=\"M{x} {from}V{down}H14V{to}H{LEFT}M{} {}L{LEFT} {to}L{} {}\" stroke=\"var(--locks)\"/>",
        LEFT - 7,
        to - 4,
        LEFT - 7,
        to + 4
    )
}
