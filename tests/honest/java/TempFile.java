import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Writes to a temporary file, and keeps a copy of the answer there. */
class TempFile {
    public static void main(String[] arguments) throws Exception {
        Moves.answer();
        Path draft = Files.createTempFile("turn", ".txt");
        Files.copy(Path.of("output.txt"), draft, StandardCopyOption.REPLACE_EXISTING);
        Files.writeString(Path.of("output.txt"), Files.readString(draft));
        Files.delete(draft);
    }
}
