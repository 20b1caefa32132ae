/** All but tabs, line feeds and what a keyboard has. Most text has none of it. */
const ODD = /[^\t\n -~]/;

/**
 * Replaces what must not reach a screen or a model through text that others wrote: terminal escapes, marks that turn the
 * direction of text around, and everything invisible (zero-width characters, tags, variation selectors), which can hide
 * an order in a harmless line. Line and paragraph separators would begin a line that nobody meant. Tabs and line feeds
 * may stay.
 */
export const replaceUnsafe = (text: string, by: (character: string) => string): string =>
  // Not a constant: compiling a class of Unicode characters is 2% of a stop, and most never need it.
  ODD.test(text)
    ? text.replace(
        // eslint-disable-next-line no-control-regex -- control characters are exactly what we look for
        /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufff9-\ufffb\p{Default_Ignorable_Code_Point}]/gu,
        by,
      )
    : text;

/** What clients put around their own words: in anyone else's text it would end them, or begin others. */
const FRAME = /<(?=\/?(?:system-reminder|task-notification|command-name|command-message)\b)/gi;

/** Text from a spec or an agent is data: nothing in it may control a terminal, hide, or speak for the client. */
export const clean = (text: string): string => replaceUnsafe(text, () => "").replace(FRAME, "‹");
