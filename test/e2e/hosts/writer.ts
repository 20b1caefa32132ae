import type { Ask } from "../ask.ts";
import { fillForm } from "../documents.ts";
import type { Script } from "../model.ts";
import type { Place } from "../place.ts";
import type { Answer } from "../wire.ts";
import type { Adapter } from "./adapter.ts";

interface Habits {
  /** What is written in the place of a document that is as it should be; `round` from 1. */
  readonly draft: (text: string, writing: { readonly round: number }) => string;
  /** What it does in the place of what it is told. */
  readonly instead: (ask: Ask) => Answer | undefined;
}

const BEGUN = /phase \w+ of \w+ `[^`]+`\. It ends with (\S+)\.$/m;
const BACK = /(\S+) is not finished/;

/** A main agent that writes a phase's document itself. */
export function writer(
  place: Place,
  adapter: Adapter,
  { draft, instead }: Habits,
): { readonly script: Script } {
  let round = 0;
  let path = "";
  let isWritten = false;

  function write(): Answer {
    round++;
    isWritten = true;
    const [document, spec] = path.split("/").toReversed() as [string, string];
    const form = fillForm(place.program("template", document, "--spec", spec));
    // Some clients run nothing with a backquote in it, not even quoted.
    const encoded = Buffer.from(draft(form, { round })).toString("base64");
    return { call: [adapter.shell(`echo ${encoded} | base64 -d > '${path}'`)] };
  }

  return {
    script(ask) {
      const other = instead(ask);
      if (other !== undefined) return other;
      const [, begun = path] = BEGUN.exec(ask.news) ?? [];
      if (begun !== path) {
        path = begun;
        round = 0;
        return write();
      }
      if (BACK.test(ask.news)) return write();
      if (!isWritten) return "Noted.";
      isWritten = false;
      return "Wrote it.\n\nDOCUMENT_READY";
    },
  };
}
