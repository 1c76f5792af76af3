//! The place in the program that asked for a lock, if the lock function is called in a library.
//!
//! Rust's standard library waits for every mutex at one place of its own. C++'s does so for every condition variable and, in
//! programs that are not optimized, for everything else. Waits have stacks, so those at such places are divided among the
//! program's innermost calls that led there. Acquisitions without a wait have no stack, so it is not known how often each caller
//! acquired the lock, and all of them stay at the library's place.

use std::collections::BTreeMap;

use super::blame::{Charge, scale};
use super::rows::{AtSite, Row};
use super::sites::{SiteId, Sites};
use super::stacks::Stacks;
use crate::joiner::plus;

/// The events at one place that asks for a lock.
pub struct Asked {
    /// The calls, from the call of the lock function to the program's first call.
    pub calls: Vec<SiteId>,
    /// As in [`Site`](super::Site): `None` for one of several callers, unless all of them waited every time.
    pub acquisitions: Option<u64>,
    /// As in [`Site`](super::Site).
    pub contended: u64,
    /// As in [`Site`](super::Site).
    pub try_failed: u64,
    /// As in [`Site`](super::Site).
    pub wait_ns: u64,
    /// As in [`Site`](super::Site); also `None` if the longest wait of each of several callers is not known.
    pub wait_max_ns: Option<u64>,
    /// As in [`Site`](super::Site).
    pub hold_ns: Option<u64>,
}

/// Returns the places in a row that ask for its locks.
pub fn asked(row: &Row, sites: &Sites, stacks: &Stacks) -> Vec<Asked> {
    let mut asked = Vec::new();
    for (&site, at) in &row.by_site {
        let callers = if sites.is_wrapper(site) {
            callers(row, site, sites, stacks)
        } else {
            BTreeMap::new()
        };
        asked.extend(shared_out(site, at, callers));
    }
    // Sites are numbered in the order of the recording, which is always the same.
    asked.sort_by(|a: &Asked, b| a.calls.cmp(&b.calls));
    asked
}

/// Returns the waits by the calls from `site` to the program's first call.
fn callers(
    row: &Row,
    site: SiteId,
    sites: &Sites,
    stacks: &Stacks,
) -> BTreeMap<Vec<SiteId>, Charge> {
    let mut callers: BTreeMap<Vec<SiteId>, Charge> = BTreeMap::new();
    for (&stack, &(waits, wait_ns)) in &row.stacks {
        let calls = stacks.calls(stack);
        let program = calls.iter().position(|&call| !sites.is_wrapper(call));
        if let (Some(program), true) = (program, calls.first() == Some(&site)) {
            let charge = callers.entry(calls[..=program].to_vec()).or_default();
            plus(&mut charge.waits, waits);
            plus(&mut charge.wait_ns, wait_ns);
        }
    }
    callers
}

fn shared_out(site: SiteId, at: &AtSite, callers: BTreeMap<Vec<SiteId>, Charge>) -> Vec<Asked> {
    let sums = &at.sums;
    let mut rest = Asked {
        calls: vec![site],
        acquisitions: Some(sums.acquisitions),
        contended: sums.waits.contended,
        try_failed: sums.try_failed,
        wait_ns: 0,
        wait_max_ns: sums.waits.max_ns,
        hold_ns: at.hold_ns,
    };
    let alone = callers.len() == 1;
    let callers: Vec<(Vec<SiteId>, Charge)> = callers.into_iter().collect();
    if callers.iter().all(|(_, charge)| charge.wait_ns == 0) {
        rest.wait_ns = sums.waits.total_ns;
        return vec![rest];
    }
    let mut asked = Vec::new();
    let mut without_a_wait = sums.acquisitions;
    for (calls, charge) in scale(
        callers,
        rest.calls.clone(),
        sums.waits.contended,
        sums.waits.total_ns,
    ) {
        if calls == rest.calls {
            rest.wait_ns = charge.wait_ns;
            continue;
        }
        // Each wait is a call that returned, unless the recording ended first.
        let contended = charge.waits.min(rest.contended);
        let acquisitions = charge.waits.min(without_a_wait);
        rest.contended -= contended;
        without_a_wait -= acquisitions;
        asked.push(Asked {
            calls,
            acquisitions: Some(acquisitions),
            contended,
            try_failed: 0,
            wait_ns: charge.wait_ns,
            wait_max_ns: sums.waits.max_ns.filter(|_| alone),
            hold_ns: None,
        });
    }
    if without_a_wait > 0 {
        for caller in &mut asked {
            caller.acquisitions = None;
        }
    } else {
        rest.acquisitions = Some(0);
    }
    let left = without_a_wait > 0 || rest.contended > 0 || rest.wait_ns > 0;
    if left || rest.try_failed > 0 || rest.hold_ns.is_some() {
        rest.wait_max_ns = rest.wait_max_ns.filter(|_| rest.wait_ns > 0);
        asked.push(rest);
    }
    asked
}

#[cfg(test)]
mod tests {
    use locktoll_results::profile::Frame;

    use super::*;

    /// The place in the library, and the calls from there to two functions of the program.
    fn places() -> (SiteId, [Vec<SiteId>; 2]) {
        let mut sites = Sites::default();
        let mut site = |name: &str| {
            let frame = Frame {
                function: Some(name.to_owned()),
                line: Some(1),
                ..Frame::default()
            };
            sites.id(None, vec![frame])
        };
        let (library, [one, other]) = (site("library"), ["one", "other"].map(&mut site));
        (library, [vec![library, one], vec![library, other]])
    }

    /// A place with `acquisitions`, of which `contended` waited, for `total_ns` in all.
    fn at(acquisitions: u64, contended: u64, total_ns: u64) -> AtSite {
        let mut at = AtSite::default();
        at.sums.acquisitions = acquisitions;
        at.sums.waits.contended = contended;
        at.sums.waits.total_ns = total_ns;
        at.sums.waits.max_ns = (contended > 0).then_some(total_ns);
        at
    }

    fn charge(waits: u64, wait_ns: u64) -> Charge {
        Charge { waits, wait_ns }
    }

    type Shown = (Vec<SiteId>, Option<u64>, u64, u64, Option<u64>);

    fn shown(asked: Vec<Asked>) -> Vec<Shown> {
        let each = asked.into_iter();
        each.map(|it| {
            let longest = it.wait_max_ns;
            (it.calls, it.acquisitions, it.contended, it.wait_ns, longest)
        })
        .collect()
    }

    #[test]
    fn a_place_without_stacks_keeps_everything() {
        let (library, [one, _]) = places();
        let asked = shared_out(library, &at(9, 2, 500), BTreeMap::new());
        let all = (vec![library], Some(9), 2, 500, Some(500));
        assert_eq!(shown(asked), std::slice::from_ref(&all));
        // Stacks that never waited say nothing.
        let asked = shared_out(library, &at(9, 2, 500), [(one, charge(2, 0))].into());
        assert_eq!(shown(asked), [all]);
    }

    #[test]
    fn callers_that_waited_every_time_have_all_acquisitions() {
        let (library, [one, other]) = places();
        let callers = [
            (one.clone(), charge(2, 300)),
            (other.clone(), charge(3, 200)),
        ];
        let asked = shared_out(library, &at(5, 5, 500), callers.into());
        assert_eq!(
            shown(asked),
            [
                (one.clone(), Some(2), 2, 300, None),
                (other, Some(3), 3, 200, None)
            ]
        );
        // The longest wait is that of the only caller.
        let asked = shared_out(
            library,
            &at(2, 2, 300),
            [(one.clone(), charge(2, 300))].into(),
        );
        assert_eq!(shown(asked), [(one, Some(2), 2, 300, Some(300))]);
    }

    #[test]
    fn acquisitions_without_a_wait_stay_in_the_library() {
        let (library, [one, _]) = places();
        let asked = shared_out(
            library,
            &at(7, 2, 300),
            [(one.clone(), charge(2, 300))].into(),
        );
        let rest = (vec![library], Some(7), 0, 0, None);
        assert_eq!(shown(asked), [(one, None, 2, 300, Some(300)), rest]);
    }

    #[test]
    fn waiting_without_a_stack_stays_in_the_library() {
        let (library, [one, _]) = places();
        let asked = shared_out(
            library,
            &at(2, 2, 500),
            [(one.clone(), charge(2, 300))].into(),
        );
        let rest = (vec![library], Some(0), 0, 200, Some(500));
        assert_eq!(shown(asked), [(one, Some(2), 2, 300, Some(500)), rest]);
    }

    #[test]
    fn failed_tries_and_holds_stay_in_the_library() {
        let (library, [one, _]) = places();
        let callers = || BTreeMap::from([(one.clone(), charge(2, 300))]);
        let mut tried = at(2, 2, 300);
        tried.sums.try_failed = 4;
        let asked = shared_out(library, &tried, callers());
        assert_eq!((asked.len(), asked[1].try_failed), (2, 4));
        let mut held = at(2, 2, 300);
        held.hold_ns = Some(60);
        let asked = shared_out(library, &held, callers());
        assert_eq!((asked.len(), asked[1].hold_ns), (2, Some(60)));
        assert_eq!(asked[0].hold_ns, None);
    }
}
