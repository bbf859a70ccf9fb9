package loa;

class Board {
    static void play() throws Exception {
        new ProcessBuilder("./engine").inheritIO().start().waitFor();
    }
}
