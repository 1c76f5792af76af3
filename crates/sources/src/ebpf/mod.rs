//! Programs for the kernel: loading, attaching, reading their maps. No analysis.
//!
//! `cargo xtask bpf` builds them from `bpf/*.bpf.c`, and this binary contains them. All of them are attached to tracepoints and
//! functions that the kernel describes itself (BTF), so only CAP_BPF and CAP_PERFMON are needed. A program and its attachment
//! are file descriptors of this process: however it ends, the kernel removes them.

mod cost;
mod function_begins;
mod function_ends;
mod loaded;
mod namespace;
mod object;
pub mod privileges;

pub use cost::{CostCounting, ProgramCost};
pub use function_ends::Function;
pub use loaded::{Loaded, refused};
pub use namespace::in_outermost_namespace;
pub use object::Object;
