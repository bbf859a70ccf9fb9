package loa;

import ucb.junit.textui;

public class UnitTest {
    public static void main(String[] ignored) {
        textui.runClasses(BoardTest.class);
    }
}
