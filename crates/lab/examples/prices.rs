//! Prints this machine's price list, one line per part: `cargo run --release -p locktoll-lab --example prices -- [quick]
//! [other]`.
//!
//! `other` does not use SCHED_FIFO, to show the figures of the probes without it.

use locktoll_lab::machine::Machine;
use locktoll_lab::probe::{HandOver, Part, Plan, measure};
use locktoll_lab::stats::Estimate;

fn main() {
    let said = |word: &str| std::env::args().skip(1).any(|argument| argument == word);
    let plan = Plan {
        quick: said("quick"),
        real_time: !said("other"),
    };
    let start = std::time::Instant::now();
    let prices = measure(&plan, &Machine::observe(), &mut ());
    println!(
        "{:?}, {:.1} s",
        prices.scheduling,
        start.elapsed().as_secs_f64()
    );
    prices.parts.iter().for_each(line);
    for (title, hand_over) in [
        ("on one CPU", &prices.decomposition.same_cpu),
        ("across CPUs", &prices.decomposition.cross_cpu),
    ] {
        hand_over
            .iter()
            .for_each(|hand_over| split(title, hand_over));
    }
    if let Some(reason) = &prices.decomposition.refused {
        println!("{reason}");
    }
}

fn ns(estimate: &Estimate) -> String {
    format!(
        "{:8.1} [{:.1}, {:.1}]",
        estimate.median, estimate.low, estimate.high
    )
}

fn line(part: &Part) {
    let value = part.value.as_ref().map_or_else(
        || format!("refused: {}", part.refused.as_deref().unwrap_or("?")),
        ns,
    );
    println!(
        "{:28} {value}  switches {:?} of {:?}  {}",
        part.name,
        part.switches_counted,
        part.switches_expected,
        part.note.as_deref().unwrap_or("")
    );
}

fn split(title: &str, hand_over: &HandOver) {
    println!("{title}: {}", ns(&hand_over.total_ns));
    for share in &hand_over.parts {
        println!(
            "    {:24} {}  {:?}",
            share.title,
            ns(&share.ns),
            share.found
        );
    }
    println!("    {:24} {}", "residual", ns(&hand_over.residual_ns));
    for arm in &hand_over.arms {
        println!(
            "  {:8} measured {} predicted {} residual {}",
            arm.name,
            ns(&arm.measured_ns),
            ns(&arm.predicted_ns),
            ns(&arm.residual_ns)
        );
    }
}
