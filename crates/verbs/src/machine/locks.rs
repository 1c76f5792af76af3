//! Prices the locks, one line for each.

use locktoll_lab::contender::registry;
use locktoll_lab::probe::LockPrice;
use locktoll_lab::probe::locks::{LockRounds, price_locks};

use super::progress::Progress;
use crate::machine::entries::kernel_entries_per_op;
use crate::slices::ChildProcess;
use locktoll_terminal::failure::Failure;
use locktoll_terminal::interrupt::Interrupt;

/// Rounds of the full list: seven give a 95 % interval.
const FULL: LockRounds = LockRounds {
    rounds: 7,
    slice_ns: 5_000_000,
};

/// Rounds of the short list: the smallest number whose minimum and maximum are a 95 % interval.
const QUICK: LockRounds = LockRounds {
    rounds: 6,
    slice_ns: 1_300_000,
};

/// Prices every lock and counts its kernel entries.
pub fn measure(
    quick: bool,
    interrupt: &Interrupt,
    progress: &mut Progress,
) -> Result<Vec<LockPrice>, Failure> {
    let effort = match quick {
        true => QUICK,
        false => FULL,
    };
    let mut executor = ChildProcess::new(interrupt.clone())?;
    let mut prices = price_locks(registry(), effort, &mut executor, progress);
    for price in &mut prices {
        if interrupt.requested() {
            break;
        }
        match kernel_entries_per_op(&price.name) {
            Ok(entries) => price.kernel_entries_per_op = entries,
            Err(reason) => {
                price.refused.get_or_insert(reason);
            }
        }
    }
    Ok(prices)
}
