class Homework {
    public static void main(String[] arguments) throws Exception {
        Moves.answer();
    }
}
