//! A profile as text for a terminal: where the time went, the locks by cost, where they are taken.

use std::collections::HashSet;
use std::fmt::Write;

use anstyle::{Effects, Style};

use super::quantity::{count, counted, duration, share};
use crate::cli::SortKey;
use crate::profile::{Frame, Lock, Profile, Site, caller, shown_text};

/// The locks whose call sites are shown.
const DETAILED: usize = 3;
/// Call sites shown of each.
const SITES: usize = 4;
/// Names longer than this are cut on the left: the end of a path tells most.
const NAME_WIDTH: usize = 60;
/// The same beside the figures of the table, which take the rest of 120 columns.
const TABLE_NAME_WIDTH: usize = 44;

const STRONG: Style = Style::new().effects(Effects::BOLD);
const FAINT: Style = Style::new().effects(Effects::DIMMED);

/// What to show of a profile.
#[derive(Clone, Copy, Debug)]
pub struct TextOptions {
    /// What puts a lock first.
    pub sort: SortKey,
    /// How many locks to show.
    pub top: usize,
}

/// The report, styled; whoever prints it takes the styles out where they are not wanted.
pub fn text(profile: &Profile, options: TextOptions) -> String {
    let mut page = String::new();
    render(&mut page, profile, options).expect("writing to a string does not fail");
    page
}

fn render(page: &mut String, profile: &Profile, options: TextOptions) -> std::fmt::Result {
    summary(page, profile)?;
    let mut locks: Vec<&Lock> = profile.locks.iter().collect();
    locks.sort_by_key(|lock| std::cmp::Reverse(key(lock, options.sort)));
    let hidden = locks.len().saturating_sub(options.top);
    locks.truncate(options.top);
    if !locks.is_empty() {
        writeln!(page)?;
        table(page, profile, &locks)?;
        if hidden > 0 {
            let more = counted(hidden as u64, "more lock", "more locks");
            writeln!(
                page,
                "{FAINT}... and {more} (--top {}){FAINT:#}",
                options.top + hidden
            )?;
        }
        for lock in locks
            .iter()
            .take(DETAILED)
            .filter(|lock| !lock.sites.is_empty())
        {
            writeln!(page)?;
            sites(page, lock)?;
        }
    }
    notes(page, profile)
}

/// What a lock is ordered by: the key asked for, then the other measures of cost.
fn key(lock: &Lock, sort: SortKey) -> [u64; 3] {
    let (wait, contended, acquired) = (
        lock.wait_ns.total,
        lock.contended,
        lock.acquisitions.unwrap_or(0),
    );
    match sort {
        SortKey::Wait => [wait, contended, acquired],
        SortKey::Contended => [contended, wait, acquired],
        SortKey::Acquisitions => [acquired, wait, contended],
    }
}

fn summary(page: &mut String, profile: &Profile) -> std::fmt::Result {
    let command = shown_text(&profile.command.join(" "));
    write!(
        page,
        "{STRONG}{}{STRONG:#}: {}",
        cut_right(&command),
        duration(profile.duration_ns as f64),
    )?;
    // Only threads that came by a lock were seen at all.
    if profile.threads > 0 {
        let threads = counted(profile.threads, "thread", "threads");
        write!(page, ", {threads} took locks")?;
    }
    // A process has an entry for each program that it became.
    let processes: HashSet<u32> = profile.processes.iter().map(|it| it.pid).collect();
    if processes.len() > 1 {
        write!(page, " in {} processes", count(processes.len() as u64))?;
    }
    if profile.locks.is_empty() {
        return match profile.dropped.damaged {
            0 => writeln!(page, "; no lock was seen"),
            _ => writeln!(
                page,
                "; the recording is damaged, and no lock is left in it"
            ),
        };
    }
    writeln!(
        page,
        "; {STRONG}{}{STRONG:#} of their time went into waiting for them",
        share(profile.wait_ns, profile.thread_time_ns)
    )
}

fn table(page: &mut String, profile: &Profile, locks: &[&Lock]) -> std::fmt::Result {
    const HEAD: [&str; 8] = [
        "wait",
        "share",
        "contended",
        "acquired",
        "cont. %",
        "p50",
        "p99",
        "max",
    ];
    let rows: Vec<[String; 8]> = locks
        .iter()
        .map(|lock| {
            let wait = &lock.wait_ns;
            let time = |ns: Option<f64>| ns.map_or_else(|| "-".to_owned(), duration);
            [
                duration(wait.total as f64),
                share(wait.total, profile.thread_time_ns),
                count(lock.contended),
                lock.acquisitions.map_or_else(|| "-".to_owned(), count),
                lock.acquisitions
                    .map_or_else(|| "-".to_owned(), |all| share(lock.contended, all)),
                time(wait.p50),
                time(wait.p99),
                time(wait.max.map(|ns| ns as f64)),
            ]
        })
        .collect();
    let mut widths = HEAD.map(str::len);
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }

    for (head, width) in HEAD.iter().zip(widths) {
        write!(page, "{FAINT}{head:>width$}{FAINT:#}  ")?;
    }
    writeln!(page, "{FAINT}lock{FAINT:#}")?;
    for (row, lock) in rows.iter().zip(locks) {
        for (cell, width) in row.iter().zip(widths) {
            write!(page, "{cell:>width$}  ")?;
        }
        let instances = match lock.instances {
            1 => String::new(),
            many => format!(" ({} locks)", count(many)),
        };
        let name = cut_left(
            &shown_text(&lock.name),
            TABLE_NAME_WIDTH - instances.chars().count().min(TABLE_NAME_WIDTH / 2),
        );
        writeln!(page, "{STRONG}{name}{STRONG:#}{instances}")?;
    }
    Ok(())
}

fn sites(page: &mut String, lock: &Lock) -> std::fmt::Result {
    let name = cut_left(&shown_text(&lock.name), NAME_WIDTH);
    writeln!(page, "{STRONG}{name}{STRONG:#} is taken by")?;
    let widest = |cell: fn(&Site) -> String| {
        let shown = lock.sites.iter().take(SITES);
        shown.map(|site| cell(site).len()).max().unwrap_or(0)
    };
    let wait = |site: &Site| duration(site.wait_ns as f64);
    let contended = |site: &Site| count(site.contended);
    let acquired = |site: &Site| site.acquisitions.map_or_else(|| "-".to_owned(), count);
    let (w, c, a) = (widest(wait), widest(contended), widest(acquired));
    for site in lock.sites.iter().take(SITES) {
        write!(
            page,
            "  {:>w$} wait, {:>c$} contended of {:>a$}  ",
            wait(site),
            contended(site),
            acquired(site),
        )?;
        place(page, &site.frames)?;
    }
    let hidden = lock.sites.len().saturating_sub(SITES);
    if hidden > 0 {
        let more = counted(hidden as u64, "more call site", "more call sites");
        writeln!(
            page,
            "  {FAINT}... and {more} (--json has them all){FAINT:#}"
        )?;
    }
    Ok(())
}

/// The function that asked for the lock, what it was inlined into, and the line.
fn place(page: &mut String, frames: &[Frame]) -> std::fmt::Result {
    let Some(frame) = caller(frames) else {
        return writeln!(page, "(call site not kept)");
    };
    write!(page, "{}", cut_left(&function(frame), NAME_WIDTH))?;
    let outermost = frames.last().filter(|outermost| *outermost != frame);
    if let Some(outermost) = outermost {
        write!(page, " in {}", cut_left(&function(outermost), NAME_WIDTH))?;
    }
    if let Some(file) = &frame.file {
        write!(
            page,
            "  {FAINT}{}",
            cut_left(&shown_text(&from_here(file)), NAME_WIDTH)
        )?;
        if let Some(line) = frame.line {
            write!(page, ":{line}")?;
        }
        write!(page, "{FAINT:#}")?;
    }
    writeln!(page)
}

/// A source file below the current folder by its path from there, as an editor takes it.
fn from_here(file: &str) -> String {
    std::env::current_dir()
        .ok()
        .and_then(|here| {
            std::path::Path::new(file)
                .strip_prefix(here)
                .ok()?
                .to_str()
                .map(str::to_owned)
        })
        .unwrap_or_else(|| file.to_owned())
}

fn function(frame: &Frame) -> String {
    match (&frame.function, &frame.module, frame.offset) {
        (Some(function), ..) => shown_text(function),
        (None, Some(module), Some(offset)) => {
            let base = module.rsplit('/').next().unwrap_or(module);
            format!("{}+{offset:#x}", shown_text(base))
        }
        (None, _, Some(address)) => format!("{address:#x}"),
        (None, ..) => "(unknown)".to_owned(),
    }
}

fn notes(page: &mut String, profile: &Profile) -> std::fmt::Result {
    let dropped = &profile.dropped;
    let losses = [
        (
            dropped.after_stop,
            "acquisitions after recording had stopped",
        ),
        (
            dropped.sites,
            "acquisitions without a call site (counted under their lock)",
        ),
        (dropped.threads, "threads without a record of their life"),
        (dropped.modules, "mapped files without names"),
        (
            dropped.damaged,
            match dropped.damaged {
                1 => "damaged piece of the recording",
                _ => "damaged pieces of the recording",
            },
        ),
    ];
    let lost: Vec<String> = losses
        .iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, what)| format!("{} {what}", count(*number)))
        .collect();
    if lost.is_empty() && profile.warnings.is_empty() {
        return Ok(());
    }
    writeln!(page)?;
    if !lost.is_empty() {
        writeln!(page, "not recorded: {}", lost.join(", "))?;
    }
    for warning in &profile.warnings {
        writeln!(page, "note: {}", shown_text(warning))?;
    }
    Ok(())
}

fn cut_left(name: &str, width: usize) -> String {
    let length = name.chars().count();
    if length <= width {
        return name.to_owned();
    }
    let tail: String = name.chars().skip(length - (width - 3)).collect();
    format!("...{tail}")
}

fn cut_right(text: &str) -> String {
    if text.chars().count() <= NAME_WIDTH {
        return text.to_owned();
    }
    let head: String = text.chars().take(NAME_WIDTH - 3).collect();
    format!("{head}...")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::sample;

    fn plain(profile: &Profile, sort: SortKey, top: usize) -> String {
        let page = text(profile, TextOptions { sort, top });
        anstream::adapter::strip_str(&page).to_string()
    }

    #[test]
    fn a_job_server_at_a_glance() {
        insta::assert_snapshot!(plain(&sample::job_server(), SortKey::Wait, 10));
    }

    #[test]
    fn by_acquisitions_and_cut_short() {
        insta::assert_snapshot!(plain(&sample::job_server(), SortKey::Acquisitions, 2));
    }

    #[test]
    fn losses_and_notes_come_last() {
        let mut profile = sample::job_server();
        profile.locks.truncate(1);
        let mut child = profile.processes[0].clone();
        child.pid += 1;
        profile.processes.push(child);
        profile.dropped.threads = 3;
        profile.dropped.sites = 12_000;
        profile.warnings = vec!["recording of process 7 stopped".to_owned()];
        insta::assert_snapshot!(plain(&profile, SortKey::Wait, 10));
    }

    #[test]
    fn a_program_without_locks_has_one_line() {
        let mut profile = sample::job_server();
        profile.locks.clear();
        profile.wait_ns = 0;
        insta::assert_snapshot!(plain(&profile, SortKey::Wait, 10));
    }

    #[test]
    fn names_with_terminal_codes_are_shown_and_long_ones_cut() {
        let mut profile = sample::job_server();
        profile.command = vec!["\x1b]0;owned\x07".to_owned()];
        profile.locks.truncate(1);
        profile.locks[0].name = "evil\x1b[2J\nlock".to_owned();
        profile.locks[0].sites[0].frames[0].function = Some("f\x1b[31m".repeat(40));
        profile.locks[0].sites[0].frames[0].file = Some("/a\rb.c".to_owned());
        let styled = text(
            &profile,
            TextOptions {
                sort: SortKey::Wait,
                top: 10,
            },
        );
        for forbidden in ["\x1b[2J", "\x1b[31m", "\x1b]", "\x07", "\r"] {
            assert!(!styled.contains(forbidden), "{forbidden:?} in {styled:?}");
        }
        insta::assert_snapshot!(plain(&profile, SortKey::Wait, 10));
    }

    #[test]
    fn no_line_is_wider_than_the_widest_name_allows() {
        for line in plain(&sample::job_server(), SortKey::Wait, 10).lines() {
            assert!(line.chars().count() <= 120, "{line}");
        }
    }
}
