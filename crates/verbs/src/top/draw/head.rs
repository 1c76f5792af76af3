//! The top lines: the subject, the CPUs, the causes of switches.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::Palette;
use super::figures::{cause, per_second, percent, seen_by};
use super::spinning;
use crate::top::model::{Page, State};
use locktoll_results::top::{Cause, Interval};
use locktoll_terminal::escape::shown_text;
use locktoll_terminal::quantity::duration;

/// Below this height there is only one line of causes.
const TALL: u16 = 16;
const MOST_LINES_OF_CAUSES: usize = 2;
/// Below this width words are short.
const NARROW: u16 = 60;

/// Returns as many lines as there is room for.
pub fn lines(state: &State, screen: Rect, palette: Palette) -> Vec<Line<'static>> {
    let width = usize::from(screen.width);
    let mut lines = vec![title(state, width, palette)];
    let Some(interval) = &state.interval else {
        return lines;
    };
    let deadlock = interval.chosen.as_ref().and_then(|it| it.deadlock.as_ref());
    lines.extend(deadlock.map(|it| {
        let style = palette.waiting().patch(palette.strong());
        Line::styled(shown_text(it), style)
    }));
    let short = screen.width < NARROW;
    let program = program(interval, state.whole).filter(|_| screen.height >= TALL || short);
    if program.is_none() || screen.height >= TALL {
        lines.push(Line::from(cpu(interval, short)));
    }
    lines.extend(program.map(Line::from));
    let (causes, total) = match &interval.chosen {
        Some(chosen) => (&chosen.causes, None),
        None => (&interval.machine.causes, interval.machine.switches),
    };
    let most = if screen.height < TALL {
        1
    } else {
        MOST_LINES_OF_CAUSES
    };
    lines.extend(switches(causes, total, interval.interval_ns, width, most));
    if let Some(note) = interval.notes.first().filter(|_| screen.height >= TALL) {
        let more = match interval.notes.len() {
            1 => String::new(),
            notes => format!(" (and {} more)", notes - 1),
        };
        lines.push(Line::styled(
            format!("note: {}{more}", shown_text(note)),
            palette.faint(),
        ));
    }
    lines
}

fn title(state: &State, width: usize, palette: Palette) -> Line<'static> {
    let what = match state.page {
        Page::Programs => "all programs".to_owned(),
        Page::Locks(pid) => {
            let chosen = state.interval.as_ref().and_then(|it| it.chosen.as_ref());
            let name = chosen.map(|it| shown_text(&it.name)).unwrap_or_default();
            let by = match chosen.and_then(|it| it.seen_by) {
                Some(by) => format!(" ({})", seen_by(Some(by))),
                None => String::new(),
            };
            let ended = chosen.is_some_and(|it| it.ended);
            let ended = if ended { " HAS ENDED" } else { "" };
            format!("{pid}{by}{ended} {name}")
        }
    };
    let over = match &state.interval {
        Some(interval) if interval.interval_ns > 0 => duration(interval.interval_ns as f64),
        _ => String::new(),
    };
    let paused = if state.paused { "PAUSED " } else { "" };
    let period = if state.whole { "since start " } else { "" };
    let right = format!(" {paused}{period}{over}");
    let room = width.saturating_sub("locktoll top  ".len() + right.chars().count());
    let what: String = what.chars().take(room).collect();
    Line::from(vec![
        Span::styled("locktoll top  ", palette.strong()),
        Span::raw(format!("{what:room$}")),
        Span::styled(right, palette.notice()),
    ])
}

/// Returns the line about the machine's CPUs.
fn cpu(interval: &Interval, short: bool) -> String {
    let Some(cpu) = interval.machine.cpu else {
        return "CPU  -".to_owned();
    };
    let shares = [
        ("user", cpu.user),
        ("sys", cpu.system),
        ("idle", cpu.idle),
        ("steal", cpu.steal),
        ("iowait", cpu.iowait),
        ("irq", cpu.interrupts),
    ];
    if short {
        let few = &shares[..4];
        let few = few
            .iter()
            .map(|(name, share)| format!("{name} {:.0}", share * 100.0));
        return format!("CPU {} %", few.collect::<Vec<_>>().join(" "));
    }
    let all = shares.map(|(name, share)| format!("{name} {}", percent(share)));
    format!("CPU  {}", all.join("  "))
}

/// Returns the line about the CPU time of the chosen program.
fn program(interval: &Interval, whole: bool) -> Option<String> {
    let chosen = interval.chosen.as_ref()?;
    let (user, system) = (chosen.user_share?, chosen.system_share?);
    let spinning = match spinning::share(chosen.spun(whole)) {
        Some(share) => format!("  busy waiting {}", percent(share)),
        None => String::new(),
    };
    Some(format!(
        "program  user {}  sys {} of one CPU{spinning}",
        percent(user),
        percent(system)
    ))
}

/// Returns the causes, the most frequent first, on as many lines as they need, but at most `most`.
fn switches(
    causes: &[Cause],
    total: Option<u64>,
    over_ns: u64,
    width: usize,
    most: usize,
) -> Vec<Line<'static>> {
    let mut head = "switches/s".to_owned();
    if total.is_some() {
        head = format!("{head} {}", per_second(total, over_ns));
    }
    if causes.is_empty() {
        return vec![Line::from(format!("{head}  -"))];
    }
    let mut lines = vec![head + ":"];
    for (at, one) in causes.iter().enumerate() {
        let end = if at + 1 < causes.len() { "," } else { "" };
        let words = format!(" {}{end}", cause(one, over_ns, width < usize::from(NARROW)));
        let last = lines.last_mut().expect("begun with one");
        if last.chars().count() + words.chars().count() <= width {
            last.push_str(&words);
        } else if lines.len() < most {
            lines.push(format!("   {words}"));
        }
    }
    lines.into_iter().map(Line::from).collect()
}
