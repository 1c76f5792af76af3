//! Locks from the catalogue that consist of one to four words, and need nothing else.

use locktoll_locks::catalogue::Catalogued;

use super::room::{InPlace, fits};

macro_rules! words {
    ($($lock:ident $name:literal,)+) => {
        pub use locktoll_locks::{$($lock),+};

        $(
            const _: () = assert!(fits::<$lock>());

            // SAFETY: it fits, as the line above proves. Its file in `locktoll-locks` documents what a release touches last.
            // It calls the kernel itself, and the C library only for the time.
            unsafe impl InPlace for $lock {
                fn prepare() {
                    <Self as Catalogued>::prepare();
                }

                fn with_parameter(parameter: u32) -> Self {
                    Self::with_number(Some(parameter))
                }
            }
        )+
    };
}
locktoll_locks::for_each_word_lock!(words);
