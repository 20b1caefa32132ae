import type { Edition, Layout } from "../../layouts/layout.ts";
import { selfEdition } from "../self-edition.ts";

/** A layout as Codex's users see it: skills, which they mention with a dollar sign. */
export const edition = (layout: Layout, bin?: string): Edition =>
  selfEdition(layout, bin, {
    command: (name) => `$${layout.plugin}:${name}`,
    questionTool: "request_user_input",
    worker: { forgets: false, reports: "stop" },
  });
