//! Linux's locks in the help of `bench`.

/// The comparison for a newcomer: the everyday mutexes, the simplest spin lock, the fair locks, and a lock that always enters the
/// kernel.
pub const DEFAULT_LOCKS: &str =
    "pthread,std,parking_lot,ttas-backoff,ticket,mcs-park,futex3,sysv-sem";

/// Examples, and the six parameters of TimeMutex.
pub const EXAMPLES: &str = "\
EXAMPLES
  locktoll bench                                    eight locks, uncontended and contended, a minute
  locktoll bench --quick                            the same in 10 s, with wider intervals
  locktoll bench --until 5% --budget 10min          more rounds, until intervals are that narrow
  locktoll bench --list                             all locks and workloads
  locktoll bench --lock pthread,std --threads 1     uncontended costs
  locktoll bench --lock all --workload list --threads 64 --duration 2s
  locktoll bench --lock futex3 --spin 0,100,1000 --hold 1us --threads 4
  locktoll bench --lock pthread,pthread-rwlock --workload read-mostly --read-ratio 0.5,0.99
  locktoll bench --lock pthread --workload hash-table --stripes 1..1024x4 --threads 8
  locktoll bench --lock std,ticket --arrival 100000/s --threads 4 --json > open-loop.json

THE SIX PARAMETERS OF TIMEMUTEX (J. M. Hart, 1998), with --workload timemutex --rounds 1000000
  Which     1 critical section     --lock pthread-recursive    (user-first lock)
            2 two nested ones      --lock pthread-recursive --nested
            3 mutex                --lock sysv-sem             (kernel lock)
  Depth     acquisitions           --depth D                   (0: no lock)
  Delay     work while holding     --delay N                   (0..N pieces of 100 ns)
  Threads                          --threads N
  SleepPts  0, 1, 2, 3             --sleep-points none, holding, released, both
  Active    threads in their loop  --active K";
