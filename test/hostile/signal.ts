import * as fc from "fast-check";
import { ALL_TASKS_COMPLETE, hasSignal } from "../../src/run/signal.ts";
import { ensure } from "./invariants.ts";
import { type Target, target } from "./target.ts";

const S = ALL_TASKS_COMPLETE;

/** Ways to have the signal in a message without saying it. */
const forged = fc.constantFrom(
  `I will say ${S} when all is done.`,
  `> ${S}`,
  `> > **${S}**`,
  `| ${S} |`,
  `|---|\n| ${S} | x |`,
  `- [ ] ${S}`,
  `    ${S}`,
  `\t${S}`,
  `\`\`\`\n${S}\n\`\`\``,
  `~~~text\n\n${S}\n~~~`,
  `\`\`\`\`\n\`\`\`\n${S}\n\`\`\`\``,
  `\`\`\`\n    \`\`\`\n${S}\n\`\`\``,
  `- \`\`\`\n  ${S}\n  \`\`\``,
  `1. \`\`\`sh\n   ${S}\n   \`\`\``,
  `- a\n- ~~~\n  x\n  ${S}\n  ~~~\n- b`,
  `<!-- ${S} -->`,
  `<!--\n${S}\n-->`,
  `<pre>\n${S}\n</pre>`,
  `<PRE class="x">\n\n${S}\n\n</PRE>`,
  `${S.slice(0, 4)}\u200b${S.slice(4)}`,
  `${S.slice(0, 4)}\u00ad${S.slice(4)}`,
  S.replace("A", "\u0410"),
  S.replace("O", "\u039f"),
  S.toLowerCase(),
  `${S}?`,
  `not ${S}`,
  `${S} is what I would say`,
  `"${S}"`,
  `{"signal": "${S}"}`,
  `{{${S}}}`,
  `$${S}`,
  `${S}_NOT`,
  `NOT_${S}`,
  `${S}${S}`,
);
const harmless = fc.constantFrom(
  "",
  "All done.",
  "# Result",
  "- one\n- two",
  "```js\nx\n```",
  "<b>x</b>",
  "**bold**",
  "a | b",
);
const stated = fc.constantFrom(
  S,
  `**${S}**`,
  `# ${S}`,
  `### **${S}**`,
  `✅ ${S}.`,
  `${S}!`,
  `  ${S}  `,
  `\`${S}\``,
);

const messages = fc.record({
  before: fc.array(harmless, { maxLength: 3 }),
  forged: fc.array(forged, { maxLength: 3 }),
  stated: fc.option(stated, { freq: 2 }),
  after: fc.array(harmless, { maxLength: 2 }),
  end: fc.constantFrom("\n", "\r\n"),
});

/** A message that says it, and one that only looks so: built apart, so that it is known which is which. */
export const signalTarget: Target = target("signal", 60, messages, (one) => {
  const parts = [...one.before, ...one.forged, one.stated ?? "", ...one.after];
  const message = parts.join("\n\n").replaceAll("\n", one.end);
  const expected = one.stated !== null;
  ensure(
    hasSignal(message, S) === expected,
    expected ? "not heard" : "heard, but never said",
    message,
  );
});
