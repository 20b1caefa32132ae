import { expect, it } from "vitest";
import { Refusal } from "../../engine/refusal.ts";
import { EXIT } from "./command.ts";
import { renderError, renderResult } from "./output.ts";
import { paint } from "./paint.ts";

const HOSTILE = "a\u001b[2Jb\u009bc\u202ed\u061ce\tf\n\u200b\u{e0041}\ufeff\u2028g";
const PIPE = { colour: false, width: undefined };
const CLEAN = "a[2Jbcde\tf\ng";

it("steers no terminal, and keeps our own colours", () => {
  const { bold } = paint(true);
  const result = { text: `${bold("x")} ${HOSTILE}`, json: { text: HOSTILE } };
  expect(renderResult(result, false, { colour: true, width: undefined })).toBe(
    `${bold("x")} ${CLEAN}\n`,
  );
  expect(renderResult({ ...result, text: HOSTILE }, false, PIPE)).toBe(`${CLEAN}\n`);
});

it("says in JSON what it does not show", () => {
  const out = renderResult({ text: "", json: { text: HOSTILE } }, true, PIPE);
  expect(out).toMatch(/^[\u0020-\u007e\n]+$/);
  expect(JSON.parse(out)).toEqual({ ok: true, text: HOSTILE });
});

it("an error is one line, or one object", () => {
  const error = new Refusal("missing", HOSTILE, "do it");
  expect(renderError(error, "p", false, false)).toEqual({
    code: EXIT.missing,
    text: "p: a[2Jbcde f g; do it\n",
  });
  expect(JSON.parse(renderError(error, "p", true, false).text)).toEqual({
    ok: false,
    error: { code: EXIT.missing, message: HOSTILE, fix: "do it" },
  });
  expect(renderError(error, "p", false, false, 12).text, "on a terminal").toMatch(/\n {2}\S/);
  expect(renderError(new TypeError("x"), "p", false, false).code).toBe(EXIT.internal);
});

it("is wrapped to the terminal, unless it is to be copied", () => {
  const result = { text: "one two three", json: {} };
  const terminal = { colour: false, width: 8 };
  expect(renderResult(result, false, terminal)).toBe("one two\n  three\n");
  expect(renderResult({ ...result, verbatim: true }, false, terminal)).toBe("one two three\n");
});

it("says nothing at all rather than an empty line", () => {
  expect(renderResult({ text: "", json: {} }, false, PIPE)).toBe("");
});
