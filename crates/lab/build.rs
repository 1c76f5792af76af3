//! Compiles the C and C++ peers that the features ask for: `cpp-peers` includes all of them.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    #[cfg(any(
        feature = "peer-absl",
        feature = "peer-tbb",
        feature = "peer-nsync",
        feature = "peer-ck"
    ))]
    peers::build();
}

#[cfg(any(
    feature = "peer-absl",
    feature = "peer-tbb",
    feature = "peer-nsync",
    feature = "peer-ck"
))]
mod peers {
    use std::path::Path;

    const HEADERS: [&str; 2] = ["cpp/peers.h", "cpp/place.h"];
    /// Nodes of queue locks, for whichever library has some.
    const NODES: &str = "cpp/nodes.cc";

    /// A library whose locks are measured.
    struct Library {
        name: &'static str,
        wanted: bool,
        header: &'static str,
        source: &'static str,
        is_cxx: bool,
        debian_package: &'static str,
        /// The dynamic library, which brings what it needs itself.
        link: Option<&'static str>,
    }

    const LIBRARIES: [Library; 4] = [
        Library {
            name: "absl",
            wanted: cfg!(feature = "peer-absl"),
            header: "absl/synchronization/mutex.h",
            source: "cpp/absl.cc",
            is_cxx: true,
            debian_package: "libabsl-dev",
            link: Some("absl_synchronization"),
        },
        Library {
            name: "tbb",
            wanted: cfg!(feature = "peer-tbb"),
            header: "oneapi/tbb/mutex.h",
            source: "cpp/tbb.cc",
            is_cxx: true,
            debian_package: "libtbb-dev",
            link: Some("tbb"),
        },
        Library {
            name: "nsync",
            wanted: cfg!(feature = "peer-nsync"),
            header: "nsync.h",
            source: "cpp/nsync.c",
            is_cxx: false,
            debian_package: "libnsync-dev",
            link: Some("nsync"),
        },
        Library {
            name: "ck",
            wanted: cfg!(feature = "peer-ck"),
            header: "ck_spinlock.h",
            source: "cpp/ck.c",
            is_cxx: false,
            debian_package: "libck-dev",
            // Its spin locks are wholly in its headers.
            link: None,
        },
    ];

    pub(super) fn build() {
        let sources = LIBRARIES.iter().map(|library| library.source);
        for file in sources.chain(HEADERS).chain([NODES]) {
            println!("cargo::rerun-if-changed={file}");
        }
        let wanted = || LIBRARIES.iter().filter(|library| library.wanted);
        if !all_found(wanted()) {
            return;
        }
        // Before the nodes that they use: a linker looks from left to right.
        for library in wanted() {
            let archive = format!("locktoll_peer_{}", library.name);
            shim(library.is_cxx).file(library.source).compile(&archive);
        }
        shim(true).file(NODES).compile("locktoll_peer_nodes");
        for library in wanted().filter_map(|library| library.link) {
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
    fn all_found<'a>(wanted: impl Iterator<Item = &'a Library>) -> bool {
        let missing: Vec<&Library> = wanted.filter(|library| !found(library)).collect();
        if missing.is_empty() {
            return true;
        }
        let headers: Vec<&str> = missing.iter().map(|library| library.header).collect();
        let packages: Vec<&str> = missing
            .iter()
            .map(|library| library.debian_package)
            .collect();
        println!(
            "cargo::error=the features of C and C++ peers need {}; on Debian: apt-get install g++ {}",
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
