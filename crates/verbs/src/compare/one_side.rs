//! One side by itself: its description, its warnings, and whether its runs measured the same thing.

use locktoll_lab::machine::Machine;

use super::side::Results;
use super::surroundings::Differences;
use locktoll_results::Kind;
use locktoll_terminal::escape::shown_text;
use locktoll_terminal::quantity::{counted, duration};

/// Describes a side in one line.
pub(super) fn what(side: &Results) -> String {
    let machine = |it: &Machine| {
        let cpu = it.cpu_model.as_deref().unwrap_or("unknown processor");
        format!(
            "{cpu}, {}",
            counted(it.usable_cpus.len() as u64, "CPU", "CPUs")
        )
    };
    let mut words = match side.kind {
        Kind::Bench => side.benches().first().map(|run| {
            let cells = counted(run.cells.len() as u64, "measurement", "measurements");
            let rounds = counted(u64::from(run.repeat), "round", "rounds");
            format!("{cells}, {rounds}; {}", machine(&run.machine))
        }),
        Kind::Machine => side.machines().first().map(|run| machine(&run.machine)),
        Kind::Reproduce => side.reproductions().first().map(|run| {
            let claims = counted(run.claims.len() as u64, "claim", "claims");
            format!("{claims}; {}", machine(&run.machine))
        }),
        Kind::Tour => side
            .tours()
            .first()
            .map(|run| machine(&run.contended.machine)),
        Kind::Profile => side.profiles().first().map(|run| {
            let threads = counted(run.threads, "thread", "threads");
            format!(
                "{}: {}, {threads}",
                run.command.join(" "),
                duration(run.duration_ns as f64)
            )
        }),
        Kind::Try => side.trials().first().map(|run| {
            let rounds = counted(run.rounds as u64, "round", "rounds");
            format!(
                "{}: {rounds}; {}",
                run.command.join(" "),
                machine(&run.machine)
            )
        }),
        Kind::Compare | Kind::Kernel | Kind::Hang | Kind::WhatIf | Kind::Advise => None,
    }
    .unwrap_or_default();
    if side.files.len() > 1 {
        words = format!("{} runs; the first: {words}", side.files.len());
    }
    shown_text(&words)
}

/// Returns the warnings of the results of a side.
pub(super) fn warnings(side: &Results) -> Vec<String> {
    let mut warnings: Vec<String> = Vec::new();
    let partial = "interrupted, so its figures are partial";
    for run in side.benches() {
        warnings.extend(run.noise.seen.warnings.clone());
        warnings.extend(run.partial.then(|| partial.to_owned()));
        for cell in &run.cells {
            let name = format!("{}, {}", cell.lock, locktoll_shown::bench_setting(cell));
            let broken = cell.exclusion_broken.as_ref();
            warnings.extend(broken.map(|_| format!("{name}: let two threads in at once")));
            warnings.extend(cell.cut_off.map(|_| format!("{name}: was cut off")));
        }
    }
    for run in side.machines() {
        warnings.extend(run.noise.warnings.clone());
        warnings.extend(run.partial.then(|| partial.to_owned()));
    }
    for run in side.reproductions() {
        warnings.extend(run.partial.then(|| "not all claims were run".to_owned()));
    }
    for run in side.trials() {
        warnings.extend(run.noise.warnings.clone());
        warnings.extend(run.partial.then(|| partial.to_owned()));
    }
    for run in side.tours() {
        warnings.extend(run.contended.noise.seen.warnings.clone());
    }
    for run in side.profiles() {
        warnings.extend(run.warnings.clone());
    }
    warnings.sort();
    warnings.dedup();
    warnings
}

/// Returns the differences in the surroundings of the runs of one side, a sentence for each.
pub(super) fn within(name: &str, side: &Results) -> Vec<String> {
    let mut seen: Vec<(String, Vec<String>)> = Vec::new();
    let mut add = |differs: Differences| {
        for it in differs.0 {
            let known = seen.iter().position(|(what, _)| *what == it.what);
            let at = known.unwrap_or_else(|| {
                seen.push((it.what.clone(), vec![it.a.clone()]));
                seen.len() - 1
            });
            if !seen[at].1.contains(&it.b) {
                seen[at].1.push(it.b);
            }
        }
    };
    fn others<T>(runs: &[T], of: impl Fn(&mut Differences, &T, &T)) -> Vec<Differences> {
        let first = runs.first();
        let against = |(first, other)| {
            let mut differs = Differences::default();
            of(&mut differs, first, other);
            differs
        };
        first
            .into_iter()
            .flat_map(|first| runs.iter().skip(1).map(move |other| (first, other)))
            .map(against)
            .collect()
    }
    others(&side.benches(), |it, a, b| it.benches(a, b))
        .into_iter()
        .chain(others(&side.machines(), |it, a, b| it.price_lists(a, b)))
        .chain(others(&side.tours(), |it, a, b| {
            it.benches(&a.contended, &b.contended)
        }))
        .chain(others(&side.trials(), |it, a, b| it.trials(a, b)))
        .chain(others(&side.profiles(), |it, a, b| it.profiles(a, b)))
        .for_each(&mut add);
    seen.into_iter()
        .map(|(what, values)| {
            format!(
                "The runs of {name} differ in {what}: {}.",
                values.join(" and ")
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use locktoll_made_up::sample;
    use locktoll_results::saved::Saved;

    /// Returns recordings with the given numbers of threads.
    fn recordings(threads: &[u64]) -> Results {
        let run = |threads: &u64| {
            let mut profile = sample::job_server();
            profile.threads = *threads;
            Saved::Profile(Box::new(profile))
        };
        Results::of("x.locktoll", threads.iter().map(run).collect())
    }

    #[test]
    fn several_runs_are_described_by_the_first() {
        let one = what(&recordings(&[3]));
        assert!(one.ends_with(", 3 threads"), "{one}");
        let two = what(&recordings(&[3, 4]));
        assert_eq!(two, format!("2 runs; the first: {one}"));
    }

    #[test]
    fn runs_that_differ_are_told_with_each_value_once() {
        assert_eq!(within("A", &recordings(&[3, 3])), [""; 0]);
        assert_eq!(
            within("B", &recordings(&[3, 4, 5, 4])),
            ["The runs of B differ in threads: 3 and 4 and 5."]
        );
    }
}
