import java.util.ArrayList;
import java.util.List;

/** Keeps a heap of 1.5 GB in use. */
class Heap {
    public static void main(String[] arguments) throws Exception {
        List<byte[]> table = new ArrayList<>();
        for (int part = 0; part < 96; part++)
            table.add(new byte[16 << 20]);
        Moves.answer();
        if (table.stream().mapToLong(part -> part.length).sum() != 1536L << 20)
            throw new IllegalStateException();
    }
}
