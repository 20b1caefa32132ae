import type { Edition, Layout } from "../../layouts/layout.ts";
import { selfEdition } from "../self-edition.ts";

/**
 * A layout as Qwen Code's users see it: an extension, with slash commands. The client continues a prompt only a few
 * times, so tasks are reported with a command.
 */
export const edition = (layout: Layout, bin?: string): Edition =>
  selfEdition(layout, bin, {
    command: (name) => `/${layout.plugin}:${name}`,
    questionTool: "ask_user_question",
    worker: { forgets: false, reports: "command" },
  });
