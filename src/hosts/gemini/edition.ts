import type { Edition, Layout } from "../../layouts/layout.ts";
import { selfEdition } from "../self-edition.ts";

/** A layout as Gemini CLI's users see it. Each task begins with an empty context: see `wire.ts`. */
export const edition = (layout: Layout, bin?: string): Edition =>
  selfEdition(layout, bin, {
    command: (name) => `/${layout.plugin}:${name}`,
    questionTool: "ask_user",
    worker: { forgets: true, reports: "stop" },
  });
