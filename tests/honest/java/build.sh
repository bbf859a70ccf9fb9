javac Moves.java Homework.java Threads.java Heap.java Garbage.java TempFile.java Mapped.java
