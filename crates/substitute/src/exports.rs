//! The names that the dynamic linker finds before the C library's: one jump each.
//!
//! The library has no symbol versions, so its names precede all versions of a name, whichever of them a program was linked
//! with.

use core::ffi::c_void;
use core::sync::atomic::AtomicPtr;

use crate::entries::{self, Entry, Table, for_each_entry};
use crate::{start, tally};

macro_rules! places {
    ($($name:ident $entry:ident,)+) => {
        [$(AtomicPtr::new(first::$name as *mut c_void)),+]
    };
}

macro_rules! first_stops {
    ($($name:ident $entry:ident,)+) => {
        [$(first::$name),+]
    };
}

/// The table that the exports jump through.
static TABLE: Table = Table {
    places: for_each_entry!(places),
    first: for_each_entry!(first_stops),
};

/// Called by the very first call, and by every other call that comes before the table has been filled.
extern "C" fn begin() {
    entries::use_table(&TABLE);
    start::begin();
}

/// Starts when the library is loaded, unless a call came earlier. So a program that takes no lock is counted too, and
/// distinguished from one that never ran with this library.
#[used]
#[unsafe(link_section = ".init_array")]
static AT_LOAD: extern "C" fn() = at_load;

extern "C" fn at_load() {
    if !tally::is_open() {
        begin();
    }
}

/// Jumps to the address in a row, with all arguments in place.
macro_rules! jump {
    ($entry:expr) => {{
        #[cfg(target_arch = "x86_64")]
        core::arch::naked_asm!(
            "jmp qword ptr [rip + {table} + {offset}]",
            table = sym TABLE,
            offset = const $entry as usize * 8,
        );
        #[cfg(target_arch = "aarch64")]
        core::arch::naked_asm!(
            "adrp x16, {table}",
            "add x16, x16, :lo12:{table}",
            "ldr x16, [x16, #{offset}]",
            "br x16",
            table = sym TABLE,
            offset = const $entry as usize * 8,
        );
    }};
}
/// Calls `begin` with all arguments kept, then jumps.
macro_rules! start_and_jump {
    ($entry:expr) => {{
        #[cfg(target_arch = "x86_64")]
        core::arch::naked_asm!(
            ".cfi_startproc",
            "push rdi",
            "push rsi",
            "push rdx",
            "push rcx",
            "push r8",
            "push r9",
            "sub rsp, 8",
            ".cfi_def_cfa_offset 64",
            "call {begin}",
            "add rsp, 8",
            "pop r9",
            "pop r8",
            "pop rcx",
            "pop rdx",
            "pop rsi",
            "pop rdi",
            ".cfi_def_cfa_offset 8",
            "jmp qword ptr [rip + {table} + {offset}]",
            ".cfi_endproc",
            begin = sym begin,
            table = sym TABLE,
            offset = const $entry as usize * 8,
        );
        #[cfg(target_arch = "aarch64")]
        core::arch::naked_asm!(
            ".cfi_startproc",
            "stp x29, x30, [sp, #-80]!",
            ".cfi_def_cfa_offset 80",
            ".cfi_offset w29, -80",
            ".cfi_offset w30, -72",
            "stp x0, x1, [sp, #16]",
            "stp x2, x3, [sp, #32]",
            "stp x4, x5, [sp, #48]",
            "str x6, [sp, #64]",
            "bl {begin}",
            "ldp x0, x1, [sp, #16]",
            "ldp x2, x3, [sp, #32]",
            "ldp x4, x5, [sp, #48]",
            "ldr x6, [sp, #64]",
            "ldp x29, x30, [sp], #80",
            ".cfi_def_cfa_offset 0",
            ".cfi_restore w29",
            ".cfi_restore w30",
            "adrp x16, {table}",
            "add x16, x16, :lo12:{table}",
            "ldr x16, [x16, #{offset}]",
            "br x16",
            ".cfi_endproc",
            begin = sym begin,
            table = sym TABLE,
            offset = const $entry as usize * 8,
        );
    }};
}
macro_rules! export {
    ($($name:ident $entry:ident,)+) => {
        $(
            #[doc = concat!(stringify!($name), "(3): goes where the table says.")]
            #[unsafe(naked)]
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name() {
                jump!(Entry::$entry)
            }
        )+

        /// The first target of each name: it starts the library, and then jumps as usual.
        pub mod first {
            use super::*;

            $(
                #[doc = concat!("The first stop of ", stringify!($name), "(3).")]
                #[unsafe(naked)]
                pub unsafe extern "C" fn $name() {
                    start_and_jump!(Entry::$entry)
                }
            )+
        }
    };
}

for_each_entry!(export);

/// Exports names that the C library has for the same functions, for programs and libraries that were linked a long time ago. A
/// program that uses one of them may use the object by its other name elsewhere.
macro_rules! export_old_names {
    ($($name:ident $entry:ident,)+) => {
        $(
            #[doc = concat!(stringify!($name), ": goes where the name without underscores goes.")]
            #[unsafe(naked)]
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name() {
                jump!(Entry::$entry)
            }
        )+
    };
}

export_old_names! {
    __pthread_mutex_lock MutexLock,
    __pthread_mutex_trylock MutexTryLock,
    __pthread_mutex_unlock MutexUnlock,
    __pthread_mutex_init MutexInit,
    __pthread_mutex_destroy MutexDestroy,
    __pthread_rwlock_rdlock RwReadLock,
    __pthread_rwlock_tryrdlock RwTryReadLock,
    __pthread_rwlock_wrlock RwWriteLock,
    __pthread_rwlock_trywrlock RwTryWriteLock,
    __pthread_rwlock_unlock RwUnlock,
    __pthread_rwlock_init RwInit,
    __pthread_rwlock_destroy RwDestroy,
}
