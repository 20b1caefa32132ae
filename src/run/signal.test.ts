import { describe, expect, it } from "vitest";
import { runCapped } from "../../test/hostile/growth.ts";
import {
  ALL_TASKS_COMPLETE,
  excerptFailure,
  hasSignal,
  isBlocked,
  readNoChange,
  readNotMine,
  TASK_COMPLETE,
  tellUnstated,
} from "./signal.ts";

const S = ALL_TASKS_COMPLETE;

describe("hasSignal the signal", () => {
  it.each([
    S,
    `All done.\n\n${S}`,
    `${S}\n\nHave a nice day.`,
    `All done.\r\n${S}\r\n`,
    `**${S}**`,
    `__${S}__`,
    `*${S}*`,
    `***${S}***`,
    `\`${S}\``,
    `**\`${S}\`**`,
    `# ${S}`,
    `### **${S}**`,
    `${S}.`,
    `${S}!`,
    `**${S}.**`,
    `**${S}**.`,
    `  ${S}`,
    `   ${S}   `,
    `${S}\t`,
    "```\ncode\n```\n" + S,
    "~~~\ncode\n~~~\n" + S,
    "````\n```\n````\n" + S,
    "- ```\n  code\n  ```\n\n" + S,
    "1. ```\n   never closed\n\n" + S,
    `<pre>code</pre>\n${S}`,
    `- one\n- two\n\n${S}`,
  ])("%j", (message) => {
    expect(hasSignal(message, S)).toBe(true);
  });
});

describe("merely mentions the signal", () => {
  it.each([
    "",
    `- \`\`\`\n  ${S}\n  \`\`\``,
    `2) ~~~ text\n   x\n   ${S}\n   ~~~`,
    `\`\`\`\n    \`\`\`\n${S}\n\`\`\``,
    `<pre>\n${S}\n</pre>`,
    `<PRE class="x">\n\n${S}`,
    "all_tasks_complete",
    `I will say ${S} when all is done.`,
    `${S} is not yet true`,
    `${S} ${S}`,
    `Not ${S}`,
    `${S}?`,
    `${S}:`,
    `X${S}`,
    `${S}D`,
    `> ${S}`,
    `- ${S}`,
    `1. ${S}`,
    `| ${S} |`,
    `"${S}"`,
    `<!-- ${S} -->`,
    `    ${S}`,
    `\t${S}`,
    `\`\`\`\n${S}\n\`\`\``,
    `\`\`\`text\n${S}`,
    `~~~\n${S}\n~~~`,
    `\`\`\`\n~~~\n${S}\n\`\`\``,
    `\`\`\`\`\n\`\`\`\n${S}\n\`\`\`\``,
    `  \`\`\`\n  ${S}\n  \`\`\``,
    `#${S}`,
    `####### ${S}`,
    "ALL_TASKS_\nCOMPLETE",
  ])("%j", (message) => {
    expect(hasSignal(message, S)).toBe(false);
  });
});

it("does not take one signal for the other", () => {
  expect(hasSignal(S, TASK_COMPLETE)).toBe(false);
  expect(hasSignal(TASK_COMPLETE, S)).toBe(false);
  expect(hasSignal(`${TASK_COMPLETE}\n${S}`, S)).toBe(true);
});

it("takes time in proportion to the message's length only", () => {
  // It takes milliseconds; what grows with the square of the length would take hours.
  runCapped(() => {
    for (const noise of ["*", "_", "`", "#", " ", "!", "\n"]) hasSignal(noise.repeat(1 << 20), S);
  }, 60_000);
});

it.each([
  ["short", "short"],
  ["a long text without a signal", "a long text without…"],
  ["all of it\nVERIFICATION_FAIL\n", "…VERIFICATION_FAIL"],
  ["all\nVERIFICATION_FAIL\nx", "…VERIFICATION_FAIL x"],
  ["all\n\n**VERIFICATION_FAIL**\n- one is wrong", "VERIFICATION_FAIL**…"],
])("shows of %j what failed", (report, shown) => {
  expect(excerptFailure(report, 20)).toBe(shown);
});

describe("a word for success that is not stated", () => {
  it.each(["workingTASK_COMPLETE", "I say TASK_COMPLETE.", "```\nTASK_COMPLETE\n```"])(
    "is told: %j",
    (report) => expect(tellUnstated(report)).toContain("TASK_COMPLETE on a line of its own"),
  );

  it.each([
    "Not done.",
    "TASK_COMPLETE",
    "No TASK_COMPLETE.\nTASK_BLOCKED",
    "VERIFICATION_FAIL: 1",
  ])("is not what is wrong: %j", (report) => expect(tellUnstated(report)).toBeUndefined());
});

describe("NO_CHANGE", () => {
  it.each([
    "NO_CHANGE: 1.1 did it",
    "Nothing to do.\nNO_CHANGE: 1.1 did it\nTASK_COMPLETE",
    "**NO_CHANGE**: 1.1 did it",
    "**NO_CHANGE:** 1.1 did it",
    "- NO_CHANGE: 1.1 did it",
    "`NO_CHANGE: 1.1 did it`",
    "### NO_CHANGE: 1.1 did it\r",
    "NO_CHANGE: first\nNO_CHANGE: 1.1 did it",
  ])("says why: %j", (report) => {
    expect(readNoChange(report)).toBe("1.1 did it");
  });

  it.each([
    "NO_CHANGE",
    "NO_CHANGE:",
    "NO_CHANGE: **",
    "I would say NO_CHANGE: if nothing had changed",
    "```\nNO_CHANGE: quoted\n```",
    "> NO_CHANGE: quoted",
    "no_change: why",
  ])("does not say why: %j", (report) => {
    expect(readNoChange(report)).toBeUndefined();
  });

  it("fits on one line, and takes no time", () => {
    expect(readNoChange(`NO_CHANGE: ${"x".repeat(1000)}`)).toHaveLength(300);
    runCapped(() => readNoChange(`${"NO_CHANGE:".repeat(20_000)}${" *`".repeat(100_000)}x`));
  });
});

it("reads what is not mine as it was written", () => {
  expect(readNotMine("NOT_MINE: a.txt, `b c.txt`\n**NOT_MINE:** _x.yml")).toEqual([
    "a.txt, `b c.txt",
    "_x.yml",
  ]);
});

it("is blocked, with the reason beside the word or on another line", () => {
  expect(isBlocked("No key.\nTASK_BLOCKED")).toBe(true);
  expect(isBlocked("TASK_BLOCKED: the database is down")).toBe(true);
  expect(isBlocked("I was not TASK_BLOCKED: all is well")).toBe(false);
});
