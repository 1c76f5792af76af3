//! The shim's functions, one set per lock (`cpp/peers.h`).

use std::ffi::c_void;

/// The memory that the shim needs: `LOCKTOLL_PEER_BYTES`, aligned like a pointer.
#[repr(C)]
pub(super) struct Object([*mut c_void; 2]);

impl Object {
    pub(super) const fn zeroed() -> Object {
        Object([std::ptr::null_mut(); 2])
    }
}

const _: () = assert!(size_of::<Object>() >= 16, "LOCKTOLL_PEER_BYTES");

/// One lock's set of functions. `Token` is what `lock` returns and `unlock` takes.
///
/// # Safety
/// Between `init` and the first `lock` the object may be moved. One thread at a time is between
/// `lock` and `unlock`, both on the same thread.
pub(super) unsafe trait Functions<Token>: 'static {
    /// Makes a free lock in `object`.
    unsafe fn init(object: *mut Object);
    /// Destroys a free lock.
    unsafe fn destroy(object: *mut Object);
    /// Acquires.
    unsafe fn lock(object: *mut Object) -> Token;
    /// Releases.
    unsafe fn unlock(object: *mut Object, token: Token);
}

macro_rules! functions {
    ($name:ident, $init:ident, $destroy:ident, $lock:ident, $unlock:ident) => {
        functions!(@declare $init, $destroy, $lock() -> (), $unlock());
        functions!(@type $name);
        // SAFETY: `cpp/peers.h` promises the contract of the trait.
        unsafe impl Functions<()> for $name {
            functions!(@ends $init, $destroy);
            #[inline(always)]
            unsafe fn lock(object: *mut Object) {
                // SAFETY: the trait's own contract.
                unsafe { $lock(object) }
            }
            #[inline(always)]
            unsafe fn unlock(object: *mut Object, (): ()) {
                // SAFETY: the trait's own contract.
                unsafe { $unlock(object) }
            }
        }
    };
    (queue $name:ident, $init:ident, $destroy:ident, $lock:ident, $unlock:ident) => {
        functions!(@declare $init, $destroy, $lock() -> *mut c_void, $unlock(node: *mut c_void));
        functions!(@type $name);
        // SAFETY: `cpp/peers.h` promises the contract of the trait.
        unsafe impl Functions<*mut c_void> for $name {
            functions!(@ends $init, $destroy);
            #[inline(always)]
            unsafe fn lock(object: *mut Object) -> *mut c_void {
                // SAFETY: the trait's own contract.
                unsafe { $lock(object) }
            }
            #[inline(always)]
            unsafe fn unlock(object: *mut Object, node: *mut c_void) {
                // SAFETY: the trait's own contract.
                unsafe { $unlock(object, node) }
            }
        }
    };
    (@declare $init:ident, $destroy:ident, $lock:ident() -> $token:ty,
     $unlock:ident($($node:ident: $node_type:ty)?)) => {
        unsafe extern "C" {
            fn $init(object: *mut Object);
            fn $destroy(object: *mut Object);
            fn $lock(object: *mut Object) -> $token;
            fn $unlock(object: *mut Object $(, $node: $node_type)?);
        }
    };
    (@type $name:ident) => {
        pub(super) enum $name {}
    };
    (@ends $init:ident, $destroy:ident) => {
        unsafe fn init(object: *mut Object) {
            // SAFETY: the trait's own contract.
            unsafe { $init(object) }
        }
        unsafe fn destroy(object: *mut Object) {
            // SAFETY: the trait's own contract.
            unsafe { $destroy(object) }
        }
    };
}

pub(super) use functions;
