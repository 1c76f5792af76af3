//! How long a program is under load, and how long its other work may take.

use std::time::{Duration, Instant};

/// A program that is not done by then hangs. Generous: it says nothing of speed, and the machine may be busy.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// A load goes on for so long: not for so many steps, since on a lock that hands itself from waiter to waiter a busy machine
/// may need a whole round of its scheduler for each. `LOCKTOLL_LOAD` is the factor by which it is longer.
const LOAD: Duration = Duration::from_millis(250);

/// The same with `LOCKTOLL_TEST_SOAK=1`.
const LONG_LOAD: Duration = Duration::from_millis(900);

/// Seconds of a load.
pub fn seconds() -> f64 {
    let times = std::env::var("LOCKTOLL_LOAD");
    let times: f64 = times.map_or(1.0, |times| {
        times.parse().expect("LOCKTOLL_LOAD is a number")
    });
    let load = if locktoll_needs::soak() {
        LONG_LOAD
    } else {
        LOAD
    };
    load.as_secs_f64() * times
}

/// The steps of a load: 0, 1, ... until its time is over, at least one.
pub fn steps() -> impl Iterator<Item = usize> {
    let (begun, length) = (Instant::now(), seconds());
    (0..).take_while(move |step| *step == 0 || begun.elapsed().as_secs_f64() < length)
}

/// Runs a load in several clients at once, and adds up how many steps they made.
pub fn together(
    clients: usize,
    load: impl Fn(usize) -> Result<usize, String> + Sync,
) -> Result<usize, String> {
    std::thread::scope(|scope| {
        let load = &load;
        let clients: Vec<_> = (0..clients)
            .map(|number| scope.spawn(move || load(number)))
            .collect();
        // All of them are awaited, whatever the first says.
        let outcomes: Vec<_> = clients
            .into_iter()
            .map(|it| it.join().expect("a client"))
            .collect();
        outcomes.into_iter().sum()
    })
}
