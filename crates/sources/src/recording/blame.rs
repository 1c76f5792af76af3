//! The sites that caused waits, added up and scaled to the waits.

use std::collections::{BTreeMap, HashMap};

use super::callers::Asked;
use super::holders::{HeldAt, Holder, holders};
use super::sites::{SiteId, Sites};
use super::stacks::Stacks;
use crate::joiner::plus;
use locktoll_results::profile::Blame;

/// The charges of one row, by the waiter's site, then by the place where the holder acquired the lock.
#[derive(Default)]
pub struct Charges(HashMap<SiteId, HashMap<Option<HeldAt>, Charge>>);

/// Waits and their time.
#[derive(Clone, Copy, Default)]
pub struct Charge {
    /// Their number.
    pub waits: u64,
    /// Their total time.
    pub wait_ns: u64,
}

/// If the charges miss less than this fraction of a wait, they are scaled up to all of it. Otherwise the rest is charged to an
/// unknown holder.
const ROUNDING: u64 = 16;

impl Charges {
    /// Adds one record.
    pub fn add(&mut self, waiter: SiteId, holder: Option<HeldAt>, waits: u64, wait_ns: u64) {
        let charge = self.0.entry(waiter).or_default().entry(holder).or_default();
        plus(&mut charge.waits, waits);
        plus(&mut charge.wait_ns, wait_ns);
    }

    /// Returns charges that add up to the waits of each place that asked for the lock.
    pub fn settle(mut self, asked: &[Asked], sites: &Sites, stacks: &Stacks) -> Vec<Blame> {
        let mut by_site: BTreeMap<SiteId, Vec<&Asked>> = BTreeMap::new();
        for place in asked.iter().filter(|it| it.wait_ns > 0 || it.contended > 0) {
            by_site.entry(place.calls[0]).or_default().push(place);
        }
        let mut settled: Vec<(&Asked, Holder, Charge)> = Vec::new();
        for (waiter, places) in by_site {
            let charges = self.0.remove(&waiter).unwrap_or_default();
            let charges = holders(charges, sites, stacks);
            let contended = sum(&places, |place| place.contended);
            let wait_ns = sum(&places, |place| place.wait_ns);
            let charges = scale(charges, None, contended, wait_ns);
            // Holders were charged by call site alone, so all places that came through it get the same holders.
            for place in places {
                let shares = charges.iter().map(|(holder, charge)| {
                    let waits = share(charge.waits, place.contended.into(), contended.into());
                    let charge = Charge { waits, ..*charge };
                    (holder.clone(), charge)
                });
                let shares = scale(shares.collect(), None, place.contended, place.wait_ns);
                settled.extend(
                    shares
                        .into_iter()
                        .map(|(holder, charge)| (place, holder, charge)),
                );
            }
        }
        settled.sort_by(|(a, holder_a, _), (b, holder_b, _)| {
            (&a.calls, holder_a).cmp(&(&b.calls, holder_b))
        });
        let blame = |(place, holder, charge): (&Asked, Holder, Charge)| Blame {
            waiter: sites.stack(&place.calls),
            holder: holder.map(|calls| sites.stack(&calls)),
            holder_thread: None,
            count: charge.waits,
            wait_ns: charge.wait_ns,
        };
        settled.into_iter().map(blame).collect()
    }
}

fn sum(places: &[&Asked], of: fn(&Asked) -> u64) -> u64 {
    places
        .iter()
        .map(|place| of(place))
        .fold(0, u64::saturating_add)
}

/// Makes the charges add up to the waiting; the missing part is charged to `unknown`.
pub fn scale<K: PartialEq>(
    mut charges: Vec<(K, Charge)>,
    unknown: K,
    contended: u64,
    wait_ns: u64,
) -> Vec<(K, Charge)> {
    let charged = |charges: &[(K, Charge)]| -> u128 {
        let charges = charges.iter();
        charges.map(|(_, charge)| u128::from(charge.wait_ns)).sum()
    };
    let total = charged(&charges);
    let missing = u128::from(wait_ns).saturating_sub(total) as u64;
    if missing > wait_ns / ROUNDING || total == 0 {
        let counted = charges
            .iter()
            .fold(0, |sum: u64, (_, charge)| sum.saturating_add(charge.waits));
        let uncharged = Charge {
            waits: contended.saturating_sub(counted),
            wait_ns: missing,
        };
        match charges.iter_mut().find(|(key, _)| *key == unknown) {
            Some((_, charge)) => {
                plus(&mut charge.waits, uncharged.waits);
                plus(&mut charge.wait_ns, uncharged.wait_ns);
            }
            None => charges.push((unknown, uncharged)),
        }
    } else {
        // Each charge ends where its share of the whole ends, so that the rounding errors cancel out.
        let (mut before, mut given) = (0_u128, 0_u64);
        for (_, charge) in &mut charges {
            before += u128::from(charge.wait_ns);
            let through = share(wait_ns, before, total).max(given);
            charge.wait_ns = through - given;
            given = through;
        }
    }
    charges.retain(|(_, charge)| charge.waits > 0 || charge.wait_ns > 0);
    charges
}

/// Returns the share of `wait_ns` that `part` has in `whole`, without an intermediate overflow.
pub fn share(wait_ns: u64, part: u128, whole: u128) -> u64 {
    if part >= whole {
        return wait_ns;
    }
    // The sums of damaged recordings can be so large that precision does not matter.
    match u128::from(wait_ns).checked_mul(part) {
        Some(product) => (product / whole) as u64,
        None => (wait_ns as f64 * (part as f64 / whole as f64)) as u64,
    }
    .min(wait_ns)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn charge(wait_ns: u64) -> Charge {
        Charge { waits: 1, wait_ns }
    }

    fn site(sites: &mut Sites, name: &str) -> SiteId {
        let frame = locktoll_results::profile::Frame {
            function: Some(name.to_owned()),
            line: Some(1),
            ..Default::default()
        };
        sites.id(None, vec![frame])
    }

    #[test]
    fn what_is_charged_to_nobody_is_said_and_rounding_is_not() {
        let holder = Some(site(&mut Sites::default(), "f"));
        let half = scale(vec![(holder, charge(500))], None, 3, 1_000);
        assert_eq!(half.len(), 2);
        assert_eq!((half[0].1.wait_ns, half[1].1.wait_ns), (500, 500));
        assert_eq!((half[1].0, half[1].1.waits), (None, 2));
        let nearly = scale(vec![(holder, charge(990))], None, 1, 1_000);
        assert_eq!((nearly.len(), nearly[0].1.wait_ns), (1, 1_000));
        let none = scale(Vec::new(), None::<SiteId>, 2, 1_000);
        assert_eq!(
            (none[0].0, none[0].1.waits, none[0].1.wait_ns),
            (None, 2, 1_000)
        );
    }

    proptest! {
        #[test]
        fn charges_add_up_to_the_wait_whatever_they_were(
            charges in proptest::collection::vec(any::<u64>(), 0..9),
            wait_ns in any::<u64>(),
        ) {
            let mut sites = Sites::default();
            let charges: Vec<_> = charges
                .into_iter()
                .enumerate()
                .map(|(number, ns)| (Some(site(&mut sites, &number.to_string())), charge(ns)))
                .collect();
            let scaled = scale(charges, None, 10, wait_ns);
            let sum: u128 = scaled.iter().map(|(_, charge)| u128::from(charge.wait_ns)).sum();
            prop_assert_eq!(sum, u128::from(wait_ns));
        }
    }
}
