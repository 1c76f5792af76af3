//! File accesses with the rights of another user.
//!
//! # Invariants
//!
//! - **O1** The identity for file accesses belongs to the thread (setfsuid(2)), and its value is put back when the guard is dropped.

use std::marker::PhantomData;

/// While it lives, this thread accesses files with the rights of a user. Only root can take another user's; for all other users,
/// nothing changes.
///
/// Root must not follow what another user may put into a folder of their own, for example a link in place of the folder.
pub struct AsOwner {
    before: Option<u32>,
    /// The identity belongs to the thread.
    _on_this_thread: PhantomData<*const ()>,
}

impl AsOwner {
    /// Takes the rights of `user`.
    pub fn begin(user: u32) -> Self {
        let own = rustix::process::geteuid().as_raw();
        let before = (own == 0 && user != 0).then(|| {
            // SAFETY: O1; setfsuid(2) takes no pointer, and cannot fail in a way that matters to memory.
            unsafe { libc::setfsuid(user) };
            own
        });
        Self {
            before,
            _on_this_thread: PhantomData,
        }
    }
}

impl Drop for AsOwner {
    fn drop(&mut self) {
        if let Some(before) = self.before {
            // SAFETY: O1.
            unsafe { libc::setfsuid(before) };
        }
    }
}
