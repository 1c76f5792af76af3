// Threads that wait for a monitor and for a lock of java.util.concurrent until standard input ends.
import java.util.concurrent.locks.ReentrantLock;

class AttachJava {
    static final Object ledger = new Object();
    static final ReentrantLock archive = new ReentrantLock();
    static long entries;

    static void bookEntry() throws InterruptedException {
        synchronized (ledger) {
            Thread.sleep(1);
            entries++;
        }
    }

    static void archiveEntry() throws InterruptedException {
        archive.lock();
        try {
            Thread.sleep(1);
            entries++;
        } finally {
            archive.unlock();
        }
    }

    interface Work {
        void run() throws InterruptedException;
    }

    static void repeat(String name, Work work) {
        Thread thread = new Thread(() -> {
            try {
                while (true) {
                    work.run();
                }
            } catch (InterruptedException end) {
                return;
            }
        }, name);
        thread.setDaemon(true);
        thread.start();
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 3; i++) {
            repeat("booker-" + i, AttachJava::bookEntry);
            repeat("archivist-" + i, AttachJava::archiveEntry);
        }
        System.out.println("ready");
        while (System.in.read() >= 0) {
        }
    }
}
