//! Windows' locks in the help of `bench`.

/// The comparison for a newcomer: the everyday locks of Windows and of Rust, the simplest spin lock, the fair locks, and a lock
/// that always enters the kernel.
pub const DEFAULT_LOCKS: &str =
    "critical-section,srwlock,std,parking_lot,ttas-backoff,ticket,mcs-park,mutex";

/// Examples, and the six parameters of TimeMutex.
pub const EXAMPLES: &str = "\
EXAMPLES
  locktoll bench                                    eight locks, uncontended and contended, a minute
  locktoll bench --quick                            the same in 10 s, with wider intervals
  locktoll bench --until 5% --budget 10min          more rounds, until intervals are that narrow
  locktoll bench --list                             all locks and workloads
  locktoll bench --lock critical-section,srwlock --threads 1     uncontended costs
  locktoll bench --lock all --workload list --threads 64 --duration 2s
  locktoll bench --lock critical-section --spin 0,100,4000 --hold 1us --threads 4
  locktoll bench --lock std,srwlock --workload read-mostly --read-ratio 0.5,0.99
  locktoll bench --lock srwlock --workload hash-table --stripes 1..1024x4 --threads 8
  locktoll bench --lock std,ticket --arrival 100000/s --threads 4 -o open-loop.json

THE SIX PARAMETERS OF TIMEMUTEX (J. M. Hart, 1998), with --workload timemutex --rounds 1000000
  Which     1 critical section     --lock critical-section     (user-first lock)
            2 two nested ones      --lock critical-section --nested
            3 mutex                --lock mutex                (kernel lock)
  Depth     acquisitions           --depth D                   (0: no lock)
  Delay     work while holding     --delay N                   (0..N pieces of 100 ns)
  Threads                          --threads N
  SleepPts  0, 1, 2, 3             --sleep-points none, holding, released, both
  Active    threads in their loop  --active K";
