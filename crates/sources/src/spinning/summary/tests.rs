//! Reports on samples that the tests count themselves.

use super::*;
use crate::spinning::family::Family;
use crate::spinning::memory::{AtSample, Memory};
use crate::spinning::verdicts::{Known, Verdicts};

/// `again: mov eax, [rdi]; test eax, eax; je again; ret`
const WAIT: [u8; 7] = [0x8b, 0x07, 0x85, 0xc0, 0x74, 0xfa, 0xc3];
const PERIOD_NS: u64 = 4_000_000;

/// A program of which 100 samples were taken, half of them in a wait.
fn half_of_the_samples_wait() -> State {
    let own = std::process::id();
    let at = WAIT.as_ptr() as u64;
    let memory = Memory::of(own, vec![(at, at + WAIT.len() as u64)]);
    let sample = AtSample {
        memory: &memory,
        stack_at: 0,
        stack: &[],
        vdso: None,
    };
    let registers = locktoll_loops::Registers {
        general: [0x1000; 32],
        ip: at,
    };
    let known = Verdicts::default().examine(&sample, &registers, &[]);
    let Known::Waits(waiting) = known else {
        panic!("{known:?}")
    };
    let mut state = State::new(Family::new(true, true));
    let met = state.family.add(own);
    state.meet(own, met);
    let key = SpotKey {
        image: 0,
        begin: at,
        word: Some(0x1000),
    };
    let thread = (own, own);
    for number in 0..100 {
        state.tally.samples += 1;
        let spins = number % 2 == 0;
        state.threads.entry(thread).or_default().sampled(spins);
        if spins {
            let (_, spot) = state.tally.count(key, &waiting, thread);
            spot.places = Some((Place::Nowhere { address: at }, None));
        }
    }
    state
}

fn reported(state: &State, whole: Option<Duration>) -> Report {
    let seen = Seen {
        state,
        period_ns: PERIOD_NS,
        with_kernel: false,
        watch_refused: None,
        whole,
    };
    report(&seen, &mut Naming::begin())
}

#[test]
fn samples_of_the_beginning_stand_for_the_whole_run_and_intervals_allow_for_the_rest() {
    let state = half_of_the_samples_wait();
    let all = reported(&state, None);
    assert_eq!((all.cpu_ns, all.spin_ns.median), (0.4e9, 0.2e9));
    // The program used 4 s of CPU time. The samples represent 0.4 s of that.
    let scaled = reported(&state, Some(Duration::from_secs(4)));
    assert_eq!((scaled.cpu_ns, scaled.spin_ns.median), (4e9, 2e9));
    assert_eq!(scaled.rows[0].spinning.cpu_ns, scaled.spin_ns);
    assert_eq!(scaled.rows[0].threads[0].ns, 2e9);
    // In the rest, the program may have waited never or always: it waited for 0.2 s to 3.8 s, give or take the error of the samples.
    let (low, high) = (scaled.spin_ns.low, scaled.spin_ns.high);
    assert!(low > 0.1e9 && low < 0.2e9, "{low}");
    assert!(high > 3.8e9 && high < 4e9, "{high}");
    let said = "only its beginning was sampled (100 samples, of 4.00 s of CPU time";
    let notes = |report: &Report| report.notes.iter().filter(|it| it.contains(said)).count();
    assert_eq!((notes(&all), notes(&scaled)), (0, 1), "{:?}", scaled.notes);
}

#[test]
fn a_run_that_is_shorter_than_its_samples_is_not_scaled() {
    let report = reported(
        &half_of_the_samples_wait(),
        Some(Duration::from_millis(390)),
    );
    assert_eq!((report.cpu_ns, report.spin_ns.median), (0.4e9, 0.2e9));
}
