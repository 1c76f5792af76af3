//! The interval of blocks compared with two others: a table, printed by `cargo test -p locktoll-lab
//! --lib against_bootstrap -- --ignored --nocapture`.

use super::{Block, Blocks};
use crate::random::Random;
use crate::stats::{Estimate, estimate};

const TRUE_RATIO: f64 = 1.05;
const RUNS: usize = 2_000;
const RESAMPLES: usize = 500;

struct Source(Random);

impl Source {
    fn uniform(&mut self) -> f64 {
        (self.0.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        let (a, b) = (1.0 - self.uniform(), self.uniform());
        (-2.0 * a.ln()).sqrt() * (std::f64::consts::TAU * b).cos()
    }

    fn run(&mut self, shape: &str) -> f64 {
        let quiet = 1.0 + 0.03 * self.normal();
        match shape {
            "normal 3 %" => quiet,
            "log-normal 0.3" => (0.3 * self.normal()).exp(),
            _ if self.uniform() < 0.1 => 3.0 * quiet,
            _ => quiet,
        }
    }
}

/// Returns percentiles of the medians of samples redrawn from the rounds' ratios.
fn bootstrap(rounds: &[(f64, f64, f64)], source: &mut Source) -> Estimate {
    let ratios: Vec<f64> = rounds
        .iter()
        .map(|(one, two, other)| other / (one * two).sqrt())
        .collect();
    let n = ratios.len();
    let mut medians: Vec<f64> = (0..RESAMPLES)
        .map(|_| {
            let again: Vec<f64> = (0..n)
                .map(|_| ratios[source.0.below(n as u64) as usize])
                .collect();
            estimate(&again).unwrap().median
        })
        .collect();
    medians.sort_unstable_by(f64::total_cmp);
    Estimate {
        low: medians[RESAMPLES * 25 / 1000],
        high: medians[RESAMPLES * 975 / 1000],
        ..estimate(&ratios).unwrap()
    }
}

fn order_statistics(rounds: &[(f64, f64, f64)]) -> Estimate {
    let ratios: Vec<f64> = rounds.iter().map(|(one, _, other)| other / one).collect();
    estimate(&ratios).unwrap()
}

fn blocks(rounds: &[(f64, f64, f64)]) -> Estimate {
    let block = |&(one, two, other): &(f64, f64, f64)| Block {
        base: vec![one, two],
        other,
    };
    let blocks: Vec<Block> = rounds.iter().map(block).collect();
    Blocks::new(&blocks).unwrap().estimate()
}

#[test]
#[ignore = "prints a table"]
fn table() {
    println!(
        "true ratio {TRUE_RATIO}: of 100 intervals, those that miss it | those that leave out 1 | width in the middle"
    );
    println!(
        "{:<16}{:>7}  {:<26}{:<26}{:<26}",
        "noise", "rounds", "bootstrap", "one base run", "blocks of two"
    );
    for shape in ["normal 3 %", "log-normal 0.3", "3x outliers"] {
        for n in [5, 7, 9, 15] {
            let mut source = Source(Random::new(n as u32));
            let mut found: [Vec<Estimate>; 3] = Default::default();
            for _ in 0..RUNS {
                let rounds: Vec<_> = (0..n)
                    .map(|_| {
                        (
                            source.run(shape),
                            source.run(shape),
                            TRUE_RATIO * source.run(shape),
                        )
                    })
                    .collect();
                found[0].push(bootstrap(&rounds, &mut source));
                found[1].push(order_statistics(&rounds));
                found[2].push(blocks(&rounds));
            }
            print!("{shape:<16}{n:>7}  ");
            for estimates in found {
                let percent = |test: fn(&Estimate) -> bool| {
                    estimates.iter().filter(|it| test(it)).count() as f64 * 100.0 / RUNS as f64
                };
                let misses = percent(|it| !(it.low..=it.high).contains(&TRUE_RATIO));
                let finds = percent(|it| it.low > 1.0 || it.high < 1.0);
                let width = estimate(
                    &estimates
                        .iter()
                        .map(|it| it.high - it.low)
                        .collect::<Vec<_>>(),
                )
                .unwrap()
                .median;
                print!("{:<26}", format!("{misses:.1} | {finds:.0} | {width:.3}"));
            }
            println!();
        }
    }
}
