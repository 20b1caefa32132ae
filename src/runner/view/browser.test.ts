import { runInNewContext } from "node:vm";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { makeRunLog } from "../../../test/support/run-log.ts";
import { reduceAll } from "./reduce.ts";

const { events } = makeRunLog();

it("the reducer and its model work in a browser: no node: module, no global of node", async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: `export * from "./reduce.ts"; export * from "./model.ts"; export * from "./sums.ts";
        export * from "./endings.ts"; export * from "../events.ts"; export * from "../run-status.ts";`,
      resolveDir: import.meta.dirname,
      loader: "ts",
    },
    bundle: true,
    write: false,
    logLevel: "silent",
    platform: "browser",
    format: "iife",
    globalName: "view",
  });
  // As in a page: texts go in and out.
  const script = `${outputFiles[0]?.text}
    const all = JSON.parse(log);
    JSON.stringify([all.every(view.isRunEvent), view.reduceAll(all)])`;
  const shown = JSON.parse(
    runInNewContext(script, { log: JSON.stringify(events) }) as string,
  ) as unknown;
  expect(shown).toEqual([true, JSON.parse(JSON.stringify(reduceAll(events)))]);
});

it("the model is plain JSON: another process can go on with it", () => {
  for (let at = 0; at <= events.length; at += 7) {
    const model = reduceAll(events.slice(0, at));
    const copy = JSON.parse(JSON.stringify(model)) as typeof model;
    expect(reduceAll(events.slice(at), copy), `after ${at}`).toEqual(reduceAll(events));
  }
});
