/** What stands before the user's words in each of our command files, by which we find them. */
export const BEFORE_ARGUMENTS = "\nTyped after the command: ";
