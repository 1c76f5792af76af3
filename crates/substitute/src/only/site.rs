//! Functions that get the return address of their caller.

/// Defines `name`, which calls `target` with the same arguments, followed by the address that the call returns to: `name<L> =
/// target::<L>, behind 1 argument`.
///
/// The defined function has the signature that its entry requires (E1), as far as registers are concerned.
macro_rules! with_site {
    ($name:ident<$lock:ident: $bound:path> = $target:expr, behind $count:tt) => {
        #[unsafe(naked)]
        unsafe extern "C" fn $name<$lock: $bound>() {
            $crate::only::with_site!(@jump $count, $target)
        }
    };
    ($name:ident = $target:expr, behind $count:tt) => {
        #[unsafe(naked)]
        unsafe extern "C" fn $name() {
            $crate::only::with_site!(@jump $count, $target)
        }
    };
    (@jump 1, $target:expr) => { $crate::only::with_site!(@code "rsi", "x1", $target) };
    (@jump 2, $target:expr) => { $crate::only::with_site!(@code "rdx", "x2", $target) };
    (@jump 3, $target:expr) => { $crate::only::with_site!(@code "rcx", "x3", $target) };
    (@code $x86_64:literal, $aarch64:literal, $target:expr) => {{
        #[cfg(target_arch = "x86_64")]
        core::arch::naked_asm!(
            concat!("mov ", $x86_64, ", [rsp]"),
            "jmp {target}",
            target = sym $target,
        );
        #[cfg(target_arch = "aarch64")]
        core::arch::naked_asm!(
            concat!("mov ", $aarch64, ", x30"),
            "b {target}",
            target = sym $target,
        );
    }};
}
pub(crate) use with_site;
