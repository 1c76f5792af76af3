//! Compiles the C++ peers when the feature `cpp-peers` asks for them.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    #[cfg(feature = "cpp-peers")]
    peers::build();
}

#[cfg(feature = "cpp-peers")]
mod peers {
    use std::path::Path;

    const SHIM_HEADER: &str = "cpp/peers.h";
    const C: [&str; 1] = ["cpp/c_peers.c"];
    const CXX: [&str; 2] = ["cpp/cxx_peers.cc", "cpp/nodes.cc"];

    /// A library whose locks are measured.
    struct Library {
        header: &'static str,
        is_cxx: bool,
        debian_package: &'static str,
        /// The dynamic library, which brings what it needs itself.
        link: Option<&'static str>,
    }

    const LIBRARIES: [Library; 4] = [
        Library {
            header: "absl/synchronization/mutex.h",
            is_cxx: true,
            debian_package: "libabsl-dev",
            link: Some("absl_synchronization"),
        },
        Library {
            header: "oneapi/tbb/mutex.h",
            is_cxx: true,
            debian_package: "libtbb-dev",
            link: Some("tbb"),
        },
        Library {
            header: "nsync.h",
            is_cxx: false,
            debian_package: "libnsync-dev",
            link: Some("nsync"),
        },
        Library {
            header: "ck_spinlock.h",
            is_cxx: false,
            debian_package: "libck-dev",
            // Its spin locks are wholly in its headers.
            link: None,
        },
    ];

    pub(super) fn build() {
        for file in C.iter().chain(&CXX).chain([&SHIM_HEADER]) {
            println!("cargo::rerun-if-changed={file}");
        }
        if !all_found() {
            return;
        }
        shim(true).files(CXX).compile("locktoll_cxx_peers");
        shim(false).files(C).compile("locktoll_c_peers");
        for library in LIBRARIES.iter().filter_map(|library| library.link) {
            println!("cargo::rustc-link-lib=dylib={library}");
        }
    }

    /// Always optimised: these are measured, and a debug build of ours is no reason for a slow
    /// build of theirs.
    fn shim(is_cxx: bool) -> cc::Build {
        let mut build = cc::Build::new();
        build
            .cpp(is_cxx)
            .std(if is_cxx { "c++17" } else { "gnu11" })
            .opt_level(2)
            .define("NDEBUG", None)
            .warnings(true);
        build
    }

    /// Whether the compiler finds every library. If not, says in one line what to install, before
    /// the compiler says it in a hundred; that line makes cargo fail when this program has ended.
    fn all_found() -> bool {
        let missing: Vec<&Library> = LIBRARIES.iter().filter(|library| !found(library)).collect();
        if missing.is_empty() {
            return true;
        }
        let headers: Vec<&str> = missing.iter().map(|library| library.header).collect();
        let packages: Vec<&str> = missing
            .iter()
            .map(|library| library.debian_package)
            .collect();
        println!(
            "cargo::error=the feature `cpp-peers` needs {}; on Debian: apt-get install g++ {}",
            headers.join(", "),
            packages.join(" ")
        );
        false
    }

    fn found(library: &Library) -> bool {
        let folder = std::env::var("OUT_DIR").expect("cargo sets it");
        let probe = Path::new(&folder).join(if library.is_cxx {
            "probe.cc"
        } else {
            "probe.c"
        });
        std::fs::write(&probe, format!("#include <{}>\n", library.header))
            .expect("OUT_DIR can be written");
        shim(library.is_cxx)
            .cargo_warnings(false)
            .file(&probe)
            .try_expand()
            .is_ok()
    }
}
