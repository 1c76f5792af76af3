//! Locks that are one to four words, and need nothing else.

use super::room::{InPlace, fits};

pub use locktoll_locks::{
    Adaptive, Cas, DesignatedWaker, Futex2, Futex3, OneSpinner, Tas, Ticket, TicketBackoff,
    TicketYield, Tollgate, Ttas, TtasBackoff, TtasBackoffYield, TtasCapped, Twa,
};

macro_rules! words {
    ($($lock:ident = |$parameter:pat_param| $make:expr $(, prepared by $prepare:expr)?;)+) => {
        $(
            const _: () = assert!(fits::<$lock>());

            // SAFETY: it fits, as the line above proves. Its file in `locktoll-locks` says what a release touches last. It
            // calls the kernel itself, and the C library for nothing but the time.
            unsafe impl InPlace for $lock {
                $(
                    fn prepare() {
                        $prepare();
                    }
                )?

                fn with_parameter($parameter: u32) -> Self {
                    $make
                }
            }
        )+
    };
}

words! {
    Adaptive = |_| Adaptive::new();
    Cas = |_| Cas::new();
    DesignatedWaker = |_| DesignatedWaker::new();
    Futex2 = |spin| Futex2::with_spin(spin);
    Futex3 = |spin| Futex3::with_spin(spin);
    OneSpinner = |_| OneSpinner::new();
    Tas = |_| Tas::new();
    Ticket = |_| Ticket::new();
    TicketBackoff = |_| TicketBackoff::new();
    TicketYield = |_| TicketYield::new();
    Tollgate = |_| Tollgate::new(), prepared by Tollgate::prepare;
    Ttas = |_| Ttas::new();
    TtasBackoff = |_| TtasBackoff::new();
    TtasBackoffYield = |_| TtasBackoffYield::new();
    TtasCapped = |_| TtasCapped::new();
    Twa = |_| Twa::new();
}
