import * as fc from "fast-check";

/** Ids that `documents` puts after its boxes; none of its other text looks like one. */
export const DOCUMENT_ID = /\[[ xX]\]\s+(?:1\.2|T012|V4|2\.1|1\.3\.1)(?:\s|$)/;

const SPACE = ["", "", "", " ", "  ", "  ", "   ", "    ", "     ", "      ", "\t", " \t", "\t\t"];
const BULLET = [
  "- ",
  "- ",
  "- ",
  "* ",
  "+ ",
  "1. ",
  "2) ",
  "10. ",
  "-\t",
  "-    ",
  "-     ",
  "1.\t",
];
const TEXT: readonly (readonly [weight: number, ...texts: string[]])[] = [
  [5, "[ ] 1.2 [P] with id", "[x] T012 done", "[X] V4 [VERIFY] check", "[ ] 2.1", "[ ] 1.3.1 x 🎉"],
  [4, "[ ] step", "[x] step done", "[ ]\tstep", "[ ] 3 retries", "[x] ünïcode ✓"],
  [2, "", "[ ]", "[x]", "[]", "[ ]x", "[y] no", "[link](url)", "\\[ ] no", "[-] no"],
  [4, "text", "**Do**: x", "3 words here", "1.5 seconds", "_Requirements: 1_", "`code`", "é 🎉"],
  [3, "```", "```", "````", "~~~", "~~~ sh", "```js", "``` a`b", "``"],
  [2, "<!-- a -->", "<!--", "<!-- a", "-->", "b --> c", "<!-->"],
  [2, "<pre>", "</pre>", "<PRE>", "<pre>x</pre>", "<script>", "</script>", "<style x>"],
  [2, "<div>", "</div>", "<details open>", "</details>", "<hr/>", "<p", "<b>", "<a href='x'>"],
  [1, "<b>x", "<Foo", "<https://x.y>", "<?php", "?>", "<!DOCTYPE html>", "<!D", "<![CDATA[", "]]>"],
  [2, "> note", ">", ">> x", "> - [ ] 2.1 quoted"],
  [2, "# Heading", "## Phase 1 ##", "#not", "####### seven"],
  [2, "---", "***", "- - -", "___", "===", "-", "--", "* * *", "="],
  [1, "cat <<EOF", "`$(cat <<'EOF'", "EOF", "EOF", ')"`', "[]1.2 x", "[ x ] T012 x", "[✓]V4 x"],
  [1, "[foo]: /url", "| a | b |", "\\- [ ] 1.2 escaped", "\u00A0", "\u00A0- [ ] no", "\u200B"],
];

const bullets = fc.oneof(
  { weight: 2, arbitrary: fc.constant("") },
  { weight: 4, arbitrary: fc.constantFrom(...BULLET) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...BULLET), fc.constantFrom(...BULLET))
      .map((two) => two.join("")),
  },
);
const texts = fc.oneof(
  ...TEXT.map(([weight, ...some]) => ({ weight, arbitrary: fc.constantFrom(...some) })),
);
const line = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.tuple(fc.constantFrom(...SPACE), bullets, texts).map((parts) => parts.join("")),
  },
  { weight: 1, arbitrary: fc.constantFrom("", "", "  ", "\t") },
);

/** Lines of all kinds in any order: most make little sense, and all of them are Markdown. */
export const documents = fc
  .tuple(
    fc.constantFrom("", "\uFEFF"),
    fc.array(line, { maxLength: 24 }),
    fc.constantFrom("\n", "\r\n"),
    fc.boolean(),
  )
  .map(([mark, lines, end, isClosed]) => mark + lines.join(end) + (isClosed ? end : ""));
