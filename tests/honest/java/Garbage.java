/** Allocates two gigabytes and drops them at once. */
class Garbage {
    static byte[] last;

    public static void main(String[] arguments) throws Exception {
        for (int number = 0; number < 20000; number++)
            last = new byte[100_000];
        Moves.answer();
    }
}
