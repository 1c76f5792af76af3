//! Where the figures of a claim come from, where machines and users differ in the sources that they have.

use locktoll_lab::probe::{MissesFoundBy, ParkMisses};

use super::description::Description;
use super::evidence::{Evidence, Gathered};
use super::selection::Misses;
use super::system_watch::SwitchCounter;
use locktoll_results::reproduction::{FigureSource, FiguresFrom};

/// Returns the best source of the causes of switches that works here: the counter in the kernel, or none for `/proc`; and what
/// to say of it.
pub fn of_causes() -> (Option<SwitchCounter>, Option<FiguresFrom>) {
    let (counter, refused) = match SwitchCounter::begin() {
        Ok(counter) => (Some(counter), None),
        Err(refused) => (None, Some(refused)),
    };
    let source = match &counter {
        Some(_) => FigureSource::Kernel,
        None => FigureSource::Proc,
    };
    (counter, Some(FiguresFrom { source, refused }))
}

impl Evidence {
    /// Returns where the figures of `described` come from, if it has runs with several possible sources. If runs differ in it, it
    /// is the weaker source.
    pub fn figures_from(&self, described: &Description) -> Option<FiguresFrom> {
        let mut selections = described.checks.iter().flat_map(|it| it.selections());
        let parks = selections.any(|select| select.misses == Some(Misses::Parks));
        let of = |gathered: &Result<Gathered, String>| match gathered {
            Ok(Gathered::Live(live)) => live.causes_from.clone(),
            Ok(Gathered::Machine(prices)) if parks => of_misses(prices.park_misses.as_ref()?),
            _ => None,
        };
        let mut all = self.runs.iter().filter_map(|(_, run)| of(run));
        let first = all.next()?;
        Some(all.fold(first, weaker))
    }
}

/// Returns where the number of cache misses comes from, if there is one.
fn of_misses(parks: &ParkMisses) -> Option<FiguresFrom> {
    Some(FiguresFrom {
        source: match parks.found_by? {
            MissesFoundBy::Counter => FigureSource::Counters,
            MissesFoundBy::Time => FigureSource::Time,
        },
        refused: parks.not_counted.clone(),
    })
}

/// Returns the source for which there is a better one, if one of the two is such.
pub fn weaker(one: FiguresFrom, other: FiguresFrom) -> FiguresFrom {
    match one.refused {
        Some(_) => one,
        None => other,
    }
}

#[cfg(test)]
mod tests {
    use super::super::evidence::LiveRun;
    use super::super::made_up::{described, evidence};
    use super::*;

    fn from(refused: Option<&str>) -> FiguresFrom {
        FiguresFrom {
            source: match refused {
                None => FigureSource::Kernel,
                Some(_) => FigureSource::Proc,
            },
            refused: refused.map(str::to_owned),
        }
    }

    #[test]
    fn the_weaker_source_of_two_runs_is_named() {
        let described = described("value = {}\nat_least = 1");
        let run = described.runs[0].clone();
        let of = |sources: &[Option<FiguresFrom>]| {
            let runs = sources.iter().map(|causes_from| {
                let live = LiveRun {
                    causes_from: causes_from.clone(),
                    ..LiveRun::default()
                };
                (run.clone(), Ok(Gathered::Live(live)))
            });
            Evidence {
                runs: runs.collect(),
                ..evidence(&[], None)
            }
            .figures_from(&described)
        };
        let (best, weak) = (from(None), from(Some("not permitted")));
        assert_eq!(of(&[None]), None);
        assert_eq!(of(&[None, Some(best.clone())]), Some(best.clone()));
        for both in [[&best, &weak], [&weak, &best]] {
            assert_eq!(of(&both.map(|it| Some(it.clone()))), Some(weak.clone()));
        }
    }

    #[test]
    fn only_claims_about_misses_say_how_these_were_found() {
        let misses = described("value = { misses = \"parks\" }\nat_least = 1");
        let others = described("value = { misses = \"tlb\" }\nat_least = 1");
        let mut prices = locktoll_made_up::made_up::machine_result().prices;
        prices.park_misses = Some(ParkMisses {
            found_by: Some(MissesFoundBy::Time),
            not_counted: Some("no counters".to_owned()),
            ..ParkMisses::default()
        });
        let run = misses.runs[0].clone();
        let evidence = Evidence {
            runs: vec![(run, Ok(Gathered::Machine(Box::new(prices))))],
            ..evidence(&[], None)
        };
        let by_time = FiguresFrom {
            source: FigureSource::Time,
            refused: Some("no counters".to_owned()),
        };
        assert_eq!(evidence.figures_from(&misses), Some(by_time));
        assert_eq!(evidence.figures_from(&others), None);
    }

    #[test]
    fn a_source_that_is_not_the_best_comes_with_the_reason() {
        let (counter, from) = of_causes();
        let from = from.unwrap();
        assert_eq!(counter.is_some(), from.source == FigureSource::Kernel);
        assert_eq!(counter.is_none(), from.refused.is_some());
    }
}
