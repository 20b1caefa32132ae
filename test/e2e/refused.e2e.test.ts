import { expect, test } from "vitest";
import { isFull } from "../support/full.ts";
import { CURRENT, MIDDLE } from "./install.ts";
import { specum } from "./place.ts";
import { noScreen, openScreen } from "./screen.ts";
import { stageModel, stageProject } from "./stage.ts";

const SENTENCE = /ralph-specum: there is no spec "nosuch"; there are: demo; .*/;

// No native build of the terminal for this machine. Older clients let the agent run the line, and show it.
test.skipIf(noScreen).each(isFull ? [CURRENT, MIDDLE] : [CURRENT])(
  "a refused slash command prints one sentence in %s",
  async (version) => {
    const project = stageProject(specum, 2);
    const model = await stageModel((ask) => SENTENCE.exec(ask.text)?.[0] ?? "Noted.", { main: 1 });
    const screen = await openScreen(project, model, { permissions: "skip", version, columns: 160 });
    await screen.type(project.slash("resume nosuch"));
    const text = (await screen.until(/there are: demo/)).join("\n");
    expect(text).toMatch(new RegExp(`^● ${SENTENCE.source}`, "m"));
    expect(text).not.toMatch(/Shell command failed|--typed|stderr|Tell the user/);
    expect(model.asks.find(({ asker }) => asker === "main")?.text).toContain("do nothing else");
    expect(project.state()).toBeUndefined();
  },
);
