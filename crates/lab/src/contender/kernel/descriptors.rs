//! Locks made from a file descriptor: eventfd and a token in a pipe.

use locktoll_locks::catalogue::Catalogued;
use locktoll_locks::{Eventfd, PipeToken};

use super::super::ours::{Raw, Recipe};
use super::super::visit::{Listing, Visitor};
use super::super::{CreateError, Family, LockOptions};
use super::refused;

pub(super) fn visit(visitor: &mut impl Visitor) {
    visitor.lock::<Raw<MakeEventfd>>(Listing::of(Eventfd::LOCK, Family::Kernel));
    visitor.lock::<Raw<MakePipe>>(Listing::of(PipeToken::LOCK, Family::Kernel));
}

/// Makes the descriptor together with the lock, not at its first use, so that a refusal is an error before threads have started.
struct MakeEventfd;

impl Recipe for MakeEventfd {
    type Lock = Eventfd;

    fn make(_: &LockOptions) -> Result<Eventfd, CreateError> {
        Eventfd::create().map_err(refused("eventfd"))
    }
}

/// Does the same for the pipe.
struct MakePipe;

impl Recipe for MakePipe {
    type Lock = PipeToken;

    fn make(_: &LockOptions) -> Result<PipeToken, CreateError> {
        PipeToken::create().map_err(refused("pipe"))
    }
}
