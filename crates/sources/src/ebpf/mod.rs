//! Programs for the kernel: loading, attaching, reading their maps. No analysis.
//!
//! They are built by `cargo xtask bpf` from `bpf/*.bpf.c` and carried by this binary. All of them hang on tracepoints and
//! functions that the kernel describes itself (BTF), so that nothing but CAP_BPF and CAP_PERFMON is needed. A program and its place are file descriptors of this
//! process: whatever ends it, the kernel takes them away.

mod cost;
mod function_ends;
mod loaded;
mod object;
pub mod privileges;

pub use cost::{CostCounting, ProgramCost};
pub use function_ends::Function;
pub use loaded::{Loaded, refused};
pub use object::Object;
