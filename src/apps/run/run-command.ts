import { readFileSync } from "node:fs";
import { join } from "node:path";
import { agents as installed } from "../../agents/all.ts";
import { demoAgent } from "../../agents/demo/demo.ts";
import { GREETER } from "../../agents/demo/greeter.ts";
import type { DemoScene } from "../../agents/demo/script.ts";
import { requireShell } from "../../engine/authority.ts";
import type { Request } from "../../engine/request.ts";
import { layouts } from "../../layouts/all.ts";
import type { Edition } from "../../layouts/layout.ts";
import { runnerEdition } from "../../runner/edition.ts";
import { groundHere } from "../../runner/here.ts";
import { openRun } from "../../runner/open-run.ts";
import { parseRunOptions } from "../../runner/options.ts";
import { openOwnGround } from "../../runner/own-ground.ts";
import { runSpec, type SpecEnd } from "../../runner/run-spec.ts";
import { resolveTarget } from "../../runner/target.ts";
import { readRunSettings } from "../../store/run-settings-file.ts";
import { quoteForShell } from "../../text/quote.ts";
import type { Command, Context, Input, Result } from "../cli/command.ts";
import { version } from "../cli/version.ts";
import { openDemoGround } from "./demo-run.ts";
import { EXIT_OF } from "./exit.ts";

declare const __dirname: string;

/** How agents call us: with the node that runs us, wherever they are. */
const PROGRAM = [process.execPath, join(__dirname, "smart-ralph.cjs")].map(quoteForShell).join(" ");

const DEMO = "demo";
/** A file with what the built-in agent does, for other projects than its own. */
const SCENES = "SMART_RALPH_DEMO_SCENES";

function readScenes(path: string | undefined): readonly DemoScene[] {
  if (path === undefined) return GREETER;
  return JSON.parse(readFileSync(path, "utf8")) as readonly DemoScene[];
}

export const runRun: Command["run"] = async (context, input) => {
  requireShell(context, "run");
  const isDemo = input.options["agent"] === DEMO && input.args.length === 0;
  if (!isDemo || context.env[SCENES] !== undefined) return run(context, input);
  const ground = openDemoGround();
  try {
    const there = { ...context, cwd: ground.folder, starts: [ground.folder] };
    return await run(there, input);
  } finally {
    ground.remove();
  }
};

async function run(context: Context, input: Input): Promise<Result> {
  const request: Request = {
    ...context,
    layout: undefined,
    editions: layouts.map((layout) => runnerEdition(layout, PROGRAM)) as [Edition, ...Edition[]],
  };
  const { spec: home, goal } = resolveTarget(request, input.args);
  const options = parseRunOptions(input.options, readRunSettings(home.project));
  const stop = new AbortController();
  const onSignal = (): void => stop.abort();
  for (const name of SIGNALS) process.on(name, onSignal);
  const opened = await openRun({
    request,
    options,
    agents: [...installed, demoAgent(readScenes(context.env[SCENES]))],
    surround: (_agent, _place) => ({ env: { PATH: process.env["PATH"] ?? "" } }),
    project: home.project.root,
    spec: home.name,
    version,
    program: PROGRAM,
    guard: join(__dirname, "guard.cjs"),
    isAttended: context.width !== undefined,
    despiteChecklists: input.options["despite-checklists"] === true,
    signal: stop.signal,
    watch: (event) => void context.write(`${JSON.stringify(event)}\n`),
  });
  let end: SpecEnd | undefined;
  try {
    end = await runSpec(
      opened.context,
      home,
      options.here ? groundHere : (spec) => openOwnGround(spec, request.now().at),
      goal,
    );
    const { status, done, total, text } = end;
    opened.context.emit({ kind: "run-ended", status, done, total, text });
    return {
      code: EXIT_OF[status],
      text: `${status}: ${done} of ${total}`,
      json: { ok: status === "finished", status, done, total },
      streamed: true,
    };
  } finally {
    for (const name of SIGNALS) process.off(name, onSignal);
    await opened.close(end?.status ?? "stuck");
  }
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
