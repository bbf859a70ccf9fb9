import java.util.ArrayList;
import java.util.List;

/** A heap of 1.5 GB, all of it in use. */
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
