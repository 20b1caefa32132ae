import type { Edition } from "../layouts/layout.ts";
import { fill } from "../text/template.ts";
import { SHELL_PROGRAM } from "../text/wording.ts";
import lastTurnTemplate from "./last-turn.md";
import passOnTemplate from "./pass-on.md";

/** The client will not continue this prompt again. */
export const renderLastTurn = ({ voice }: Edition, client: string): string =>
  fill(lastTurnTemplate, {
    client,
    resume: voice.command("resume"),
    runner: SHELL_PROGRAM,
  }).trimEnd();

/** A line for the user, which the client would not show. */
export const renderPassOn = (line: string): string => fill(passOnTemplate, { line }).trimEnd();
