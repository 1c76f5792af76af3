//! The mutexes that are modelled, once for all models that they go through: of locking, and of waiting until a deadline.
#![cfg(locktoll_loom)]

/// Calls a macro once with all locks whose waiters only spin or yield, `name: how it is made`.
///
/// They have two contenders: loom lets two spinning threads hand the processor to each other for ever while the third, which
/// could help both, does not run.
macro_rules! for_each_spin_lock {
    ($callback:ident) => {
        $callback! {
            tas: Tas::new;
            cas: Cas::new;
            ttas: Ttas::new;
            ttas_capped: || TtasCapped::with_spin(1);
            ttas_backoff: || TtasBackoff::with_spin(1);
            ttas_backoff_yield: || TtasBackoffYield::with_spin(1);
            ticket: Ticket::new;
            ticket_backoff: TicketBackoff::new;
            ticket_yield: || TicketYield::with_spin(1);
            twa: Twa::new;
        }
    };
}
pub(crate) use for_each_spin_lock;

/// Calls a macro once with all locks whose waiters sleep, `name: how it is made, contenders; in the timed models: how it is
/// made, faults before and after`. The faults are `LOST` (a wake-up on one that has gone), `COUNTED` (the same for
/// locks that give tokens), `MISCOUNTED` and `NONE`, as `loom_timed.rs` has them.
macro_rules! for_each_parking_lock {
    ($callback:ident) => {
        $callback! {
            futex2: Futex2::new, 3; Futex2::new, LOST, NONE;
            futex3: Futex3::new, 3; Futex3::new, LOST, NONE;
            adaptive: || Adaptive::with_spin(1), 2; || Adaptive::with_spin(0), LOST, NONE;
            designated_waker: || DesignatedWaker::with_spin(0), 3;
                || DesignatedWaker::with_spin(0), COUNTED, COUNTED;
            one_spinner: || OneSpinner::with_spin(1), 3; || OneSpinner::with_spin(0), COUNTED, COUNTED;
            gate_of_one: || Gate::<Ttas>::with_active(1), 3;
                || Gate::<Ttas>::with_active(1), COUNTED, MISCOUNTED;
        }
    };
}
pub(crate) use for_each_parking_lock;
