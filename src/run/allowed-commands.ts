/** What would let a command go on to another one, which the user has not allowed. */
const FURTHER = /[;&|<>$`()\n\r]/;

/** Whether one of the beginnings in `verify_allow` fits a command; without such a list, any command will do. */
export const isAllowed = (command: string, allowed: readonly string[] | undefined): boolean =>
  allowed === undefined ||
  allowed.some((start) => {
    const own = start.trim();
    if (own === "" || command === own) return own !== "";
    return command.startsWith(`${own} `) && !FURTHER.test(command.slice(own.length));
  });

/** The list that permits what two lists both permit: of two beginnings that fit a command, one begins with the other. */
export function permittedByBoth(
  one: readonly string[] | undefined,
  other: readonly string[] | undefined,
): readonly string[] | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const fits = (list: readonly string[]) => (start: string) => isAllowed(start.trim(), list);
  return [...new Set([...one.filter(fits(other)), ...other.filter(fits(one))])];
}
