import type { Edition, Layout } from "../../layouts/layout.ts";
import { selfEdition } from "../self-edition.ts";

/** A layout as Copilot CLI's users see it. The client continues a prompt only a few times: tasks are reported with a command. */
export const edition = (layout: Layout, bin?: string): Edition =>
  selfEdition(layout, bin, {
    command: (name) => `/${layout.plugin}:${name}`,
    questionTool: "ask_user",
    worker: { forgets: false, reports: "command" },
  });
