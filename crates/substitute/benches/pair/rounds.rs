//! Rounds, medians and intervals.

use std::env::current_exe;

use locktoll_substitute::tally::Object;

use crate::measure::WORD;
use crate::support::{run_bare, run_under};

/// Rounds of two processes.
const ROUNDS: usize = 25;

/// What a round found, ns a pair.
struct Round {
    inlined: f64,
    called: f64,
    replaced: f64,
    bare: f64,
}

/// Plays the rounds and prints what they found.
pub fn run() {
    println!("uncontended pairs: ns a pair, {ROUNDS} rounds, medians with 95 % intervals");
    let rounds: Vec<Round> = (0..ROUNDS).map(play).collect();
    let print = |name: &str, figure: &dyn Fn(&Round) -> f64| {
        let (middle, low, high) = median(rounds.iter().map(figure));
        println!("  {name:<52}{middle:7.2}   ({low:.2} .. {high:.2})");
    };
    print("the C library's mutex, bare", &|round| round.bare);
    print("ttas, inlined", &|round| round.inlined);
    print("ttas, behind calls", &|round| round.called);
    print("pthread_mutex_t replaced by ttas", &|round| round.replaced);
    print("added to ttas behind calls", &|round| {
        round.replaced - round.called
    });
    print("added to ttas inlined", &|round| {
        round.replaced - round.inlined
    });
}

fn play(_: usize) -> Round {
    let program = current_exe().expect("this program");
    let under = run_under("ttas", &program, &[WORD]);
    assert!(
        under.counts.replaced(Object::Mutex) > 0,
        "nothing was replaced"
    );
    let figures = |text: &[u8]| -> Vec<f64> {
        let words = String::from_utf8_lossy(text);
        words
            .split_whitespace()
            .map(|word| word.parse().expect("a number"))
            .collect()
    };
    let under = figures(&under.output.stdout);
    let bare = figures(&run_bare(&program, &[WORD]).stdout);
    Round {
        inlined: under[0],
        called: under[1],
        replaced: under[2],
        bare: bare[2],
    }
}

/// The median, and the narrowest pair of order statistics that holds it with 95 % confidence or a little more (Thompson,
/// 1936).
fn median(figures: impl Iterator<Item = f64>) -> (f64, f64, f64) {
    let mut figures: Vec<f64> = figures.collect();
    figures.sort_by(f64::total_cmp);
    let count = figures.len();
    let middle = f64::midpoint(figures[(count - 1) / 2], figures[count / 2]);
    // How probable it is that no more than `cut` of the figures lie below the true median.
    let (mut cut, mut term) = (0, 0.5_f64.powi(count as i32));
    let mut below = term;
    loop {
        let next = term * (count - cut) as f64 / (cut + 1) as f64;
        if below + next > 0.025 {
            return (middle, figures[cut], figures[count - 1 - cut]);
        }
        (term, below, cut) = (next, below + next, cut + 1);
    }
}
