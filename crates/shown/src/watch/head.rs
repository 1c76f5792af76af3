//! The lines about the machine, above the table.

use locktoll_lab::watch::{Attribution, Interval, Subject, System, Totals};

use super::page::Block;
use super::words::{Line, name, per_second, share_of};
use locktoll_terminal::quantity::{count, counted, duration};

/// Returns what is watched, the CPUs, the run queue, and the switches.
pub fn lines(block: &Block) -> Vec<Line> {
    let interval = block.interval;
    let mut lines = vec![title(block), cpu(&interval.system), queue(&interval.system)];
    lines.push(switches(interval));
    if let Some(attribution) = &interval.attribution {
        lines.extend(attributed(attribution, interval.interval_ns));
    }
    if let Subject::Process(_) = block.subject {
        lines.push(process(interval));
        lines.extend(interval.totals.map(|totals| whole(&totals, interval)));
    }
    lines
}

fn title(block: &Block) -> Line {
    let watched = match block.subject {
        Subject::Machine => "context switches of this machine".to_owned(),
        Subject::Process(pid) => {
            let process = block.interval.processes.first();
            let called = process.map_or(String::new(), |p| format!(" ({})", name(&p.name)));
            format!("context switches of process {pid}{called}")
        }
    };
    let length = duration(block.interval.interval_ns as f64);
    Line::strong(format!("{watched}, {length}"))
}

fn cpu(system: &System) -> Line {
    let Some(cpu) = system.cpu else {
        return Line::plain(
            "CPU       not known: not readable, or the interval is too short".to_owned(),
        );
    };
    let shares = [
        ("user", cpu.user),
        ("sys", cpu.system),
        ("irq", cpu.interrupts),
        ("steal", cpu.steal),
        ("iowait", cpu.iowait),
        ("idle", cpu.idle),
    ];
    let shares = shares.map(|(kind, share)| format!("{kind} {:.0} %", share * 100.0));
    Line::plain(format!("CPU       {}", shares.join("   ")))
}

fn queue(system: &System) -> Line {
    let known = |number: Option<u64>| number.map_or_else(|| "?".to_owned(), count);
    let mut text = format!(
        "queue     {} runnable, {} blocked",
        known(system.runnable),
        known(system.blocked)
    );
    if let Some([one, five, fifteen]) = system.load {
        text += &format!("; load {one:.2} {five:.2} {fifteen:.2}");
    }
    if let Some(share) = system.cpu_pressure_share {
        text += &format!("; CPU pressure {:.0} %", share * 100.0);
    }
    Line::plain(text)
}

fn switches(interval: &Interval) -> Line {
    let ns = interval.interval_ns;
    let switches = interval.system.switches;
    let rate = |number| format!("{}/s of all CPUs", per_second(number, ns));
    let mut text = switches.map_or_else(|| "not reported".to_owned(), rate);
    if let Some(started) = interval.system.started {
        let started = per_second(started, ns);
        text += &format!("; {started}/s threads and processes started");
    }
    Line::plain(format!("switches  {text}"))
}

/// Says which threads the machine's switches belong to. Those that cannot be assigned to a thread have a separate line.
fn attributed(attribution: &Attribution, interval_ns: u64) -> Vec<Line> {
    let rate = |number: u64| format!("{}/s", per_second(number, interval_ns));
    let mut lines = vec![format!(
        "   of it  {} voluntary, {} involuntary, of {}",
        rate(attribution.voluntary),
        rate(attribution.involuntary),
        counted(attribution.threads_seen, "thread seen", "threads seen")
    )];
    if let Some(idle) = attribution.from_idle {
        lines.push(format!("          {} away from idle CPUs", rate(idle)));
    }
    if let Some(rest) = attribution.rest {
        let whose = match attribution.from_idle {
            None => "the rest: away from idle CPUs; threads that ended, or are not seen",
            Some(_) => "the rest: threads that ended, or are not seen",
        };
        lines.push(format!("          {} {whose}", rate(rest)));
    }
    lines.into_iter().map(Line::plain).collect()
}

/// Describes the watched process as a whole.
fn whole(totals: &Totals, interval: &Interval) -> Line {
    let ns = interval.interval_ns;
    let mut text = format!(
        "          user {:.0} %, sys {:.0} % of one CPU; {}/s page faults, {}/s from disk",
        totals.user_share * 100.0,
        totals.system_share * 100.0,
        per_second(totals.minor_faults, ns),
        per_second(totals.major_faults, ns)
    );
    let migrations = interval
        .processes
        .first()
        .and_then(|p| p.activity.migrations);
    if let Some(migrations) = migrations {
        text += &format!("; {}/s migrations", per_second(migrations, ns));
    }
    Line::plain(text)
}

/// Describes the watched process's threads in one line.
fn process(interval: &Interval) -> Line {
    let Some(process) = interval.processes.first() else {
        return Line::plain("process   nothing was read of it".to_owned());
    };
    let activity = &process.activity;
    let ns = process.window_ns;
    let mut text = format!(
        "process   {}/s voluntary, {}/s involuntary, of {}",
        per_second(activity.voluntary, ns),
        per_second(activity.involuntary, ns),
        counted(process.threads, "thread", "threads")
    );
    if activity.run_ns.is_some() {
        text += &format!(
            "; CPU {}, ready {}",
            share_of(activity.run_ns, ns),
            share_of(activity.ready_ns, ns)
        );
    }
    Line::plain(text)
}
