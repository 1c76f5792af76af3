//! Runs of real processes. A run ends every child of its process, so each test has a test process of its own.

use std::ffi::OsString;
use std::mem::offset_of;
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::process::ExitStatusExt;
use std::process::Command;
use std::time::Duration;

use super::one_run::{REAL_TIME, Ran, Whole, run};
use super::supervisor::Supervisor;
use super::{Input, Load, Locks, Pattern, Preloaded, Processes, Ready, Subject};
use crate::run_program::launch::adopt_strays;
use crate::trial::{Contestant, Outcome, Runner};
use locktoll_results::trial::WhyDropped;
use locktoll_substitute::tally::{BYTES, Tally};
use locktoll_terminal::interrupt::Interrupt;

/// Set in a test process that runs one test.
const ALONE: &str = "TEST_RUNS_ALONE";

/// No run here comes near it.
const LONG: Duration = Duration::from_secs(20);

/// Runs the body of the test with this name in a process of its own.
fn alone(test: &str, body: impl FnOnce()) {
    if std::env::var_os(ALONE).is_some() {
        adopt_strays().unwrap();
        return body();
    }
    let (_, module) = module_path!().split_once("::").unwrap();
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "--nocapture", &format!("{module}::{test}")])
        .env(ALONE, "1")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let ran = output.status.success() && said.contains("1 passed");
    assert!(ran, "{said}{}", String::from_utf8_lossy(&output.stderr));
}

fn subject(script: &str, metric: Option<&str>) -> Subject {
    Subject {
        command: ["sh", "-c", script].map(OsString::from).to_vec(),
        program: "/bin/sh".into(),
        input: Input::Nothing,
        load: None,
        metric: metric.map(|text| Pattern::with_group(text).unwrap()),
    }
}

fn server(script: &str, ready: Ready, load: &str) -> Subject {
    Subject {
        load: Some(Load {
            command: load.to_owned(),
            ready,
        }),
        ..subject(script, Some(r"rate (\d+)"))
    }
}

fn says(text: &str) -> Ready {
    Ready::Says(Pattern::new(text).unwrap())
}

fn ran(subject: &Subject, limit: Duration) -> Ran {
    let supervisor = Supervisor::new(Interrupt::listen().unwrap());
    run(subject, &Preloaded::Nothing, limit, &supervisor).unwrap()
}

fn whole(subject: &Subject) -> Whole {
    match ran(subject, LONG) {
        Ran::Whole(whole) => whole,
        Ran::Failed(why) => panic!("{why:?}"),
        Ran::Interrupted => panic!("interrupted"),
    }
}

fn failed(subject: &Subject, limit: Duration) -> WhyDropped {
    match ran(subject, limit) {
        Ran::Failed(why) => why,
        Ran::Whole(_) | Ran::Interrupted => panic!("it did not fail"),
    }
}

/// Returns the reason for which the load or the metric gave no figure.
fn reason(subject: &Subject, limit: Duration) -> String {
    match failed(subject, limit) {
        WhyDropped::Load { reason } => reason,
        other => panic!("{other:?}"),
    }
}

fn is_alive(pid: f64) -> bool {
    // SAFETY: no memory is involved.
    unsafe { libc::kill(pid as i32, 0) == 0 }
}

#[test]
fn a_program_has_its_figure_its_code_and_its_last_words() {
    alone(
        "a_program_has_its_figure_its_code_and_its_last_words",
        || {
            let found = whole(&subject(
                "echo took 12; echo oops >&2; exit 3",
                Some(r"took (\d+)"),
            ));
            assert_eq!(found.metric, Ok(12.0));
            assert_eq!(found.status.code(), Some(3));
            assert_eq!(found.said.as_deref(), Some("oops"));
            assert!(!found.was_killed && found.cpu_ns > 0 && found.cpu_ns < 20_000_000_000);
            let timed = whole(&subject("sleep 0.05", None));
            assert!(timed.wall_ns >= 50_000_000);
            assert_eq!(timed.metric, Ok(timed.wall_ns as f64));
            let other = whole(&subject("echo nothing of it", Some(r"took (\d+)")));
            let why = other.metric.unwrap_err();
            assert!(
                why.ends_with("of the program, which last output: nothing of it"),
                "{why}"
            );
        },
    );
}

#[test]
fn a_program_that_takes_too_long_is_ended() {
    alone("a_program_that_takes_too_long_is_ended", || {
        let why = failed(&subject("sleep 20", None), Duration::from_millis(200));
        let expected = WhyDropped::TimeLimit {
            limit_ns: 200_000_000,
        };
        assert_eq!(why, expected);
    });
}

#[test]
fn what_a_program_leaves_behind_is_ended_with_it() {
    alone("what_a_program_leaves_behind_is_ended_with_it", || {
        // One ends when it is asked to, one is stopped, and the last one does not want to end.
        for left in ["exec sleep 20", "kill -STOP $$", "trap '' TERM; sleep 20"] {
            let script = format!("setsid sh -c \"{left}\" & echo $!");
            let found = whole(&subject(&script, Some(r"(\d+)")));
            assert!(!is_alive(found.metric.unwrap()), "{left}");
        }
    });
}

#[test]
fn a_server_is_driven_by_its_load_and_asked_to_end() {
    alone("a_server_is_driven_by_its_load_and_asked_to_end", || {
        let script = "echo ready; exec sleep 20";
        let found = whole(&server(script, says("^ready$"), "echo rate 7"));
        assert_eq!(found.metric, Ok(7.0));
        assert_eq!(found.status.signal(), Some(libc::SIGTERM));
        assert!(!found.was_killed);
        let other = whole(&server(script, says("^ready$"), "true"));
        let why = other.metric.unwrap_err();
        assert!(why.ends_with("of the load, which wrote nothing"), "{why}");
        let failed = reason(&server(script, says("ready"), "echo no; exit 4"), LONG);
        assert_eq!(failed, "the load ended with exit code 4: no");
    });
}

#[test]
fn a_server_may_end_by_order_of_its_load_and_not_by_a_failure() {
    alone(
        "a_server_may_end_by_order_of_its_load_and_not_by_a_failure",
        || {
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("pid");
            let file = file.display();
            let script = |code: i32| {
                format!(
                    "trap 'exit {code}' USR1; echo $$ > '{file}'; echo ready; while :; do sleep 0.01; done"
                )
            };
            let load = format!(
                "kill -USR1 $(cat '{file}'); while kill -0 $(cat '{file}') 2> /dev/null; do sleep 0.01; done; echo rate 7"
            );
            let found = whole(&server(&script(0), says("ready"), &load));
            assert_eq!((found.metric, found.status.code()), (Ok(7.0), Some(0)));
            let why = failed(&server(&script(6), says("ready"), &load), LONG);
            assert!(
                matches!(why, WhyDropped::ExitCode { code: 6, .. }),
                "{why:?}"
            );
        },
    );
}

#[test]
fn a_server_that_does_not_become_ready_is_told_why() {
    alone("a_server_that_does_not_become_ready_is_told_why", || {
        let ended = reason(&server("exit 0", says("ready"), "true"), LONG);
        assert!(ended.contains("before it was ready"), "{ended}");
        let why = failed(&server("exit 5", says("ready"), "true"), LONG);
        assert!(
            matches!(why, WhyDropped::ExitCode { code: 5, .. }),
            "{why:?}"
        );
        // Long enough for a shell to start on a busy machine.
        let soon = Duration::from_secs(2);
        let never = server("echo wait; exec sleep 20", says("ready"), "true");
        let never = reason(&never, soon);
        assert!(
            never.starts_with("the server was not ready within 2"),
            "{never}"
        );
        assert!(never.ends_with("It said: wait"), "{never}");
    });
}

#[test]
fn a_port_must_be_free_before_and_open_afterwards() {
    alone("a_port_must_be_free_before_and_open_afterwards", || {
        let bind = || {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
            let port = listener.local_addr().unwrap().port();
            (listener, port)
        };
        let server = |port| server("exec sleep 20", Ready::Port(port), "true");
        let (listener, port) = bind();
        std::thread::spawn(move || listener.incoming().for_each(drop));
        let used = reason(&server(port), LONG);
        assert!(used.contains("was in use before"), "{used}");
        let (listener, port) = bind();
        drop(listener);
        let closed = reason(&server(port), Duration::from_millis(300));
        assert!(closed.contains("was not accepted"), "{closed}");
    });
}

#[test]
fn codes_of_bare_are_passed_on_and_a_library_that_is_not_loaded_is_told() {
    alone(
        "codes_of_bare_are_passed_on_and_a_library_that_is_not_loaded_is_told",
        || {
            let interrupt = Interrupt::listen().unwrap();
            let library = "/nowhere/to/be/found.so".into();
            let mut processes =
                Processes::new(subject("exit 3", None), None, library, interrupt).unwrap();
            assert_eq!(processes.exit_code(), 0);
            let Outcome::Done(figures) = processes.run(&Contestant::Bare, LONG).unwrap() else {
                panic!("bare failed")
            };
            assert_eq!((figures.exit_code, processes.exit_code()), (3, 3));
            assert!(!processes.bare_was_killed());
            let lock = Contestant::Candidate("ticket".to_owned());
            match processes.run(&lock, LONG).unwrap() {
                Outcome::Failed(WhyDropped::NotReplaced { reason }) => {
                    assert!(
                        reason.starts_with("the library was never loaded"),
                        "{reason}"
                    );
                }
                other => panic!("{other:?}"),
            }
        },
    );
}

#[test]
fn a_run_ends_when_the_library_has_counted_a_real_time_thread() {
    alone(
        "a_run_ends_when_the_library_has_counted_a_real_time_thread",
        || {
            let folder = tempfile::tempdir().unwrap();
            let tally = folder.path().join("tally");
            let (place, path) = (offset_of!(Tally, real_time), tally.display());
            let count = format!(
                "printf '\\001' | dd of='{path}' bs=1 seek={place} conv=notrunc 2> /dev/null"
            );
            let locks = Preloaded::Locks(Locks {
                library: "/nowhere/to/be/found.so".as_ref(),
                candidate: "mcs",
                tally: &tally,
                only: None,
            });
            // In the program's run, before the server is ready, and while the load runs. Each would take 20 s.
            let counts = format!("{count}; exec sleep 20");
            for subject in [
                subject(&counts, None),
                server(&counts, says("never"), "true"),
                server("echo ready; exec sleep 20", says("ready"), &counts),
            ] {
                std::fs::write(&tally, [0; BYTES]).unwrap();
                let supervisor = Supervisor::new(Interrupt::listen().unwrap());
                let long = 3 * LONG;
                match run(&subject, &locks, long, &supervisor).unwrap() {
                    Ran::Failed(WhyDropped::NotReplaced { reason }) => {
                        assert_eq!(reason, REAL_TIME)
                    }
                    Ran::Failed(other) => panic!("{other:?}"),
                    Ran::Whole(_) | Ran::Interrupted => panic!("it came to its end"),
                }
            }
        },
    );
}
