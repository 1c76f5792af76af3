//! Watches a running program until told to stop.

use std::time::{Duration, Instant};

use crate::attach::{Capacity, Watch};
use crate::cli::AttachArgs;
use crate::exit::{Ending, Outcome};
use crate::interrupt::Interrupt;

/// How often the process is looked at, whether it is still there.
const LOOK: Duration = Duration::from_millis(50);

/// How often it is looked for code that it has mapped since.
const REFRESH: Duration = Duration::from_secs(1);

/// Runs the verb.
pub fn run(args: &AttachArgs) -> Outcome {
    let interrupt = Interrupt::listen()?;
    let mut watch = Watch::begin(
        args.pid,
        Capacity {
            entries: args.max_entries,
            rules: args.max_rules,
        },
    )?;
    let end = args
        .duration
        .map(|ns| Instant::now() + Duration::from_nanos(ns));
    let mut refreshed = Instant::now();
    while !interrupt.requested()
        && end.is_none_or(|end| Instant::now() < end)
        && std::path::Path::new(&format!("/proc/{}", args.pid)).exists()
    {
        if watch.lives()?.programs_replaced > 0 {
            crate::output::say(&format!(
                "process {} has become another program (execve): this is what was gathered until then",
                args.pid
            ));
            break;
        }
        std::thread::sleep(LOOK);
        if refreshed.elapsed() >= REFRESH {
            watch.refresh()?;
            refreshed = Instant::now();
        }
    }
    let gathered = watch.gathered()?;
    crate::output::say(&format!("{gathered:#?}"));
    Ok(Ending::Done)
}
