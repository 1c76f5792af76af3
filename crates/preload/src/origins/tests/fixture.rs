//! A recorder that does not record this test program, functions with known return addresses, and a hook like those of the
//! exports.

use std::ffi::{CString, c_char, c_int, c_void};
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

use locktoll_recording::layout::{Mode, Origin, STACK_FRAMES};
use tempfile::TempDir;

use crate::recorder::Recorder;
use crate::unwind::Calls;
use crate::unwind::Knowledge;
use crate::unwind::{Beginning, Frame, KnownPages};

/// Returns a recorder with its own part, which lives as long as the folder.
pub fn recorder() -> (&'static Recorder, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    // SAFETY: all zeros is a recorder that has not started.
    let recorder: &Recorder = Box::leak(unsafe { Box::<Recorder>::new_zeroed().assume_init() });
    let guard = recorder.lock();
    let shared = guard.shared();
    let path = folder.path().to_str().unwrap();
    shared
        .part
        .create(path.as_bytes(), Origin::Exec, Mode::Sampled)
        .unwrap();
    // SAFETY: the lock is held, and nothing has been started before.
    unsafe {
        shared.sites.start();
        shared.modules.start(&shared.part);
        shared.stacks.start();
        shared.births.start();
    }
    drop(guard);
    (recorder, folder)
}

/// Returns one recorder for all tests that only walk.
pub fn shared_recorder() -> &'static Recorder {
    static SHARED: LazyLock<(&'static Recorder, TempDir)> = LazyLock::new(recorder);
    SHARED.0
}

/// The argument of the functions in `stack_calls.c`.
#[repr(C)]
pub struct Walk {
    lock: unsafe extern "C" fn(&mut Walk),
    noted: [usize; 512],
    count: c_int,
    /// The C code knows the fields above; only the hook below knows the rest.
    action: fn(site: usize) -> Calls,
    pub calls: Option<Calls>,
}

/// Passes the hook its caller's return address, as the exports do.
#[unsafe(naked)]
unsafe extern "C" fn lock(walk: &mut Walk) {
    #[cfg(target_arch = "x86_64")]
    core::arch::naked_asm!(
        ".cfi_startproc",
        "mov rsi, [rsp]",
        "jmp {hook}",
        ".cfi_endproc",
        hook = sym hook,
    );
    #[cfg(target_arch = "aarch64")]
    core::arch::naked_asm!(
        ".cfi_startproc",
        "mov x1, x30",
        "b {hook}",
        ".cfi_endproc",
        hook = sym hook,
    );
}

extern "C" fn hook(walk: &mut Walk, site: usize) {
    walk.calls = Some((walk.action)(site));
}

/// Walks with the tables of the shared recorder.
pub fn calls_to(site: usize) -> Calls {
    calls_by(shared_recorder(), site, &KnownPages::none())
}

/// Walks with the tables of `recorder`.
pub fn calls_by(recorder: &'static Recorder, site: usize, known_pages: &KnownPages) -> Calls {
    let knowledge = Knowledge {
        rules: &recorder.rules,
        tables: recorder.tables(),
        look_for_code: &|| recorder.lock().look_for_code(),
    };
    let mut calls = Calls::NONE;
    let beginning = Beginning {
        here: Frame::here(),
        site,
        frames: STACK_FRAMES,
        generation: recorder.tables().generation(),
    };
    calls.find(&beginning, knowledge, known_pages, None);
    calls
}

impl Walk {
    pub fn new(action: fn(site: usize) -> Calls) -> Box<Self> {
        Box::new(Self {
            lock,
            noted: [0; 512],
            count: 0,
            action,
            calls: None,
        })
    }

    /// Calls `function`, regardless of what was called before.
    pub fn run(&mut self, function: Function, depth: c_int) {
        self.count = 0;
        // SAFETY: the structure has the library's layout.
        unsafe { function(self, depth) };
    }

    /// Returns the addresses that must be found after the call site itself, innermost first.
    pub fn noted(&self) -> Vec<usize> {
        let noted = &self.noted[..self.count as usize];
        noted.iter().rev().copied().collect()
    }

    /// Returns the addresses found after the call site itself.
    pub fn found(&self) -> &[usize] {
        &self.calls.as_ref().unwrap().addresses()[1..]
    }
}

/// A function of `stack_calls.c`.
pub type Function = unsafe extern "C" fn(&mut Walk, c_int);

/// `stack_calls.c`, loaded for good: a library that is loaded in the place of another would be unwound with the other's
/// tables, see `modules`.
pub struct Library {
    handle: *mut c_void,
    folder: TempDir,
}

impl Library {
    /// Compiles it with `flags`.
    pub fn load(flags: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let source =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/stack_calls.c");
        let binary = folder.path().join("stack_calls.so");
        // The `cc` crate uses this name for a cross compiler, too.
        let named = format!("CC_{}_unknown_linux_gnu", std::env::consts::ARCH);
        let compiler = std::env::var_os(named).unwrap_or_else(|| "cc".into());
        let status = Command::new(compiler)
            .args(["-shared", "-fPIC", "-o"])
            .args([&binary, &source])
            .args(flags)
            .status()
            .expect("a C compiler");
        assert!(status.success());
        let path = CString::new(binary.to_str().unwrap()).unwrap();
        // SAFETY: the library has no constructors.
        let handle = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW) };
        assert!(!handle.is_null());
        Self { handle, folder }
    }

    /// Returns the function called `name`.
    pub fn function(&self, name: &str) -> Function {
        let name = CString::new(name).unwrap();
        // SAFETY: the handle is open.
        let function = unsafe { libc::dlsym(self.handle, name.as_ptr().cast::<c_char>()) };
        assert!(!function.is_null(), "{name:?}");
        // SAFETY: all functions of the library that are looked up have this type.
        unsafe { std::mem::transmute(function) }
    }

    /// Unloads the library, so that others can take its place. Its file stays as long as the returned folder: otherwise the
    /// next library would get its inode.
    pub fn unload(self) -> TempDir {
        // SAFETY: no thread is inside the library, and its functions are called through it only.
        assert_eq!(unsafe { libc::dlclose(self.handle) }, 0);
        self.folder
    }

    /// Calls a function that walks with the tables of the shared recorder.
    pub fn walk(&self, name: &str, depth: c_int) -> Box<Walk> {
        self.walk_by(name, depth, calls_to)
    }

    /// Calls a function that walks by `action`.
    pub fn walk_by(&self, name: &str, depth: c_int, action: fn(usize) -> Calls) -> Box<Walk> {
        let mut walk = Walk::new(action);
        walk.run(self.function(name), depth);
        walk
    }
}
