//! Macros for all types of the catalogue, for tests and harnesses.

/// Calls a macro once with all locks that implement [`RawLock`](crate::RawLock) by themselves, as `$callback! { Type "name",
/// ... }`. Kernel objects are included on Linux only. The names are the same as in the `locktoll` program. Needs the feature
/// `std`.
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

/// Does the same for locks that consist of a few words only. Locks that are `given` come after them.
#[doc(hidden)]
#[macro_export]
macro_rules! for_each_word_lock {
    ($callback:ident $($given:tt)*) => {
        $crate::catalogue! { [$crate::__words] $callback [$($given)*] [] }
    };
}

/// Does the same for all locks that can be waited for until a deadline ([`TimedLock`](crate::TimedLock)): kernel objects
/// cannot.
#[doc(hidden)]
#[macro_export]
macro_rules! for_each_timed_lock {
    ($callback:ident) => {
        $crate::catalogue! { [$crate::__timed] $callback [] }
    };
}

/// Extracts the types and names of the catalogue's rows.
#[doc(hidden)]
#[macro_export]
macro_rules! __types {
    ($callback:ident $($lock:ident $name:literal $place:ident $make:ident $more:tt)+) => {
        $callback! { $($lock $name,)+ }
    };
}

/// Extracts the types and names of the rows with storage `word`.
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

/// Extracts the types and names of the rows that are not kernel objects.
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
