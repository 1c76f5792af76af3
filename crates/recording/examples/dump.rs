//! Prints the contents of a recording, one line per entry: `cargo run -p locktoll-recording --example dump
//! FILE...`.

use std::process::ExitCode;

use locktoll_recording::reader::{Part, Recording};

fn main() -> ExitCode {
    for path in std::env::args_os().skip(1) {
        let recording = match Recording::open(&path) {
            Ok(recording) => recording,
            Err(error) => {
                eprintln!("{}: {error}", path.display());
                return ExitCode::FAILURE;
            }
        };
        for warning in &recording.warnings {
            eprintln!("{}: {warning}", path.display());
        }
        recording.parts.iter().for_each(print);
    }
    ExitCode::SUCCESS
}

fn print(part: &Part) {
    println!("{:?}", part.process);
    for thread in &part.threads {
        println!("{thread:?}");
    }
    for module in &part.modules {
        println!("{module:x?}");
    }
    for count in &part.counts {
        let site = count.site.map(|site| part.sites[site]);
        println!("{count:?} at {site:x?}");
    }
    for (id, birth) in part.births.iter().enumerate() {
        println!("birth {id}: {birth:?}");
    }
    for (id, stack) in part.stacks.iter().enumerate() {
        println!("stack {id}: {:?}", stack.sites);
    }
    for hold in &part.holds {
        println!("{hold:?}");
    }
    for blame in &part.blames {
        println!("{blame:?}");
    }
    for waits in &part.stack_waits {
        println!("{waits:?}");
    }
    for order in &part.orders {
        println!("{order:x?}");
    }
    for alert in &part.alerts {
        println!("alert {alert}");
    }
    for symbol in &part.symbols {
        println!("{symbol:?}");
    }
    for variable in &part.variables {
        println!("{variable:?}");
    }
    if let Some(watch) = part.watch {
        println!("{watch:?}");
    }
    for preemption in &part.preemptions {
        println!("{preemption:?}");
    }
    for wait in &part.preempted_waits {
        println!("{wait:?}");
    }
    for (reason, count) in part.dropped.iter() {
        println!("dropped {count}: {reason:?}");
    }
}
