//! Words on which parking_lot puts threads to sleep, and semaphores on which PostgreSQL puts its processes to sleep. Each belongs
//! to a thread or process, whatever lock it waits for, so locks are distinguished by the places that wait.

use std::collections::{BTreeMap, HashMap};

use locktoll_recording::layout::LockKind;
use locktoll_recording::reader::Part;

use super::births::Births;
use super::instances::Instances;
use super::postgres::named_use_of_postgres;
use super::sites::{SiteId, Sites};

/// How many calls from the innermost outwards may belong to parking_lot.
const DEEPEST: usize = 12;

/// Sets the origin of such a word to the place that waited there longest. It is a matter of chance whether a waiting or a waking
/// call used the word first. If that were its origin, one lock could become two. `known` are the sites of the part.
pub fn come_from_where_they_wait(
    part: &Part,
    instances: &mut Instances,
    known: &[SiteId],
    sites: &Sites,
    births: &mut Births,
) {
    let mut waited_ns: HashMap<(usize, usize), u64> = HashMap::new();
    let waits = part.stack_waits.iter();
    let may_be_parked = |kind| matches!(kind, LockKind::Futex | LockKind::Semaphore);
    for wait in waits.filter(|wait| may_be_parked(wait.key.kind)) {
        if let (Some(instance), Some(stack)) = (instances.find(&wait.key), wait.stack) {
            let sum = waited_ns.entry((instance, stack)).or_default();
            *sum = sum.saturating_add(wait.wait_ns);
        }
    }
    let mut dearest: BTreeMap<usize, (u64, Vec<SiteId>)> = BTreeMap::new();
    for ((instance, stack), wait_ns) in waited_ns {
        let Some(stack) = part.stacks.get(stack) else {
            continue;
        };
        let calls = stack.sites.iter().flatten();
        let calls: Vec<SiteId> = calls.filter_map(|&site| known.get(site).copied()).collect();
        if !is_of_parking_lot(&calls, sites) && !is_of_postgres(&calls, sites) {
            continue;
        }
        let best = dearest.entry(instance).or_default();
        // Of two stacks with the same cost, the choice is the same in every reading.
        *best = std::mem::take(best).max((wait_ns, calls));
    }
    for (instance, (_, calls)) in dearest {
        instances.set_parked(instance, births.id(calls, false, sites));
    }
}

fn is_of_postgres(calls: &[SiteId], sites: &Sites) -> bool {
    named_use_of_postgres(&sites.stack(calls)).is_some()
}

fn is_of_parking_lot(calls: &[SiteId], sites: &Sites) -> bool {
    let frames = calls
        .iter()
        .take(DEEPEST)
        .flat_map(|&site| sites.frames(site));
    let mut names = frames.filter_map(|frame| frame.function.as_deref());
    names.any(|name| name.contains("parking_lot_core::"))
}
