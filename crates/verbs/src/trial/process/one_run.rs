//! One run of the program, from start to end, with no process left behind.

use std::ffi::OsString;
use std::io;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use anyhow::Context;
use locktoll_lab::platform::startable;

use super::subject::{Load, Subject};
use super::supervisor::{GRACE, Happened, Supervisor};
use super::{Child, End, Input, Preloaded, Ready, is_ready, pattern, status, strays};
use locktoll_results::trial::WhyDropped;

/// How long a server may take to end after SIGTERM before it is killed.
pub const STOP: Duration = Duration::from_secs(10);

/// How often the readiness of a server is checked.
const READY_PAUSE: Duration = Duration::from_millis(5);

/// How long we wait, after the load has failed, for the end of a server whose death may be the cause.
const SERVER_MAY_BE_DYING: Duration = Duration::from_millis(200);

/// Why no other lock is tried on a program that has real-time threads.
pub const REAL_TIME: &str = "no lock is replaced in a program that has real-time threads (SCHED_FIFO, SCHED_RR or SCHED_DEADLINE). \
    Other locks ignore their priorities, and a real-time thread that spins or yields can starve the holder of a lock";

/// How a run ended.
pub enum Ran {
    /// The run came to its end.
    Whole(Whole),
    /// The run gave no figure.
    Failed(WhyDropped),
    /// The user has asked to stop.
    Interrupted,
}

/// A run that came to its end.
pub struct Whole {
    /// The metric; nanoseconds where it is wall time.
    pub metric: Result<f64, String>,
    /// From the program's start to its end, nanoseconds.
    pub wall_ns: u64,
    /// Processor time of the program, nanoseconds.
    pub cpu_ns: u64,
    /// How the program ended; for a server, after it was asked to end.
    pub status: ExitStatus,
    /// Whether the server did not end by SIGTERM, and was killed.
    pub was_killed: bool,
    /// The last lines that it wrote to its standard error.
    pub said: Option<String>,
}

/// Runs the subject once with the given library loaded into it.
///
/// # Errors
/// If the program cannot be started, or a system call fails.
pub fn run(
    subject: &Subject,
    preloaded: &Preloaded<'_>,
    limit: Duration,
    supervisor: &Supervisor,
) -> anyhow::Result<Ran> {
    if supervisor.is_interrupted() {
        return Ok(Ran::Interrupted);
    }
    match &subject.load {
        None => batch(subject, preloaded, limit, supervisor),
        Some(load) => server(subject, load, preloaded, limit, supervisor),
    }
}

fn start(
    subject: &Subject,
    preloaded: &Preloaded<'_>,
    supervisor: &Supervisor,
) -> anyhow::Result<Child> {
    let mut command = subject.program();
    preloaded.prepare(&mut command);
    let command = startable(command, subject.command.first().map(OsString::as_os_str));
    // With a server, the metric is searched for in the output of the load.
    let metric = subject.metric.as_ref().filter(|_| subject.load.is_none());
    let child = Child::start(command, subject.input, metric)
        .with_context(|| format!("{} could not be started", subject.name()))?;
    supervisor.watch(&child)?;
    Ok(child)
}

/// Runs a program to its end.
fn batch(
    subject: &Subject,
    preloaded: &Preloaded<'_>,
    limit: Duration,
    supervisor: &Supervisor,
) -> anyhow::Result<Ran> {
    let mut program = start(subject, preloaded, supervisor)?;
    let until = program.started + limit;
    let happened = supervisor.wait(&mut [&mut program], until, preloaded.tally())?;
    if happened != Happened::Ended {
        give_up(&mut program, supervisor)?;
        return Ok(unfinished(happened, limit));
    }
    let End { status, cpu_ns } = program.reap()?;
    let strays_ns = strays::end_all(None)?;
    Ok(Ran::Whole(Whole {
        metric: metric(subject, &mut program)?,
        wall_ns: lasted_ns(&program),
        cpu_ns: cpu_ns + strays_ns,
        status,
        was_killed: false,
        said: program.stderr.last_words()?,
    }))
}

/// Runs a server while its load drives it.
fn server(
    subject: &Subject,
    load: &Load,
    preloaded: &Preloaded<'_>,
    limit: Duration,
    supervisor: &Supervisor,
) -> anyhow::Result<Ran> {
    if let Ready::Port(port) = load.ready
        && !is_closed_soon(port)
    {
        return Ok(Ran::Failed(WhyDropped::Load {
            reason: format!("port {port} was in use before the server was started"),
        }));
    }
    let mut server = start(subject, preloaded, supervisor)?;
    let until = server.started + limit;
    if let Some(ran) = await_ready(load, &mut server, preloaded, until, limit, supervisor)? {
        return Ok(ran);
    }
    let mut driver = Child::start(load.command(), Input::Nothing, subject.metric.as_ref())
        .context("/bin/sh could not be started for the load")?;
    supervisor.watch(&driver)?;
    let mut early = None;
    while driver.ended.is_none() {
        let happened =
            supervisor.wait(&mut [&mut driver, &mut server], until, preloaded.tally())?;
        if happened != Happened::Ended {
            give_up(&mut driver, supervisor)?;
            give_up(&mut server, supervisor)?;
            return Ok(unfinished(happened, limit));
        }
        if server.ended.is_some() && early.is_none() {
            let end = server.reap()?;
            // The load may have told the server to end.
            if !end.status.success() {
                give_up(&mut driver, supervisor)?;
                return Ok(Ran::Failed(died(end.status, &server)?));
            }
            early = Some(end);
        }
    }
    let driven = driver.reap()?;
    if !driven.status.success() {
        let soon = Instant::now() + SERVER_MAY_BE_DYING;
        if early.is_none() && supervisor.wait(&mut [&mut server], soon, None)? == Happened::Ended {
            let end = server.reap()?;
            strays::end_all(None)?;
            return Ok(Ran::Failed(died(end.status, &server)?));
        }
        let said = driver.stderr.last_words()?.or(driver.stdout.last_words()?);
        let reason = status::words("the load", driven.status, said.as_deref());
        give_up(&mut server, supervisor)?;
        return Ok(Ran::Failed(WhyDropped::Load { reason }));
    }
    let was_killed = early.is_none() && supervisor.stop(&mut server, libc::SIGTERM, STOP)?;
    let end = match early {
        Some(end) => end,
        None => server.reap()?,
    };
    let strays_ns = strays::end_all(Some(driver.pid))?;
    Ok(Ran::Whole(Whole {
        metric: metric(subject, &mut driver)?,
        wall_ns: lasted_ns(&server),
        cpu_ns: end.cpu_ns + strays_ns,
        status: end.status,
        was_killed,
        said: server.stderr.last_words()?,
    }))
}

/// Waits until the server is ready, and then returns `None`.
fn await_ready(
    load: &Load,
    server: &mut Child,
    preloaded: &Preloaded<'_>,
    until: Instant,
    limit: Duration,
    supervisor: &Supervisor,
) -> anyhow::Result<Option<Ran>> {
    while !is_ready::is_ready(&load.ready, server)? {
        let pause = until.min(Instant::now() + READY_PAUSE);
        match supervisor.wait(&mut [server], pause, preloaded.tally())? {
            Happened::OutOfTime if Instant::now() < until => {}
            Happened::Ended => {
                let end = server.reap()?;
                strays::end_all(None)?;
                if !end.status.success() {
                    return Ok(Some(Ran::Failed(died(end.status, server)?)));
                }
                let reason = "the server ended with exit code 0 before it was ready; CMD must stay in the foreground";
                return Ok(Some(Ran::Failed(WhyDropped::Load {
                    reason: reason.to_owned(),
                })));
            }
            happened => {
                give_up(server, supervisor)?;
                if matches!(happened, Happened::Interrupted | Happened::RealTime) {
                    return Ok(Some(unfinished(happened, limit)));
                }
                let said = server.stderr.last_words()?.or(server.stdout.last_words()?);
                let said = said.map_or(String::new(), |said| format!(". It said: {said}"));
                return Ok(Some(Ran::Failed(WhyDropped::Load {
                    reason: format!(
                        "the server was not ready within {}: {}{said}",
                        locktoll_terminal::quantity::duration(limit.as_nanos() as f64),
                        load.ready.words()
                    ),
                })));
            }
        }
    }
    Ok(None)
}

/// Ends a process and everything that it has started.
fn give_up(child: &mut Child, supervisor: &Supervisor) -> io::Result<()> {
    if child.ended.is_none() {
        child.signal_all(libc::SIGTERM);
        supervisor.stop(child, libc::SIGTERM, GRACE)?;
    }
    if !child.is_reaped() {
        child.reap()?;
    }
    Ok(())
}

fn unfinished(happened: Happened, limit: Duration) -> Ran {
    match happened {
        Happened::Interrupted => Ran::Interrupted,
        Happened::RealTime => Ran::Failed(WhyDropped::NotReplaced {
            reason: REAL_TIME.to_owned(),
        }),
        Happened::OutOfTime | Happened::Ended => Ran::Failed(WhyDropped::TimeLimit {
            limit_ns: limit.as_nanos() as u64,
        }),
    }
}

/// Returns the reason for which a server that ended by itself has failed.
fn died(status: ExitStatus, server: &Child) -> io::Result<WhyDropped> {
    Ok(status::why(status, server.stderr.last_words()?))
}

/// Returns the figure that is compared: from the program's own run, or from the run of its load.
fn metric(subject: &Subject, child: &mut Child) -> io::Result<Result<f64, String>> {
    let Some(expression) = &subject.metric else {
        return Ok(Ok(lasted_ns(child) as f64));
    };
    for output in [&mut child.stdout, &mut child.stderr] {
        if let Some(found) = output.found()? {
            return Ok(pattern::number(found));
        }
    }
    let whose = if subject.load.is_some() {
        "the load"
    } else {
        "the program"
    };
    let said = child.stdout.last_words()?.or(child.stderr.last_words()?);
    let said = said.map_or("wrote nothing".to_owned(), |said| {
        format!("last output: {said}")
    });
    let expression = locktoll_terminal::escape::shown_text(expression.text());
    Ok(Err(format!(
        "'{expression}' matched nothing on the standard output or standard error of {whose}, which {said}"
    )))
}

fn lasted_ns(child: &Child) -> u64 {
    let ended = child.ended.unwrap_or_else(Instant::now);
    ended.saturating_duration_since(child.started).as_nanos() as u64
}

/// Waits a moment for a port: the one of the previous run may not be free at once.
fn is_closed_soon(port: u16) -> bool {
    let since = Instant::now();
    while is_ready::is_open(port) {
        if since.elapsed() > GRACE {
            return false;
        }
        std::thread::sleep(READY_PAUSE);
    }
    true
}
