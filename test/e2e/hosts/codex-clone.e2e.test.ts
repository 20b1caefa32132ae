import { onTestFinished, test } from "vitest";
import { installAdapter, installClientNode } from "./adapter.ts";
import { codex, execWith, KEY, UNASKED } from "./codex.ts";
import { askInClone } from "./scenarios/clone.ts";
import { headlessSession } from "./session.ts";
import { stageOf } from "./suite.ts";

/** Such a session has no transcript, and Codex gives hooks no variable of its own: nothing says whose the state is. */
test("a clone in a session that leaves nothing behind", { timeout: 120_000 }, () =>
  askInClone(stageOf(codex), async (place, { url }) => {
    const [client, node] = await Promise.all([installAdapter(codex), installClientNode()]);
    const session = headlessSession(
      { place, client, node, url },
      {
        by: node,
        env: { [KEY]: "not-a-key" },
        args: (prompt) => execWith(url, prompt, { flags: [...UNASKED, "--ephemeral"] }),
        sessionIn: () => undefined,
      },
    );
    onTestFinished(() => session.close());
    return session;
  }),
);
