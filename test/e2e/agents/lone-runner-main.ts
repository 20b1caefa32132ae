import { agents } from "../../../src/agents/all.ts";
import type { Work } from "../../../src/agents/port.ts";
import { startGuard } from "../../../src/agents/process/guard.ts";

interface Order {
  readonly id: string;
  readonly mark: string;
  readonly guard: string;
  readonly work: Omit<Work, "record">;
}

async function main(): Promise<void> {
  let text = "";
  for await (const chunk of process.stdin) text += String(chunk);
  const { id, mark, guard, work } = JSON.parse(text) as Order;
  const agent = agents.find((one) => one.id === id);
  if (agent === undefined) throw new Error(`no agent ${id}`);
  startGuard(mark, guard);
  const record = (): void => undefined;
  // As in our sandbox: not every machine lets an agent start its own.
  const wrap = (command: readonly string[]): readonly string[] => command;
  await agent.run({ ...work, record, wrap }, () => undefined, new AbortController().signal);
}

void main();
