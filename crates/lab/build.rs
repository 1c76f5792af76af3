//! Compiles the C++ peers when the feature `cpp-peers` asks for them.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    #[cfg(feature = "cpp-peers")]
    peers::build();
}

#[cfg(feature = "cpp-peers")]
mod peers {
    const HEADERS: [&str; 1] = ["cpp/peers.h"];
    const C: [&str; 1] = ["cpp/c_peers.c"];
    const CXX: [&str; 2] = ["cpp/cxx_peers.cc", "cpp/nodes.cc"];
    /// Dynamic libraries; each brings what it needs itself. Concurrency Kit's spin locks are
    /// wholly in its headers.
    const LIBRARIES: [&str; 3] = ["absl_synchronization", "tbb", "nsync"];

    pub(super) fn build() {
        for file in HEADERS.iter().chain(&C).chain(&CXX) {
            println!("cargo::rerun-if-changed={file}");
        }
        compile(
            cc::Build::new().files(CXX).cpp(true).std("c++17"),
            "locktoll_cxx_peers",
        );
        compile(cc::Build::new().files(C).std("gnu11"), "locktoll_c_peers");
        for library in LIBRARIES {
            println!("cargo::rustc-link-lib=dylib={library}");
        }
    }

    /// Ends the build with an explanation when it fails.
    fn compile(build: &mut cc::Build, name: &str) {
        // Always optimised: these are measured, and a debug build of ours is no reason for a slow
        // build of theirs.
        build.opt_level(2).define("NDEBUG", None).warnings(true);
        if let Err(error) = build.try_compile(name) {
            // Several lines are several errors to cargo.
            println!(
                "cargo::error=the feature `cpp-peers` needs the headers and libraries of absl, oneTBB, nsync and Concurrency Kit"
            );
            println!(
                "cargo::error=on Debian: apt-get install g++ libabsl-dev libtbb-dev libnsync-dev libck-dev"
            );
            println!("cargo::error=the compiler said: {error}");
            std::process::exit(1);
        }
    }
}
