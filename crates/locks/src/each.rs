//! Macros over the types of the catalogue, for tests and harnesses.

/// Calls a macro once with all locks that implement [`RawLock`](crate::RawLock) by themselves,
/// as `$callback! { Type "name", ... }`; those that are kernel objects on Linux alone. The names are those of the `locktoll` program. Needs the
/// feature `std`.
///
/// ```
/// use locktoll_locks::{RawLock, for_each_lock};
///
/// macro_rules! names {
///     ($($lock:ident $name:literal,)+) => { [$($name),+] };
/// }
/// assert!(for_each_lock!(names).contains(&"ticket"));
/// ```
#[macro_export]
macro_rules! for_each_lock {
    ($callback:ident) => {
        $crate::catalogue! { [$crate::__types] $callback }
    };
}

/// The same for those that need nothing but their own few words. Locks that are `given` come behind them.
#[doc(hidden)]
#[macro_export]
macro_rules! for_each_word_lock {
    ($callback:ident $($given:tt)*) => {
        $crate::catalogue! { [$crate::__words] $callback [$($given)*] [] }
    };
}

/// The same for all that can be waited for until a deadline ([`TimedLock`](crate::TimedLock)): kernel objects cannot.
#[doc(hidden)]
#[macro_export]
macro_rules! for_each_timed_lock {
    ($callback:ident) => {
        $crate::catalogue! { [$crate::__timed] $callback [] }
    };
}

/// Types and names of the catalogue's rows.
#[doc(hidden)]
#[macro_export]
macro_rules! __types {
    ($callback:ident $($lock:ident $name:literal $place:ident $make:ident $more:tt)+) => {
        $callback! { $($lock $name,)+ }
    };
}

/// Types and names of the rows of `word`s.
#[doc(hidden)]
#[macro_export]
macro_rules! __words {
    ($callback:ident [$($given:tt)*] [$($found:tt)*]) => {
        $callback! { $($found)* $($given)* }
    };
    ($callback:ident $given:tt [$($found:tt)*] $lock:ident $name:literal word $make:ident $more:tt $($rows:tt)*) => {
        $crate::__words! { $callback $given [$($found)* $lock $name,] $($rows)* }
    };
    ($callback:ident $given:tt $found:tt $lock:ident $name:literal $place:ident $make:ident $more:tt $($rows:tt)*) => {
        $crate::__words! { $callback $given $found $($rows)* }
    };
}

/// Types and names of the rows that are not of the kernel.
#[doc(hidden)]
#[macro_export]
macro_rules! __timed {
    ($callback:ident [$($found:tt)*]) => {
        $callback! { $($found)* }
    };
    ($callback:ident $found:tt $lock:ident $name:literal kernel $make:ident $more:tt $($rows:tt)*) => {
        $crate::__timed! { $callback $found $($rows)* }
    };
    ($callback:ident [$($found:tt)*] $lock:ident $name:literal $place:ident $make:ident $more:tt $($rows:tt)*) => {
        $crate::__timed! { $callback [$($found)* $lock $name,] $($rows)* }
    };
}
