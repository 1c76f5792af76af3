//! The name and the contents of each column.

use crate::profile::words;
use locktoll_results::profile::{Blame, Frame, Lock, Site, StackWaits, Thread, Use, caller};
use locktoll_terminal::escape::shown_text;

/// A column of a table of `T`.
pub type Column<T> = (&'static str, fn(&T) -> String);

/// Identifies a lock: at the beginning of every row about it.
pub const IDENTITY: &[Column<Lock>] = &[
    ("id", |lock| name(&lock.id)),
    ("lock", |lock| name(&lock.name)),
    ("kind", |lock| words::kind(lock.kind).to_owned()),
    ("used_as", |lock| {
        match lock.used_as {
            Use::Lock => "lock",
            Use::Signal => "signal",
        }
        .to_owned()
    }),
    ("instances", |lock| lock.instances.to_string()),
];

/// The figures of a lock.
pub const FIGURES: &[Column<Lock>] = &[
    ("acquisitions", |lock| known(lock.acquisitions)),
    ("read_acquisitions", |lock| known(lock.read_acquisitions)),
    ("taking_threads", |lock| {
        known(lock.takers.map(|it| it.threads))
    }),
    ("acquisitions_by_one_thread", |lock| {
        known(lock.takers.map(|it| it.most))
    }),
    ("contended", |lock| lock.contended.to_string()),
    ("try_failed", |lock| known(lock.try_failed)),
    ("timed_out", |lock| lock.timed_out.to_string()),
    ("still_waiting", |lock| lock.still_waiting.to_string()),
    ("still_waiting_ns", |lock| lock.still_waiting_ns.to_string()),
    ("wait_total_ns", |lock| lock.wait_ns.total.to_string()),
    ("wait_max_ns", |lock| known(lock.wait_ns.max)),
    ("wait_p50_ns", |lock| rounded(lock.wait_ns.p50)),
    ("wait_p99_ns", |lock| rounded(lock.wait_ns.p99)),
    ("spinning_ns", |lock| {
        known(lock.wait_split.as_ref().and_then(|it| it.spinning_ns))
    }),
    ("blocked_ns", |lock| {
        known(lock.wait_split.as_ref().map(|it| it.blocked_ns))
    }),
    ("runnable_ns", |lock| {
        known(lock.wait_split.as_ref().map(|it| it.runnable_ns))
    }),
    ("hold_total_ns", |lock| {
        known(lock.hold_ns.as_ref().map(|it| it.total))
    }),
    ("hold_max_ns", |lock| {
        known(lock.hold_ns.as_ref().map(|it| it.max))
    }),
    ("hold_p50_ns", |lock| {
        rounded(lock.hold_ns.as_ref().map(|it| it.p50))
    }),
    ("hold_p99_ns", |lock| {
        rounded(lock.hold_ns.as_ref().map(|it| it.p99))
    }),
    ("holds_timed", |lock| {
        known(lock.hold_ns.as_ref().map(|it| it.sampled))
    }),
    ("recorder_dominates", |lock| {
        lock.recorder_dominates.to_string()
    }),
    ("holds_examined", |lock| {
        known(lock.while_held.as_ref().map(|it| it.examined))
    }),
    ("holds_blocked", |lock| {
        known(lock.while_held.as_ref().map(|it| it.blocked))
    }),
    ("holder_preemptions", |lock| {
        known(lock.while_held.as_ref().map(|it| it.involuntary_switches))
    }),
    ("system_calls_held", |lock| {
        known(lock.while_held.as_ref().map(|it| it.system_calls))
    }),
    ("signal_waits", |lock| {
        known(lock.signal.as_ref().and_then(|it| it.waits))
    }),
    ("signal_waits_blocked", |lock| {
        known(lock.signal.as_ref().map(|it| it.blocked))
    }),
    ("signal_wait_ns", |lock| {
        known(lock.signal.as_ref().map(|it| it.wait_ns.total))
    }),
    ("signal_relock_ns", |lock| {
        known(lock.signal.as_ref().and_then(|it| it.relock_ns))
    }),
    ("signals", |lock| {
        known(lock.signal.as_ref().and_then(|it| it.signals))
    }),
    ("broadcasts", |lock| {
        known(lock.signal.as_ref().and_then(|it| it.broadcasts))
    }),
];

/// A place that acquires a lock.
pub const SITE: &[Column<Site>] = &[
    ("site", |site| function(&site.frames)),
    ("site_file", |site| file(&site.frames)),
    ("site_line", |site| line(&site.frames)),
    ("site_module", |site| module(&site.frames)),
    ("site_offset", |site| offset(&site.frames)),
    ("site_acquisitions", |site| known(site.acquisitions)),
    ("site_contended", |site| site.contended.to_string()),
    ("site_try_failed", |site| known(site.try_failed)),
    ("site_wait_ns", |site| site.wait_ns.to_string()),
    ("site_wait_max_ns", |site| known(site.wait_max_ns)),
    ("site_hold_ns", |site| known(site.hold_ns)),
];

/// A waiter and a holder.
pub const BLAME: &[Column<Blame>] = &[
    ("waiter", |blame| function(&blame.waiter)),
    ("waiter_file", |blame| file(&blame.waiter)),
    ("waiter_line", |blame| line(&blame.waiter)),
    ("waiter_module", |blame| module(&blame.waiter)),
    ("waiter_offset", |blame| offset(&blame.waiter)),
    ("holder", |blame| function(holder(blame))),
    ("holder_file", |blame| file(holder(blame))),
    ("holder_line", |blame| line(holder(blame))),
    ("holder_module", |blame| module(holder(blame))),
    ("holder_offset", |blame| offset(holder(blame))),
    ("waits", |blame| blame.count.to_string()),
    ("wait_ns", |blame| blame.wait_ns.to_string()),
];

/// A stack, written as in folded stacks.
pub const STACK: &[Column<StackWaits>] = &[
    ("stack", |stack| {
        let calls = words::from_caller(&stack.frames).iter().rev();
        let calls: Vec<String> = calls.map(words::one_frame).collect();
        harmless(calls.join(";"))
    }),
    ("waits", |stack| stack.waits.to_string()),
    ("wait_ns", |stack| stack.wait_ns.to_string()),
];

/// A thread.
pub const THREAD: &[Column<Thread>] = &[
    ("pid", |thread| thread.pid.to_string()),
    ("tid", |thread| thread.tid.to_string()),
    ("name", |thread| name(&thread.name)),
    ("started_with", |thread| {
        let started = thread.started_with.as_ref();
        started.map_or_else(String::new, |frame| harmless(words::function(frame)))
    }),
    ("start_ns", |thread| thread.start_ns.to_string()),
    ("duration_ns", |thread| thread.duration_ns.to_string()),
    ("cpu_ns", |thread| known(thread.cpu_ns)),
    ("cpu_wait_ns", |thread| known(thread.cpu_wait_ns)),
    ("lock_wait_ns", |thread| known(thread.lock_wait_ns)),
    ("lock_still_waiting_ns", |thread| {
        thread.lock_still_waiting_ns.to_string()
    }),
    ("signal_wait_ns", |thread| known(thread.signal_wait_ns)),
    ("signal_still_waiting_ns", |thread| {
        thread.signal_still_waiting_ns.to_string()
    }),
    ("voluntary_switches", |thread| {
        known(thread.voluntary_switches)
    }),
    ("involuntary_switches", |thread| {
        known(thread.involuntary_switches)
    }),
    ("yields", |thread| known(thread.yields)),
];

fn holder(blame: &Blame) -> &[Frame] {
    blame.holder.as_deref().unwrap_or_default()
}

/// Returns the program's own function.
pub fn function(frames: &[Frame]) -> String {
    caller(frames).map_or_else(String::new, |it| harmless(words::function(it)))
}

/// Returns its source file.
pub fn file(frames: &[Frame]) -> String {
    let file = caller(frames).and_then(|it| it.file.as_deref());
    file.map_or_else(String::new, name)
}

/// Returns the line in the source file.
pub fn line(frames: &[Frame]) -> String {
    known(caller(frames).and_then(|it| it.line).map(u64::from))
}

/// Returns its object file.
pub fn module(frames: &[Frame]) -> String {
    let module = caller(frames).and_then(|it| it.module.as_deref());
    module.map_or_else(String::new, name)
}

/// Returns the offset in the object file.
pub fn offset(frames: &[Frame]) -> String {
    let offset = caller(frames).and_then(|it| it.offset);
    offset.map_or_else(String::new, |offset| format!("{offset:#x}"))
}

/// Formats a figure, or nothing if it is unknown.
pub fn known(figure: Option<u64>) -> String {
    figure.map_or_else(String::new, |figure| figure.to_string())
}

fn rounded(figure: Option<f64>) -> String {
    figure.map_or_else(String::new, |figure| format!("{figure:.0}"))
}

fn name(text: &str) -> String {
    harmless(shown_text(text))
}

/// Makes a cell harmless. A spreadsheet treats a cell that begins like this as a formula and runs it; an apostrophe makes it
/// text.
fn harmless(text: String) -> String {
    match text.starts_with(['=', '+', '-', '@']) {
        true => format!("'{text}"),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use locktoll_made_up::sample;
    use locktoll_results::profile::Takers;
    use serde::Serialize;
    use serde::de::DeserializeOwned;
    use serde_json::Value;

    /// Returns a copy with a different number in each numeric field.
    fn numbered<T: Serialize + DeserializeOwned>(it: &T) -> (T, Value) {
        fn number(value: &mut Value, next: &mut u64) {
            match value {
                Value::Number(number) => {
                    *next += 1;
                    *number = (*next).into();
                }
                Value::Array(all) => all.iter_mut().for_each(|it| number(it, next)),
                Value::Object(all) => all.values_mut().for_each(|it| number(it, next)),
                _ => {}
            }
        }
        let mut value = serde_json::to_value(it).unwrap();
        number(&mut value, &mut 100);
        (serde_json::from_value(value.clone()).unwrap(), value)
    }

    /// Checks that each column shows the field with the path `field` in JSON; for columns that are not numbers the path is
    /// `None`.
    fn check<T: Serialize + DeserializeOwned>(
        columns: &[Column<T>],
        of: &T,
        field: impl Fn(&str) -> Option<String>,
    ) {
        let (of, value) = numbered(of);
        for (head, cell) in columns {
            let Some(path) = field(head) else { continue };
            let number = value.pointer(&path).and_then(Value::as_u64);
            let number = number.unwrap_or_else(|| panic!("{head}: no number at {path}"));
            assert_eq!(cell(&of), number.to_string(), "{head}");
        }
    }

    #[test]
    fn each_column_of_a_thread_is_the_field_of_that_name() {
        let profile = sample::job_server();
        check(THREAD, &profile.per_thread[0], |head| {
            (!matches!(head, "name" | "started_with")).then(|| format!("/{head}"))
        });
    }

    #[test]
    fn each_figure_of_a_lock_is_its_own() {
        let profile = sample::job_server();
        let signal = profile.locks.iter().find_map(|it| it.signal.clone());
        let mut lock = profile.locks[0].clone();
        lock.signal = signal;
        lock.read_acquisitions = Some(1);
        lock.takers = Some(Takers {
            threads: 1,
            most: 1,
        });
        check(FIGURES, &lock, |head| {
            let path = match head {
                "recorder_dominates" => return None,
                "spinning_ns" | "blocked_ns" | "runnable_ns" => format!("wait_split/{head}"),
                "taking_threads" => "takers/threads".to_owned(),
                "acquisitions_by_one_thread" => "takers/most".to_owned(),
                "holds_timed" => "hold_ns/sampled".to_owned(),
                "holds_examined" => "while_held/examined".to_owned(),
                "holds_blocked" => "while_held/blocked".to_owned(),
                "holder_preemptions" => "while_held/involuntary_switches".to_owned(),
                "system_calls_held" => "while_held/system_calls".to_owned(),
                "signal_waits_blocked" => "signal/blocked".to_owned(),
                "signal_wait_ns" => "signal/wait_ns/total".to_owned(),
                "signals" | "broadcasts" => format!("signal/{head}"),
                _ => match head.split_once('_') {
                    Some(("signal", figure)) => format!("signal/{figure}"),
                    Some((what @ ("wait" | "hold"), figure)) => {
                        format!("{what}_ns/{}", figure.trim_end_matches("_ns"))
                    }
                    _ => head.to_owned(),
                },
            };
            Some(format!("/{path}"))
        });
    }

    #[test]
    fn each_figure_of_a_place_a_pair_and_a_stack_is_its_own() {
        let profile = sample::job_server();
        let lock = &profile.locks[0];
        let mut site = lock.sites[0].clone();
        site.try_failed = Some(1);
        site.hold_ns = Some(1);
        check(&SITE[5..], &site, |head| {
            Some(head.replacen("site_", "/", 1))
        });
        check(&BLAME[10..], &lock.blame[0], |head| {
            Some(format!("/{}", head.replace("waits", "count")))
        });
        check(&STACK[1..], &lock.stacks[0], |head| {
            Some(format!("/{head}"))
        });
    }
}
