//! The place in the program that held a lock, if the lock function is called in a library.
//!
//! For some holds, the recorder keeps the calls that acquired the lock. At such places, they show which part of the program held
//! it. The recorder chooses these holds without regard to the holder, so the other holds at the same place are divided in the
//! same proportion.

use std::collections::{BTreeMap, HashMap};

use super::blame::{Charge, share};
use super::sites::{SiteId, Sites};
use super::stacks::{StackId, Stacks};
use crate::joiner::plus;

/// Where a lock was acquired that others waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HeldAt {
    /// The call of the lock function.
    pub site: SiteId,
    /// The calls that led there, if they are known.
    pub stack: Option<StackId>,
}

/// The calls from the call of the lock function to the program's first call; `None` for an unknown holder.
pub type Holder = Option<Vec<SiteId>>;

/// If the holders of fewer waits than this are known, the other waits are not shared out, unless they are the smaller part.
const ENOUGH_WAITS: u64 = 8;

/// Returns the charges of one waiter's place, by holder.
pub fn holders(
    charges: HashMap<Option<HeldAt>, Charge>,
    sites: &Sites,
    stacks: &Stacks,
) -> Vec<(Holder, Charge)> {
    let mut by_holder: BTreeMap<Holder, Charge> = BTreeMap::new();
    let mut known: BTreeMap<SiteId, BTreeMap<Vec<SiteId>, Charge>> = BTreeMap::new();
    let mut rest: BTreeMap<SiteId, Charge> = BTreeMap::new();
    for (held_at, charge) in charges {
        let Some(HeldAt { site, stack }) = held_at else {
            add(by_holder.entry(None).or_default(), charge);
            continue;
        };
        let calls = stack.and_then(|stack| way_to(site, stacks.calls(stack), sites));
        let sum = match calls {
            _ if !sites.is_wrapper(site) => by_holder.entry(Some(vec![site])).or_default(),
            Some(calls) => known.entry(site).or_default().entry(calls).or_default(),
            None => rest.entry(site).or_default(),
        };
        add(sum, charge);
    }
    for (site, rest) in rest {
        match known
            .get_mut(&site)
            .filter(|callers| is_enough(callers, rest))
        {
            Some(callers) => share_out(callers, rest),
            None => add(by_holder.entry(Some(vec![site])).or_default(), rest),
        }
    }
    for (calls, charge) in known.into_values().flatten() {
        add(by_holder.entry(Some(calls)).or_default(), charge);
    }
    by_holder.into_iter().collect()
}

/// Returns the calls of a stack from `site` to the program's first call.
fn way_to(site: SiteId, calls: &[SiteId], sites: &Sites) -> Option<Vec<SiteId>> {
    let program = calls.iter().position(|&call| !sites.is_wrapper(call))?;
    (calls.first() == Some(&site)).then(|| calls[..=program].to_vec())
}

fn add(sum: &mut Charge, charge: Charge) {
    plus(&mut sum.waits, charge.waits);
    plus(&mut sum.wait_ns, charge.wait_ns);
}

fn is_enough(callers: &BTreeMap<Vec<SiteId>, Charge>, rest: Charge) -> bool {
    let mut known = Charge::default();
    for &charge in callers.values() {
        add(&mut known, charge);
    }
    known.wait_ns > 0 && (known.waits >= ENOUGH_WAITS || known.wait_ns >= rest.wait_ns)
}

/// Adds `rest` to the charges, in proportion to their time.
fn share_out(callers: &mut BTreeMap<Vec<SiteId>, Charge>, rest: Charge) {
    let times = callers.values().map(|charge| u128::from(charge.wait_ns));
    let whole: u128 = times.sum();
    // Each charge ends where its share of the whole ends, so that the rounding errors cancel out.
    let (mut before, mut given) = (0, Charge::default());
    for charge in callers.values_mut() {
        before += u128::from(charge.wait_ns);
        let through = Charge {
            waits: share(rest.waits, before, whole),
            wait_ns: share(rest.wait_ns, before, whole),
        };
        plus(
            &mut charge.waits,
            through.waits - given.waits.min(through.waits),
        );
        plus(
            &mut charge.wait_ns,
            through.wait_ns - given.wait_ns.min(through.wait_ns),
        );
        given = through;
    }
}

#[cfg(test)]
mod tests {
    use locktoll_results::profile::Frame;

    use super::*;

    fn site(sites: &mut Sites, function: &str) -> SiteId {
        let frame = Frame {
            function: Some(function.to_owned()),
            line: Some(1),
            ..Frame::default()
        };
        sites.id(None, vec![frame])
    }

    fn charge(waits: u64, wait_ns: u64) -> Charge {
        Charge { waits, wait_ns }
    }

    fn figures(found: &[(Holder, Charge)]) -> Vec<(Holder, u64, u64)> {
        found
            .iter()
            .map(|(holder, charge)| (holder.clone(), charge.waits, charge.wait_ns))
            .collect()
    }

    #[test]
    fn a_wrapper_that_holds_is_passed_over_and_holds_without_calls_are_shared_out() {
        let (mut sites, mut stacks) = (Sites::default(), Stacks::default());
        let [wrapper, put, get, main] =
            ["uv_mutex_lock", "put", "get", "main"].map(|name| site(&mut sites, name));
        let by_put = stacks.id(vec![wrapper, put, main]);
        let by_get = stacks.id(vec![wrapper, get, main]);
        let held = |site, stack| Some(HeldAt { site, stack });
        let charges = HashMap::from([
            (held(wrapper, Some(by_put)), charge(6, 300)),
            (held(wrapper, Some(by_get)), charge(4, 100)),
            (held(wrapper, None), charge(40, 4_000)),
            // One of the program's own places stays as it is, whatever led there.
            (held(main, Some(by_get)), charge(1, 7)),
            (held(main, None), charge(1, 5)),
            (None, charge(2, 9)),
        ]);
        let found = holders(charges, &sites, &stacks);
        assert_eq!(
            figures(&found),
            [
                (None, 2, 9),
                (Some(vec![wrapper, put]), 36, 3_300),
                (Some(vec![wrapper, get]), 14, 1_100),
                (Some(vec![main]), 2, 12),
            ]
        );
    }

    #[test]
    fn too_few_holds_that_are_known_stand_for_no_others() {
        let (mut sites, mut stacks) = (Sites::default(), Stacks::default());
        let [wrapper, put] = ["uv_mutex_lock", "put"].map(|name| site(&mut sites, name));
        let by_put = stacks.id(vec![wrapper, put]);
        let lost = stacks.id(vec![wrapper]);
        let charges = |known: u64| {
            let held = |stack| {
                Some(HeldAt {
                    site: wrapper,
                    stack,
                })
            };
            HashMap::from([
                (held(Some(by_put)), charge(7, known)),
                (held(None), charge(50, 500)),
                // A holder whose calls could not be followed to the program.
                (held(Some(lost)), charge(50, 500)),
            ])
        };
        let few = holders(charges(999), &sites, &stacks);
        let apart = [
            (Some(vec![wrapper]), 100, 1_000),
            (Some(vec![wrapper, put]), 7, 999),
        ];
        assert_eq!(figures(&few), apart);
        let most = holders(charges(1_000), &sites, &stacks);
        assert_eq!(figures(&most), [(Some(vec![wrapper, put]), 107, 2_000)]);
    }
}
