//! Makes locks from the command line's options.

use std::io;
use std::marker::PhantomData;

use locktoll_locks::catalogue::Catalogued;
use locktoll_locks::{Gate, RawLock};

use super::super::{CreateError, LockOptions};
use crate::machine::usable_cpus;

/// Makes a lock.
pub(in super::super) trait Recipe: 'static {
    /// The lock that it makes.
    type Lock: RawLock + 'static;

    /// Makes a free lock.
    fn make(options: &LockOptions) -> Result<Self::Lock, CreateError>;
}

/// A lock of the catalogue, with the number given for it, or the spinning of `--spin`, or its default. The process prepares such
/// locks before it has threads: while threads run, that may take the kernel as long as thousands of operations.
pub(super) struct FromCatalogue<L>(PhantomData<L>);

impl<L: Catalogued + 'static> Recipe for FromCatalogue<L> {
    type Lock = L;

    fn make(options: &LockOptions) -> Result<L, CreateError> {
        L::prepare();
        Ok(L::with_number(options.spin))
    }
}

/// The lock behind a gate for as many threads as the options say, or as there are usable CPUs.
pub(in super::super) struct Gated<L>(PhantomData<L>);

impl<L: RawLock + 'static> Recipe for Gated<L> {
    type Lock = Gate<L>;

    fn make(options: &LockOptions) -> Result<Gate<L>, CreateError> {
        let active = match options.gate {
            Some(active) => active,
            None => default_gate(),
        };
        // `Gate` would panic about other values.
        if !(1..=1 << 30).contains(&active) {
            return Err(CreateError {
                what: "make a gate",
                source: io::Error::new(
                    io::ErrorKind::InvalidInput,
                    format!("it lets 1 to 2^30 threads in, not {active}"),
                ),
            });
        }
        Ok(Gate::with_active(active))
    }
}

fn default_gate() -> u32 {
    let cpus = usable_cpus().map_or(1, |cpus| cpus.len());
    u32::try_from(cpus).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
    use std::time::Duration;

    use locktoll_locks::Futex3;

    use super::super::super::Contender;
    use super::super::Raw;
    use super::*;

    fn gate_of(gate: u32) -> LockOptions {
        LockOptions {
            spin: None,
            gate: Some(gate),
        }
    }

    #[test]
    fn the_number_reaches_every_lock_that_takes_one() {
        // No lock of ours uses this figure except as its number.
        const UNITS: u32 = 987_654;
        fn check<L: Catalogued + std::fmt::Debug + 'static>() {
            let name = L::LOCK.name;
            let made = |spin| {
                let options = LockOptions { spin, gate: None };
                format!("{:?}", FromCatalogue::<L>::make(&options).unwrap())
            };
            let takes_one = L::LOCK.parameter.is_some();
            let set = made(Some(UNITS));
            assert_eq!(set.contains(&UNITS.to_string()), takes_one, "{name}: {set}");
            let default = L::LOCK.parameter.map(|parameter| parameter.default);
            assert_eq!(made(None), made(default), "{name}");
        }
        macro_rules! each {
            ($($lock:ident $name:literal,)+) => { $(check::<locktoll_locks::$lock>();)+ };
        }
        locktoll_locks::for_each_timed_lock!(each);
    }

    #[test]
    fn impossible_gates_are_errors() {
        for gate in [0, (1 << 30) + 1, u32::MAX] {
            let error = Gated::<Futex3>::make(&gate_of(gate)).unwrap_err();
            assert!(error.to_string().contains(&gate.to_string()), "{error}");
        }
    }

    /// Threads between requesting the inner lock and releasing it, and the maximum so far.
    static AT_THE_LOCK: AtomicU32 = AtomicU32::new(0);
    static MOST: AtomicU32 = AtomicU32::new(0);

    /// A lock that counts its threads.
    struct Counted(Futex3);

    // SAFETY: `Futex3`'s.
    unsafe impl RawLock for Counted {
        fn new() -> Self {
            Counted(Futex3::new())
        }
        fn lock(&self) {
            MOST.fetch_max(AT_THE_LOCK.fetch_add(1, SeqCst) + 1, SeqCst);
            self.0.lock();
        }
        fn try_lock(&self) -> bool {
            unreachable!("contenders wait")
        }
        unsafe fn unlock(&self) {
            AT_THE_LOCK.fetch_sub(1, SeqCst);
            // SAFETY: the caller's promise is the same.
            unsafe { self.0.unlock() }
        }
        fn is_locked(&self) -> bool {
            self.0.is_locked()
        }
    }

    #[test]
    fn a_gate_lets_as_many_contend_as_it_was_told() {
        for gate in [1, 3] {
            MOST.store(0, SeqCst);
            let lock = Raw::<Gated<Counted>>::create(&gate_of(gate)).unwrap();
            std::thread::scope(|scope| {
                for _ in 0..6 {
                    scope.spawn(|| {
                        for _ in 0..50 {
                            let _held = lock.acquire();
                            // So that the others arrive, whichever thread the scheduler favours.
                            std::thread::sleep(Duration::from_micros(100));
                        }
                    });
                }
            });
            assert_eq!(MOST.load(SeqCst), gate);
        }
    }
}
