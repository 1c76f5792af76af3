/** Threads contend for a monitor that is held for some microseconds; one more thread waits for a volatile field. */
final class Monitors {
    private static final Object MONITOR = new Object();
    private static long sum;
    private static volatile boolean ready;

    public static void main(String[] arguments) throws InterruptedException {
        long end = System.nanoTime() + Long.parseLong(arguments[0]) * 1_000_000_000L;
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                while (System.nanoTime() < end) {
                    synchronized (MONITOR) {
                        for (int k = 0; k < 500; k++) {
                            sum += k;
                        }
                    }
                }
                ready = true;
            });
            threads[i].start();
        }
        Thread waiting = new Thread(Monitors::waitForReady);
        waiting.start();
        for (Thread thread : threads) {
            thread.join();
        }
        waiting.join();
    }

    private static void waitForReady() {
        while (!ready) {
            Thread.onSpinWait();
        }
    }
}
