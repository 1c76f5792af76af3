import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What Java's locks cost: prints one sample a line, times in nanoseconds.
 *
 * <pre>
 * version 17.0.15
 * threads NAME NAME    both threads, "PID/task/TID"; waits for a line, so that they can be put on CPUs
 * park NS SWITCHES     one hand-over by park and unpark; context switches of both threads in it
 * loop NS              the loop alone
 * synchronized NS      the loop with a synchronized block
 * reentrant-lock NS    the loop with lock and unlock
 * done
 * </pre>
 */
public final class Ping {
    private static final int ROUND_TRIPS = 1_000;
    private static final int TURNS = 100_000;
    private static final int BATCHES = 25;
    /** Calls of each loop before the first sample: past the thresholds of all compilers. */
    private static final int WARM_UP = 60;
    private static final long PARK_NS = 1_200_000_000L;
    private static final long LOOPS_NS = 800_000_000L;

    /** Whose turn it is; negative: nobody's any more. */
    private static volatile int turn;

    private static final class Cell {
        final ReentrantLock lock = new ReentrantLock();
        long value;
    }

    /**
     * Two, taken in turn: the compiler may merge neighbouring synchronized blocks on one object, and an unrolled loop would
     * then hold the lock for several turns.
     */
    private static final Cell[] CELLS = {new Cell(), new Cell()};

    public static void main(String[] arguments) throws Exception {
        System.out.println("version " + System.getProperty("java.version").replace(' ', '-'));
        Thread first = Thread.currentThread();
        Thread second = new Thread(() -> answer(first));
        second.setDaemon(true);
        second.start();
        // The second thread is alive, and asleep, while the loops run.
        loops();
        while (!named) {
            Thread.onSpinWait();
        }
        System.out.println("threads " + thisThread() + " " + secondThread);
        System.in.read();
        parks(second);
        turn = -1;
        LockSupport.unpark(second);
        System.out.println("done");
    }

    private static void parks(Thread second) throws Exception {
        handOvers(second, ROUND_TRIPS);
        long end = System.nanoTime() + PARK_NS;
        for (int batch = 0; batch < BATCHES && System.nanoTime() < end; batch++) {
            long switches = switches();
            long start = System.nanoTime();
            handOvers(second, ROUND_TRIPS);
            double ns = System.nanoTime() - start;
            switches = switches() - switches;
            System.out.println("park " + ns / (2 * ROUND_TRIPS) + " " + (double) switches / (2 * ROUND_TRIPS));
        }
    }

    private static void handOvers(Thread second, int roundTrips) {
        for (int round = 0; round < roundTrips; round++) {
            turn = 1;
            LockSupport.unpark(second);
            while (turn != 0) {
                LockSupport.park();
            }
        }
    }

    private static volatile String secondThread;
    private static volatile boolean named;

    private static void answer(Thread first) {
        secondThread = thisThread();
        named = true;
        while (true) {
            while (turn == 0) {
                LockSupport.park();
            }
            if (turn < 0) {
                return;
            }
            turn = 0;
            LockSupport.unpark(first);
        }
    }

    /** The kernel's name of the calling thread, "PID/task/TID", or null where /proc does not say. */
    private static String thisThread() {
        try {
            return Files.readSymbolicLink(Path.of("/proc/thread-self")).toString();
        } catch (Exception unreadable) {
            return null;
        }
    }

    /** Context switches of both threads so far. */
    private static long switches() throws Exception {
        return switches(thisThread()) + switches(secondThread);
    }

    private static long switches(String thread) throws Exception {
        long sum = 0;
        for (String line : Files.readAllLines(Path.of("/proc/" + thread + "/status"))) {
            if (line.contains("ctxt_switches:")) {
                sum += Long.parseLong(line.substring(line.indexOf(':') + 1).trim());
            }
        }
        return sum;
    }

    private static void loops() {
        for (int call = 0; call < WARM_UP; call++) {
            bare(TURNS / 10);
            inSynchronized(TURNS / 10);
            inReentrantLock(TURNS / 10);
        }
        long turns = 3L * WARM_UP * (TURNS / 10);
        long end = System.nanoTime() + LOOPS_NS;
        for (int batch = 0; batch < BATCHES && System.nanoTime() < end; batch++) {
            long start = System.nanoTime();
            bare(TURNS);
            long afterBare = System.nanoTime();
            inSynchronized(TURNS);
            long afterSynchronized = System.nanoTime();
            inReentrantLock(TURNS);
            long afterLock = System.nanoTime();
            turns += 3L * TURNS;
            System.out.println("loop " + (double) (afterBare - start) / TURNS);
            System.out.println("synchronized " + (double) (afterSynchronized - afterBare) / TURNS);
            System.out.println("reentrant-lock " + (double) (afterLock - afterSynchronized) / TURNS);
        }
        // The results are needed, so no loop can be left out.
        if (CELLS[0].value + CELLS[1].value != turns) {
            throw new IllegalStateException("counted " + (CELLS[0].value + CELLS[1].value) + " of " + turns);
        }
    }

    private static void bare(int turns) {
        for (int i = 0; i < turns; i++) {
            CELLS[i & 1].value++;
        }
    }

    private static void inSynchronized(int turns) {
        for (int i = 0; i < turns; i++) {
            Cell cell = CELLS[i & 1];
            synchronized (cell) {
                cell.value++;
            }
        }
    }

    private static void inReentrantLock(int turns) {
        for (int i = 0; i < turns; i++) {
            Cell cell = CELLS[i & 1];
            cell.lock.lock();
            try {
                cell.value++;
            } finally {
                cell.lock.unlock();
            }
        }
    }
}
