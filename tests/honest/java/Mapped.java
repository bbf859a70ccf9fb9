import java.io.RandomAccessFile;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;

/** A table in a mapped file under a lock, and a process that it starts. */
class Mapped {
    public static void main(String[] arguments) throws Exception {
        try (RandomAccessFile file = new RandomAccessFile("table.bin", "rw"); FileChannel channel = file.getChannel()) {
            channel.lock();
            MappedByteBuffer table = channel.map(FileChannel.MapMode.READ_WRITE, 0, 1 << 20);
            for (int i = 0; i < table.capacity(); i++)
                table.put(i, (byte) i);
            table.force();
        }
        Process process = new ProcessBuilder("wc", "-c", "table.bin").start();
        String count = new String(process.getInputStream().readAllBytes());
        if (process.waitFor() != 0 || !count.startsWith("1048576"))
            throw new IllegalStateException(count);
        Moves.answer();
    }
}
