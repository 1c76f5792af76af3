//! The System V semaphore, registered so that a harness that is cut off can remove it.

use locktoll_locks::SysvSemaphore;
use locktoll_locks::catalogue::Catalogued;

use super::super::ours::raw::Held;
use super::super::visit::{Listing, Visitor};
use super::super::{Contender, CreateError, Family, LockOptions};
use super::refused;
use super::sysv_registry::Registration;

pub(super) fn visit(visitor: &mut impl Visitor) {
    visitor.lock::<Sysv>(Listing::of(SysvSemaphore::LOCK, Family::Kernel));
}

/// A semaphore and its entry in the registry. Dropped in this order, so that there is no moment at
/// which the semaphore exists unregistered.
struct Sysv {
    lock: SysvSemaphore,
    _registration: Registration,
}

impl Contender for Sysv {
    type Held<'a> = Held<'a, SysvSemaphore>;

    fn create(_: &LockOptions) -> Result<Self, CreateError> {
        let lock = SysvSemaphore::create().map_err(refused("semget"))?;
        let id = lock.id().expect("`create` makes the semaphore");
        let registration = Registration::new(id).ok_or_else(|| CreateError {
            what: "register a System V semaphore",
            source: std::io::Error::from_raw_os_error(libc::ENOSPC),
        })?;
        Ok(Self {
            lock,
            _registration: registration,
        })
    }

    #[inline(always)]
    fn acquire(&self) -> Self::Held<'_> {
        Held::acquire(&self.lock)
    }
}
