//! Busy waiting, in words that all formats share.

use locktoll_results::profile::{Profile, SPINNERS, Spinner, Spinning, WriterState};
use locktoll_terminal::escape::shown_text;
use locktoll_terminal::quantity::counted;

use super::words;

/// Fewer samples than this may be chance, or a loop that waits for a moment at the program's start.
const FEWEST: usize = 10;
/// Less than one part in this many of the program's samples is not worth a line.
const LITTLE: u64 = 100;

/// Whether there is busy waiting worth showing.
pub fn is_worth_showing(profile: &Profile) -> bool {
    let samples = profile.spin_samples.as_ref().map_or(0, |it| it.samples);
    let all: usize = profile.spinning.iter().map(|it| it.cpu_ns.n).sum();
    is_enough(all, samples)
}

/// Returns the rows worth showing.
pub fn rows(profile: &Profile) -> Vec<&Spinning> {
    if !is_worth_showing(profile) {
        return Vec::new();
    }
    let samples = profile.spin_samples.as_ref().map_or(0, |it| it.samples);
    let rows = profile.spinning.iter();
    rows.filter(|it| is_enough(it.cpu_ns.n, samples)).collect()
}

/// Returns the rows worth showing whose time is part of no lock's waits.
pub fn uncharged(profile: &Profile) -> impl Iterator<Item = &Spinning> {
    rows(profile).into_iter().filter(|row| row.lock.is_none())
}

/// Whether `samples` in one place, of all, are worth a line.
pub fn is_enough(samples: usize, of: u64) -> bool {
    samples >= FEWEST && samples as u64 * LITTLE >= of
}

/// Returns the CPU time of busy waiting that is charged to no lock, nanoseconds, if it is worth showing.
pub fn ns(profile: &Profile) -> Option<u64> {
    let estimate = profile.spin_cpu_ns?;
    (is_worth_showing(profile) && estimate.median > 0.0).then_some(estimate.median as u64)
}

/// Returns the sentence that says why the waiting takes so long, such as "8 threads spin on 2 CPUs; the one they wait for was
/// ready to run and had no CPU for 61 % of the time".
pub fn why(row: &Spinning) -> String {
    let threads = counted(row.threads, "thread spins", "threads spin");
    let mut text = match row.usable_cpus {
        Some(1.0) => format!("{threads} on 1 CPU"),
        Some(cpus) => format!("{threads} on {} CPUs", round(cpus)),
        None => threads,
    };
    let one = match row.threads {
        1 => "the thread it waits for",
        _ => "the one they wait for",
    };
    match row.writer_state {
        Some(state) => text.push_str(&format!("; {one} {}", doing(state))),
        None => {
            if let Some(runnable) = row.runnable_threads
                && row.usable_cpus.is_some_and(|cpus| runnable > cpus)
            {
                text.push_str(&format!(
                    "; on average, {} threads were running or ready to run",
                    round(runnable)
                ));
            }
        }
    }
    text
}

/// Says what a thread did for most of the time, and how long it had no CPU.
fn doing(state: WriterState) -> String {
    let per_cent = |share: f64| format!("{:.0} %", share * 100.0);
    if state.runnable >= state.running && state.runnable >= state.asleep {
        return format!(
            "was ready to run and had no CPU for {} of the time",
            per_cent(state.runnable)
        );
    }
    let most = match state.running >= state.asleep {
        true => format!("was running for {}", per_cent(state.running)),
        false => format!("was asleep for {}", per_cent(state.asleep)),
    };
    match state.runnable >= 0.05 {
        true => format!(
            "{most} of the time, and was ready to run without a CPU for {}",
            per_cent(state.runnable)
        ),
        false => format!("{most} of the time"),
    }
}

fn round(number: f64) -> String {
    match number.fract().abs() < 0.05 {
        true => format!("{number:.0}"),
        false => format!("{number:.1}"),
    }
}

/// Returns the name of the word.
pub fn word(row: &Spinning) -> String {
    row.word
        .as_ref()
        .map_or_else(|| "-".to_owned(), |word| shown_text(&word.name))
}

/// Returns the code that writes the word, the most frequent first.
pub fn written_by(row: &Spinning) -> Option<String> {
    let writers = row.writers.as_ref()?;
    let mut names: Vec<String> = Vec::new();
    // Several instructions of a function may write it.
    for name in writers.iter().map(words::one_frame) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.truncate(3);
    Some(names.join(", "))
}

/// Returns the place of the loop, with the caller if it lies in a library that is not the program's.
pub fn site(row: &Spinning) -> String {
    words::one_frame(&row.site)
}

/// Returns the remedy for code that is known by name.
pub fn remedy(row: &Spinning) -> Option<&'static Spinner> {
    let name = row.known_as.as_deref()?;
    SPINNERS.iter().find(|it| it.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use locktoll_lab::stats::Estimate;
    use locktoll_results::profile::{Frame, SpunWord};

    fn row() -> Spinning {
        let state = WriterState {
            running: 0.3,
            runnable: 0.61,
            asleep: 0.09,
        };
        Spinning {
            site: Frame::default(),
            stack: Vec::new(),
            word: Some(SpunWord {
                name: "ready".to_owned(),
                id: None,
            }),
            cpu_ns: Estimate {
                median: 1e9,
                low: 9e8,
                high: 1.1e9,
                n: 500,
            },
            threads: 8,
            writers: None,
            writer_state: Some(state),
            known_as: Some("libgomp".to_owned()),
            lock: None,
            runnable_threads: Some(8.4),
            usable_cpus: Some(2.0),
            involuntary_switches: None,
        }
    }

    #[test]
    fn the_sentence_says_who_had_no_cpu() {
        assert_eq!(
            why(&row()),
            "8 threads spin on 2 CPUs; the one they wait for was ready to run and had no CPU for 61 % of the time"
        );
        let unknown = Spinning {
            writer_state: None,
            ..row()
        };
        assert_eq!(
            why(&unknown),
            "8 threads spin on 2 CPUs; on average, 8.4 threads were running or ready to run"
        );
        let asleep = WriterState {
            running: 0.1,
            runnable: 0.0,
            asleep: 0.9,
        };
        let alone = Spinning {
            threads: 1,
            usable_cpus: Some(1.0),
            writer_state: Some(asleep),
            ..row()
        };
        assert_eq!(
            why(&alone),
            "1 thread spins on 1 CPU; the thread it waits for was asleep for 90 % of the time"
        );
    }

    #[test]
    fn a_function_that_writes_in_several_places_is_named_once() {
        let frame = |function: &str, offset| Frame {
            function: Some(function.to_owned()),
            offset: Some(offset),
            ..Frame::default()
        };
        let written = Spinning {
            writers: Some(vec![frame("set", 1), frame("set", 9), frame("clear", 20)]),
            ..row()
        };
        assert_eq!(written_by(&written).as_deref(), Some("set, clear"));
    }

    #[test]
    fn a_known_name_has_a_remedy() {
        assert!(remedy(&row()).unwrap().remedy.contains("OMP_WAIT_POLICY"));
    }
}
