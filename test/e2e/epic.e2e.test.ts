import { expect, test } from "vitest";
import { isFull } from "../support/full.ts";
import { crew, DONE } from "./crew.ts";
import { specum } from "./place.ts";
import { stageClient, stageModel, stagePlace } from "./stage.ts";
import { bash } from "./wire.ts";

interface EpicStatus {
  readonly specs: readonly { readonly name: string; readonly status: string }[];
}

/** As the agent adds them, in an order in which they cannot be built; and as they are built. */
const ADDED = isFull
  ? ["pay --depends cart", "stock", "cart --depends stock"]
  : ["cart --depends stock", "stock"];
const BUILT = isFull ? ["stock", "cart", "pay"] : ["stock", "cart"];

test("the specs of an epic are built in the order of what they need", async () => {
  const place = stagePlace(specum);
  const statuses = (): string[] =>
    (JSON.parse(place.program("epic", "status", "--json")) as EpicStatus).specs.map(
      ({ name, status }) => `${name} ${status}`,
    );
  const { script } = crew(place, {
    instead(ask, role) {
      if (role.kind === "other" && !/review/i.test(ask.order)) {
        if (ask.result !== undefined) return "Cut.";
        const adds = ADDED.map(
          (spec) => `ralph-specum epic add ${spec} --goal "Know how to ${spec.split(" ")[0]}"`,
        );
        return { call: [bash(adds.join(" && "))] };
      }
      if (role.kind !== "lead") return undefined;
      if (ask.text.includes(":triage</command-name>")) {
        const [, type] = /sub-agent `(\S+)`/.exec(ask.text) ?? [];
        const input = { description: "Cut", prompt: "Cut the goal.", subagent_type: type };
        return { call: [{ name: "Agent", input }] };
      }
      if (ask.news.includes('Agent "Cut" finished'))
        return { call: [bash("ralph-specum epic status")] };
      return ask.result?.includes(`0 of ${BUILT.length} specs done`) === true ? "Cut." : undefined;
    },
  });
  const documents = specum.documents.length;
  const model = await stageModel(script, {
    main: 4 + BUILT.length * (4 * documents + 6),
    sub: 2 + BUILT.length * (2 * (documents + 1) + 2),
  });
  const client = await stageClient(place, model, { timeoutMs: 100_000 });
  await client.say(
    place.slash('triage "Sell things on the web, from the shelf to the bank"'),
    /^Cut\.$/,
  );
  expect(statuses()).toEqual(BUILT.map((name) => `${name} pending`));

  for (const [index, name] of BUILT.entries()) {
    await client.say(place.slash("start --quick"), DONE);
    expect(place.read(specum.pointer).trim()).toBe(name);
    expect(statuses()).toEqual(
      BUILT.map((one, at) => `${one} ${at <= index ? "completed" : "pending"}`),
    );
    expect(place.read(`specs/${name}/.progress.md`)).toContain(`Know how to ${name}`);
  }
  await client.end();
  expect(place.program("trace", "--check", "--all").match(/no problems/g)).toHaveLength(
    BUILT.length,
  );
});
