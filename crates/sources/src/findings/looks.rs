//! How often a wait or a hold is looked at: tests count that, since a time would depend on the machine.

#[cfg(test)]
thread_local! {
    static LOOKS: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// Notes a look at a wait or a hold.
#[inline(always)]
pub fn look() {
    #[cfg(test)]
    LOOKS.set(LOOKS.get() + 1);
}

/// Returns how often the thread has looked at waits and holds.
#[cfg(test)]
pub fn looks() -> u64 {
    LOOKS.get()
}
