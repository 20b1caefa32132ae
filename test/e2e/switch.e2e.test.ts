import { describe, expect, test } from "vitest";
import { crew, DONE, READY } from "./crew.ts";
import { blocks } from "./hooks.ts";
import { IN_BACKGROUND } from "./install.ts";
import { oneLayout, specFiles } from "./place.ts";
import { stageClient, stageModel, stagePlace } from "./stage.ts";

describe.each(oneLayout)("$id: two specs at once", (layout) => {
  const [firstName, secondName] =
    layout.id === "speckit"
      ? ["001-greet-users", "002-count-visits"]
      : ["greet-users", "count-visits"];
  const [first, second] = [`${layout.specs}/${firstName}`, `${layout.specs}/${secondName}`];
  const [phase, next] = layout.phases;
  const [, document] = layout.documents;

  test("each continues where it was; a run is paused by the switch, and resumed", async () => {
    const place = stagePlace(layout);
    const [one, two] = [specFiles(place, first), specFiles(place, second)];
    const active = (): string => place.read(layout.pointer).trim();
    let begun: () => void = () => undefined;
    let release: () => void = () => undefined;
    const executing = new Promise<void>((resolve) => (begun = resolve));
    const released = new Promise<void>((resolve) => (release = resolve));
    let isFirst = true;
    const { script, started } = crew(place, {
      async instead(ask, role) {
        if (role.kind !== "executor" || !isFirst) return undefined;
        isFirst = false;
        begun();
        await released;
        return undefined;
      },
    });
    const documents = layout.documents.length + 2;
    // A document: order, words; a task: order, words, twice; the review; and eight commands that only tell.
    const model = await stageModel(script, {
      main: 2 * documents + 4 + 2 + 8,
      sub: 2 * documents + 4 + 1,
    });
    const client = await stageClient(place, model, { env: IN_BACKGROUND });
    const tell = (command: string): Promise<void> => client.say(place.slash(command), /^Noted\.$/);
    const said = (): string => model.asks.findLast(({ asker }) => asker === "main")?.text ?? "";

    await client.say(place.slash("start greet users"), READY);
    await client.say(place.slash("start count visits"), READY);
    expect(active()).toBe(secondName);
    expect(one.state()).toMatchObject({ phase, awaitingApproval: true });

    await tell(`switch ${firstName}`);
    expect(active()).toBe(firstName);
    expect(said()).toContain(`in phase ${phase}, waiting for your approval`);
    await client.say(place.slash(next), READY);
    expect([first, second].map((folder) => place.has(`${folder}/${document}`))).toEqual([
      true,
      false,
    ]);

    await tell(`switch ${secondName}`);
    await client.say(place.slash(next), READY);
    expect(one.state()).toMatchObject({ phase: next, awaitingApproval: true });
    expect(two.state()).toMatchObject({ phase: next, awaitingApproval: true });
    expect(blocks(client.events)).toEqual([]);

    // The first one is driven into execution; then the user turns to the second while an executor is at work.
    await tell(`switch ${firstName}`);
    void client.say(place.slash("start --quick"), /^never$/);
    await executing;
    await tell(`switch ${secondName}`);
    expect(said()).toContain(`The run of "${firstName}" is paused`);
    expect(one.state()).toMatchObject({ phase: "execution", paused: true });
    const driven = blocks(client.events).length;
    release();
    await tell("start");
    expect(said()).toContain(`${document} waits for the user's approval`);
    expect(two.state()).toMatchObject({ phase: next, awaitingApproval: true });
    expect(blocks(client.events)).toHaveLength(driven);

    await tell(`switch ${firstName}`);
    await client.say(place.slash("start"), DONE);
    expect(one.open()).toEqual([]);
    expect(one.state()).toBeUndefined();
    expect(two.state()).toMatchObject({ phase: next, awaitingApproval: true });
    expect(started.filter((who) => who.startsWith("spec-executor"))).toHaveLength(2);
    await client.end();
  });
});
