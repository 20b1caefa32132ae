import type { HostDelegation } from "../hosts/host.ts";
import { currentLoop, type Now } from "../run/loop.ts";
import { isProvisional } from "../run/provisional-name.ts";
import { whoseRun } from "../run/trust.ts";
import { hasDocument } from "../store/documents.ts";
import { faultOf } from "../store/read.ts";
import { readGlance } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { writtenPhase } from "./hear-document.ts";
import { Refusal } from "./refusal.ts";
import { moveSpec } from "./rename-spec.ts";

const NAME = /^[ \t]*name:([^\n]*)$/im;

/**
 * The coordinator names a spec with a line in the prompt of the first agent: that costs no call of its own. The agent
 * does not see the line. A name that cannot be used is not worth a word: then the spec keeps the one it has.
 */
export function nameAsAsked(
  spec: Spec,
  asked: HostDelegation,
  now: Now,
): { readonly spec: Spec; readonly asked: HostDelegation } {
  const name = NAME.exec(asked.prompt)?.[1]?.trim().replace(/^`|`$/g, "") ?? "";
  if (name === "" || !mayBeNamed(spec, asked, now)) return { spec, asked };
  const rest = { ...asked, prompt: asked.prompt.replace(NAME, "").trim() };
  try {
    return { spec: moveSpec(spec, name, "agent", now).spec, asked: rest };
  } catch (error) {
    if (!(error instanceof Refusal) && faultOf(error) === undefined) throw error;
    return { spec, asked: rest };
  }
}

function mayBeNamed(spec: Spec, { sessionId, agentType }: HostDelegation, now: Now): boolean {
  const { layout } = spec.project;
  const disk = readGlance(spec);
  if (disk.state.kind !== "ok" || whoseRun(disk, sessionId) !== "ours") return false;
  const { state } = disk.state;
  const phase = writtenPhase(layout, state, agentType);
  return (
    phase !== undefined &&
    state.paused !== true &&
    isProvisional(layout, state) &&
    currentLoop(state, disk.last, now).session === sessionId &&
    !hasDocument(spec, phase.document)
  );
}
