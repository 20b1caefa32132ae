import { expect, it } from "vitest";
import { isDoubtful } from "./foreign.ts";

it.each([
  'prompt = "/ralph-specum:implement demo"',
  'description = "x"\r\nprompt = "/ralph-specum:implement demo"\r\n',
  "'prompt' = '''\n\n  /ralph-specum:implement demo'''",
  'prompt = "{{args}}/ralph-{{args}}specum:implement demo"',
  'prompt = "\\u002fralph-specum:implement demo"',
  'prompt = """\\\n  /ralph-specum:implement"""',
  'prompt = "@{line.txt}"',
  'prompt = "!{cat line.txt}"',
  'prompt = "<hook_context>x</hook_context>/ralph-specum:implement"',
  'description = """\nprompt = "Review"\n"""\n"pr\\u006fmpt" = "/ralph-specum:implement"',
  'description = """\nprompt = "Review"\n"""\nprompt = "/ralph-specum:implement"',
  "no prompt at all",
])("%j may come out as a command", (toml) => {
  expect(isDoubtful(toml)).toBe(true);
});

it.each([
  'prompt = "Review this."',
  'description = "/x"\nprompt = """\nReview:\n\n/ralph-specum:implement\n!{git diff} @{a.md} \\n"""',
  'prompt = "{{args}}"',
  "prompt = '{{args}} in brief'",
])("%j may not", (toml) => {
  expect(isDoubtful(toml)).toBe(false);
});
