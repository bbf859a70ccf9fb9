package loa;

import org.junit.Test;

public class BoardTest { Board b; }
