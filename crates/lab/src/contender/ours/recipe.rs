//! How a lock is made from the command line's options.

use std::io;
use std::marker::PhantomData;

use locktoll_locks::{
    Adaptive, DesignatedWaker, Futex2, Futex3, Gate, McsPark, OneSpinner, RawLock, RwReader,
    TicketBackoff, TicketYield, Tollgate, TtasBackoff, TtasBackoffYield, TtasCapped,
};

use super::super::{CreateError, LockOptions};
use crate::machine::usable_cpus;

/// Makes a lock.
pub(in super::super) trait Recipe: 'static {
    /// What it makes.
    type Lock: RawLock + 'static;

    /// Makes it, free.
    fn make(options: &LockOptions) -> Result<Self::Lock, CreateError>;
}

/// The lock with its defaults.
pub(super) struct Plain<L>(PhantomData<L>);

impl<L: RawLock + 'static> Recipe for Plain<L> {
    type Lock = L;

    fn make(_: &LockOptions) -> Result<L, CreateError> {
        Ok(L::new())
    }
}

/// The lock with its defaults, in a process that has found out how it is released before it has threads: done while they run, that takes
/// the kernel as long as thousands of operations.
pub(super) struct Prepared;

impl Recipe for Prepared {
    type Lock = Tollgate;

    fn make(_: &LockOptions) -> Result<Tollgate, CreateError> {
        Tollgate::prepare();
        Ok(Tollgate::new())
    }
}

/// The lock with the spinning of `--spin`, or its default.
pub(super) struct Spinning<L>(PhantomData<L>);

impl<L: RawLock + Spins + 'static> Recipe for Spinning<L> {
    type Lock = L;

    fn make(options: &LockOptions) -> Result<L, CreateError> {
        Ok(L::spinning(options.spin))
    }
}

/// The lock with `UNITS` of spinning, whatever the options say.
pub(super) struct FixedSpin<L, const UNITS: u32>(PhantomData<L>);

impl<L: RawLock + Spins + 'static, const UNITS: u32> Recipe for FixedSpin<L, UNITS> {
    type Lock = L;

    fn make(_: &LockOptions) -> Result<L, CreateError> {
        Ok(L::spinning(Some(UNITS)))
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
        // What `Gate` would panic about.
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

/// A lock with a spin count, in units of [`locktoll_locks::SPIN_UNIT_NS`].
pub(super) trait Spins {
    /// Spins for so many units, or for its default.
    fn spinning(units: Option<u32>) -> Self;
}

macro_rules! spins {
    ($($lock:ty),+ $(,)?) => {
        $(impl Spins for $lock {
            fn spinning(units: Option<u32>) -> Self {
                <$lock>::with_spin(units.unwrap_or(<$lock>::DEFAULT_SPIN))
            }
        })+

        #[cfg(test)]
        mod spin_tests {
            use super::*;

            #[test]
            fn the_spin_option_reaches_every_lock_that_has_one() {
                // No lock of ours has this figure as anything but its spin count.
                const UNITS: u32 = 987_654;
                $({
                    let set = format!("{:?}", <$lock>::spinning(Some(UNITS)));
                    let unset = format!("{:?}", <$lock>::spinning(None));
                    let name = stringify!($lock);
                    assert!(set.contains(&UNITS.to_string()), "{name}: {set}");
                    let default = format!("{:?}", <$lock>::with_spin(<$lock>::DEFAULT_SPIN));
                    assert_eq!(unset, default, "{name}");
                })+
            }
        }
    };
}

spins!(
    Adaptive,
    DesignatedWaker,
    Futex2,
    Futex3,
    McsPark,
    OneSpinner,
    RwReader,
    TicketBackoff,
    TicketYield,
    TtasBackoff,
    TtasBackoffYield,
    TtasCapped,
);

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
    use std::time::Duration;

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
    fn a_preset_does_not_listen_to_the_spin_option() {
        let options = LockOptions {
            spin: Some(5),
            gate: None,
        };
        let preset = FixedSpin::<Futex3, 100>::make(&options).unwrap();
        let wanted = Futex3::with_spin(100);
        assert_eq!(format!("{preset:?}"), format!("{wanted:?}"));
    }

    #[test]
    fn impossible_gates_are_errors() {
        for gate in [0, (1 << 30) + 1, u32::MAX] {
            let error = Gated::<Futex3>::make(&gate_of(gate)).unwrap_err();
            assert!(error.to_string().contains(&gate.to_string()), "{error}");
        }
    }

    /// Threads between wanting the inner lock and releasing it, and the most there were.
    static AT_THE_LOCK: AtomicU32 = AtomicU32::new(0);
    static MOST: AtomicU32 = AtomicU32::new(0);

    /// A lock that counts the threads that it sees.
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
                            // So that the others arrive, whoever the scheduler favours.
                            std::thread::sleep(Duration::from_micros(100));
                        }
                    });
                }
            });
            assert_eq!(MOST.load(SeqCst), gate);
        }
    }
}
