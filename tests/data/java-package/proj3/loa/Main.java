package loa;

import ucb.util.Greeting;

/** Starts the game. */
public class Main {
    public static void main(String... args) throws Exception {
        System.err.println(Greeting.of("hello"));
        Board.play();
    }
}
