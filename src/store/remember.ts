/** A stop reads twice, before it takes the lock and while holding it. Usually the text has not changed. */
export function remember<T>(parse: (text: string) => T): (text: string) => T {
  let last: { readonly text: string; readonly meaning: T } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, meaning: parse(text) };
    return last.meaning;
  };
}
