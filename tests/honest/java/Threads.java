import java.util.concurrent.CountDownLatch;

/** Runs two hundred threads at the same time. */
class Threads {
    public static void main(String[] arguments) throws Exception {
        CountDownLatch all = new CountDownLatch(200);
        for (int number = 0; number < 200; number++)
            new Thread(() -> {
                all.countDown();
                try {
                    all.await();
                } catch (InterruptedException ended) {
                    Thread.currentThread().interrupt();
                }
            }).start();
        all.await();
        Moves.answer();
    }
}
