//! The names that the dynamic linker finds before the C library's.
//!
//! A function whose call site matters adds its return address as one more argument and jumps to its hook; the hook returns
//! directly to the program. That takes a naked function: in any other, the compiler decides where the return address is.
//!
//! Some functions are cancellation points: the thread may be unwound out of them (pthread_cancel(3)). No Rust function may
//! be on the stack then, so they are called from frames of assembly, with the call frame information (DWARF 4, 6.4) that
//! an unwinder needs to pass.

mod barrier;
mod blocking;
mod c11;
mod condition;
mod ending;
mod forking;
mod futex;
mod loading;
mod mutex;
mod old_names;
mod privilege;
mod rwlock;
mod sandbox;
mod semaphore;
mod spin;
mod threads;
mod trampoline;
