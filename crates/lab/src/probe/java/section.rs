//! The probe family as a whole.

use std::ffi::OsStr;
use std::io::Write;
use std::time::Duration;

use super::output::{Output, read};
use super::{find, run};
use crate::platform::pin_thread;
use crate::probe::count::Count;
use crate::probe::series::{Batch, LEAST_ROUNDS, Series};
use crate::probe::session::Session;
use crate::probe::{Java, Prices, Switches};
use crate::stats::{Estimate, estimate};

const SOURCE: &str = include_str!("Ping.java");
/// Without background compilation, a method waits until it has been compiled. Otherwise, on a busy machine, compilers in the
/// background finish long after the samples have been taken: of interpreted code, or of code compiled in haste.
const OPTIONS: [&str; 2] = [
    "-XX:+IgnoreUnrecognizedVMOptions",
    "-XX:-BackgroundCompilation",
];
/// Hand-overs in a batch of parks: two per round trip of `Ping.java`.
const HAND_OVERS: u64 = 2 * 1_000;
/// The program takes two to four seconds, unless the machine is loaded.
const LIMIT: Duration = Duration::from_secs(10);

/// Measures the cost of parking a thread and of Java's locks, where there is a JDK.
pub(in crate::probe) fn measure(session: &Session<'_>, prices: &mut Prices) {
    session.progress("Java's locks");
    let java = if session.plan().quick {
        refused("left out of a short run: starting Java alone takes a second".into())
    } else if session.interrupted() {
        refused("stopped before its turn".into())
    } else {
        match output(session) {
            Ok(output) => figures(&output),
            Err(reason) => refused(reason),
        }
    };
    prices.java = Some(java);
}

fn refused(reason: String) -> Java {
    Java {
        version: None,
        refused: Some(reason),
        park_unpark_ns: None,
        synchronized_ns: None,
        reentrant_lock_ns: None,
    }
}

fn output(session: &Session<'_>) -> Result<Output, String> {
    let (home, path) = (std::env::var_os("JAVA_HOME"), std::env::var_os("PATH"));
    let java = find::java(home.as_deref(), path.as_deref())?;
    // A file that only its owner may read, with the suffix that java requires.
    let written = tempfile::Builder::new()
        .prefix("locktoll-")
        .suffix(".java")
        .tempfile()
        .and_then(|mut file| file.write_all(SOURCE.as_bytes()).map(|()| file));
    let file = written.map_err(|error| format!("no file for the Java program: {error}"))?;
    let arguments: Vec<&OsStr> = OPTIONS
        .iter()
        .map(OsStr::new)
        .chain([file.path().as_os_str()])
        .collect();
    let cpus = session.far_cpu().map(|far| [session.home_cpu(), far]);
    let place = move |line: &str| placed(line, cpus.as_ref().ok());
    let text = run::run(&java, &arguments, LIMIT, || session.interrupted(), place)?;
    read(&text).map_err(|reason| format!("{} ran, but {reason}", java.display()))
}

/// Puts the two threads that a line names on two CPUs, as those of the futex hand-over. Returns whether the line waits for that.
/// Where the threads have no names, or may not be moved, they stay where the kernel puts them.
fn placed(line: &str, cpus: Option<&[usize; 2]>) -> bool {
    let words: Vec<&str> = line.split(' ').collect();
    let ["threads", first, second] = words[..] else {
        return false;
    };
    for (thread, cpu) in [first, second].into_iter().zip(cpus.into_iter().flatten()) {
        let id = thread.rsplit('/').next().and_then(|id| id.parse().ok());
        if let Some(id) = id {
            let _ = pin_thread(id, *cpu);
        }
    }
    true
}

/// Returns the figures of a run. As for every probe, a batch of hand-overs counts only if the kernel saw one switch in each
/// hand-over.
fn figures(output: &Output) -> Java {
    let mut parks = Series::new(Some(1.0));
    for &(ns, switches) in &output.parks {
        let batch = Batch {
            units: HAND_OVERS,
            ns,
            switches: Count::from(Switches {
                voluntary: switches,
                involuntary: 0.0,
            }),
        };
        match parks.accepts(&batch) {
            true => parks.push(Some(batch)),
            false => parks.push_off(batch),
        }
    }
    let mut reasons = Vec::new();
    let mut told = |what: &str, value: Result<Estimate, String>| match value {
        Ok(value) => Some(value),
        Err(reason) => {
            reasons.push(format!("{what}: {reason}"));
            None
        }
    };
    let park_unpark_ns = told("park", parks.ns());
    let synchronized_ns = told(
        "synchronized",
        above(&output.synchronized_ns, &output.bare_ns),
    );
    let reentrant_lock_ns = told("ReentrantLock", above(&output.lock_ns, &output.bare_ns));
    Java {
        version: output.version.clone(),
        refused: (!reasons.is_empty()).then(|| reasons.join("; ")),
        park_unpark_ns,
        synchronized_ns,
        reentrant_lock_ns,
    }
}

/// Returns the additional time of a loop over the bare loop of the same batch.
fn above(loop_ns: &[f64], bare_ns: &[f64]) -> Result<Estimate, String> {
    let differences: Vec<f64> = loop_ns
        .iter()
        .zip(bare_ns)
        .map(|(with, without)| with - without)
        .collect();
    if differences.len() < LEAST_ROUNDS {
        return Err(format!(
            "stopped after {} of {LEAST_ROUNDS} batches",
            differences.len()
        ));
    }
    estimate(&differences).ok_or_else(|| "not measurable".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(switches: f64, batches: usize) -> Output {
        Output {
            version: Some("21".into()),
            parks: vec![(2000.0, switches); batches],
            bare_ns: vec![1.0; batches],
            synchronized_ns: vec![12.0; batches],
            lock_ns: vec![25.0; batches],
        }
    }

    #[test]
    fn the_bare_loop_is_subtracted() {
        let java = figures(&output(1.001, 9));
        assert_eq!(java.refused, None);
        assert_eq!(java.version.as_deref(), Some("21"));
        assert_eq!(java.park_unpark_ns.unwrap().median, 2000.0);
        assert_eq!(java.synchronized_ns.unwrap().median, 11.0);
        assert_eq!(java.reentrant_lock_ns.unwrap().median, 24.0);
    }

    #[test]
    fn parks_that_do_not_switch_have_no_figure() {
        let java = figures(&output(0.4, 9));
        assert_eq!(java.park_unpark_ns, None);
        let reason = java.refused.unwrap();
        assert!(
            reason.starts_with("park: the kernel counted 0.400"),
            "{reason}"
        );
        assert!(java.synchronized_ns.is_some());
    }

    #[test]
    fn too_few_batches_have_no_figure() {
        let java = figures(&output(1.0, 3));
        assert_eq!((java.park_unpark_ns, java.synchronized_ns), (None, None));
        let reason = java.refused.unwrap();
        for what in ["park: ", "synchronized: ", "ReentrantLock: "] {
            assert!(reason.contains(what), "{reason}");
        }
    }

    #[test]
    fn the_program_prints_what_is_read() {
        let machine = crate::machine::Machine::observe();
        let mut watcher = ();
        let session = Session::new(crate::probe::Plan::full(), &machine, &mut watcher);
        match super::output(&session) {
            Ok(output) => {
                assert!(output.version.is_some());
                assert!(!output.parks.is_empty() && !output.bare_ns.is_empty());
                assert_eq!(output.bare_ns.len(), output.lock_ns.len());
            }
            // No JDK, an old one, or a machine too busy for it: but never lines that cannot be parsed.
            Err(reason) => assert!(!reason.contains("no sample"), "{reason}"),
        }
    }
}
