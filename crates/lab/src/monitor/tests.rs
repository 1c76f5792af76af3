//! Every monitor passes both loops. Termination is the check: a lost signal would leave them waiting.

use std::sync::mpsc;
use std::time::Duration;

use super::{Lengths, race, system};

/// Far more than either loop takes on a machine that other programs keep busy.
const LONG: Duration = Duration::from_secs(120);

fn raced(lengths: Lengths) -> Vec<super::Raced> {
    let (done, results) = mpsc::channel();
    std::thread::spawn(move || done.send(race(1, lengths)));
    results.recv_timeout(LONG).expect("a signal was lost")
}

#[test]
fn every_monitor_hands_over_and_lets_all_go() {
    let results = raced(Lengths {
        hand_overs: 2_000,
        broadcasts: 20,
        waiters: 16,
    });
    let locks: Vec<&str> = results.iter().map(|result| result.lock.as_str()).collect();
    for peer in [system::NAME, "std", "parking_lot"] {
        assert!(locks.contains(&peer), "{peer}");
    }
    for result in &results {
        assert!(crate::contender::find(&result.lock).is_ok(), "{result:?}");
        assert!(result.ping_pong_ns.is_some_and(|ns| ns > 0.0), "{result:?}");
        assert!(result.broadcast_ns.is_some_and(|ns| ns > 0.0), "{result:?}");
    }
}

#[test]
fn a_loop_of_no_length_is_left_out() {
    let results = raced(Lengths {
        hand_overs: 10,
        broadcasts: 0,
        waiters: 4,
    });
    assert!(
        results
            .iter()
            .all(|it| it.broadcast_ns.is_none() && it.ping_pong_ns.is_some())
    );
}
