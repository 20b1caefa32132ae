/**
 * What must not reach a screen or a model by way of text that others wrote: terminal escapes, marks that turn the
 * direction of text around, and everything that is not seen (zero-width characters, tags, variation selectors), which
 * can hide an order in a harmless line. Line and paragraph separators would begin a line that nobody meant. Tabs and
 * line feeds may stay.
 */
export const UNSAFE =
  // eslint-disable-next-line no-control-regex -- control characters are just what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufff9-\ufffb\p{Default_Ignorable_Code_Point}]/gu;

/** Text from a spec or an agent is data: nothing in it may steer a terminal, or hide. */
export const clean = (text: string): string => (ODD.test(text) ? text.replace(UNSAFE, "") : text);

/** Looking up a class of Unicode characters takes time that most stops can spare: most text has none. */
const ODD = /[^\t\n -~]/;
