//! Where a lock is acquired.

use std::fmt::{self, Write};

use super::locks::known;
use super::styles::FAINT;
use super::table::{Name, Table};
use crate::profile::words;
use locktoll_results::profile::{Lock, Site, Use, caller, is_wrapper};
use locktoll_terminal::quantity::{count, counted, duration};

/// The fewest characters for places.
const PLACE_ROOM: usize = 30;

/// Returns the verb for what the places do to the lock, after its name.
pub fn verb(lock: &Lock) -> &'static str {
    match lock.used_as {
        Use::Lock => "is taken by",
        Use::Signal => "is waited for by",
    }
}

/// Writes the first `limit` call sites, or all.
pub fn write(page: &mut String, lock: &Lock, limit: Option<usize>, width: usize) -> fmt::Result {
    let shown = &lock.sites[..lock.sites.len().min(limit.unwrap_or(usize::MAX))];
    let mut table = Table::new("place", PLACE_ROOM);
    let signal = lock.used_as == Use::Signal;
    let (waited, all) = match signal {
        true => ("blocked", "calls"),
        false => ("contended", "acquired"),
    };
    table.column(
        "wait",
        0,
        shown.iter().map(|site| duration(site.wait_ns as f64)),
    );
    table.column(
        "max",
        2,
        shown
            .iter()
            .map(|site| known(site.wait_max_ns, |ns| duration(ns as f64))),
    );
    table.column(waited, 0, shown.iter().map(|site| count(site.contended)));
    table.column(
        all,
        0,
        shown.iter().map(|site| known(site.acquisitions, count)),
    );
    if shown
        .iter()
        .any(|site| site.try_failed.is_some_and(|it| it > 0))
    {
        table.column(
            "failed",
            3,
            shown.iter().map(|site| known(site.try_failed, count)),
        );
    }
    if !signal {
        table.column(
            "held",
            1,
            shown
                .iter()
                .map(|site| known(site.hold_ns, |ns| duration(ns as f64))),
        );
    }
    table.names(shown.iter().map(name));
    table.write(page, width, 2)?;
    if shown.iter().any(in_a_library) {
        writeln!(
            page,
            "  {FAINT}callers not known: who acquired there without a wait left no trace{FAINT:#}"
        )?;
    }
    let hidden = lock.sites.len() - shown.len();
    if hidden > 0 {
        let more = counted(hidden as u64, "more place", "more places");
        writeln!(page, "  {FAINT}... and {more} (--lock ID --sites){FAINT:#}")?;
    }
    Ok(())
}

/// Whether acquisitions are listed under a library's call, since only waits record its callers.
fn in_a_library(site: &Site) -> bool {
    site.acquisitions
        .is_some_and(|number| number > site.contended)
        && !site.frames.is_empty()
        && site.frames.iter().all(is_wrapper)
}

/// Names the function that asked for the lock, and the function that it was inlined into.
fn name(site: &Site) -> Name {
    let frames = &site.frames;
    if in_a_library(site) {
        return Name {
            text: words::site(frames),
            remark: " (callers not known)".to_owned(),
        };
    }
    let asked = caller(frames);
    let outermost = frames.last().filter(|&outermost| Some(outermost) != asked);
    Name {
        text: words::site(frames),
        remark: outermost.map_or_else(String::new, |outermost| {
            format!(
                " in {}",
                words::fit_place(&words::function(outermost), PLACE_ROOM)
            )
        }),
    }
}
