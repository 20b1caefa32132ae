/** What people have on their own PATH; the names of the plugins are for agents. */
export const SHELL_PROGRAM = "smart-ralph";

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `the only task`, `all 2 tasks`, as a subject, with the verb that follows it. */
export const allOf = (
  count: number,
  noun: string,
): { readonly all: string; readonly are: string } =>
  count === 1
    ? { all: `the only ${noun}`, are: "is" }
    : { all: `all ${counted(count, noun)}`, are: "are" };

/** `1 task`, `2 tasks`. */
export const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? "" : "s"}`;

/** The first three, and how many more there are. */
export const few = (names: readonly string[]): string =>
  names.length > 3
    ? `${names.slice(0, 3).join(", ")} and ${names.length - 3} more`
    : names.join(", ");
