//! The threads for which others wait.

use std::fmt::Write;

use super::words::{does, lock, thread_of};
use crate::profile::text::styles::STRONG;
use locktoll_results::hang::{Chain, HangResult};
use locktoll_terminal::fold;

/// The number of chains that are described.
const MOST: usize = 10;

/// Writes one sentence per chain.
pub fn write(page: &mut String, result: &HangResult, width: usize) -> std::fmt::Result {
    if result.chains.is_empty() {
        return Ok(());
    }
    writeln!(page, "\n{STRONG}Who holds up others{STRONG:#}")?;
    for chain in result.chains.iter().take(MOST) {
        fold::write(page, "", &sentence(result, chain), width)?;
    }
    if let Some(more) = result
        .chains
        .len()
        .checked_sub(MOST)
        .filter(|&more| more > 0)
    {
        writeln!(page, "{more} more; --json has all of them.")?;
    }
    Ok(())
}

/// Says how many threads wait.
pub fn waiting(chain: &Chain) -> String {
    match chain.waiting {
        1 => "1 thread waits".to_owned(),
        waiting => format!("{waiting} threads wait, directly or indirectly,"),
    }
}

fn sentence(result: &HangResult, chain: &Chain) -> String {
    let root = thread_of(result, chain.root_tid);
    let mut words = format!("{} for {root}", waiting(chain));
    if let Some(root) = result.thread(chain.root_tid) {
        words += &format!(", which {}", does(result, root));
    }
    let locks: Vec<String> = chain
        .locks
        .iter()
        .filter_map(|id| Some(lock(result.lock(id)?)))
        .collect();
    if !locks.is_empty() {
        words += &format!(", while it holds {}", locks.join(" and "));
    }
    words + "."
}
