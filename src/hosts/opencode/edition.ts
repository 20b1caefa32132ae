import type { Edition, Layout } from "../../layouts/layout.ts";
import { selfEdition } from "../self-edition.ts";

/** A layout as OpenCode's users see it: slash commands, which its plugin adds to the menu. */
export const edition = (layout: Layout, bin?: string): Edition =>
  selfEdition(layout, bin, {
    command: (name) => `/${layout.plugin}:${name}`,
    questionTool: "question",
    worker: { forgets: false, reports: "stop" },
  });
