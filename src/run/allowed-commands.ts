/** Characters that could chain another command, which the user has not allowed. */
const FURTHER = /[;&|<>$`()\n\r]/;

/** Whether a command starts with one of the prefixes in `verify_allow`; without such a list, any command may run. */
export const isAllowed = (command: string, allowed: readonly string[] | undefined): boolean =>
  allowed === undefined ||
  allowed.some((start) => {
    const own = start.trim();
    if (own === "" || command === own) return own !== "";
    return command.startsWith(`${own} `) && !FURTHER.test(command.slice(own.length));
  });

/** The prefixes that both lists allow: if two prefixes match the same command, one starts with the other. */
export function permittedByBoth(
  one: readonly string[] | undefined,
  other: readonly string[] | undefined,
): readonly string[] | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const fits = (list: readonly string[]) => (start: string) => isAllowed(start.trim(), list);
  return [...new Set([...one.filter(fits(other)), ...other.filter(fits(one))])];
}
