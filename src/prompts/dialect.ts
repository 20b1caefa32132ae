import type { LayoutId } from "../layouts/layout.ts";
import type { Values } from "../text/template.ts";
import openspec from "./dialects/openspec.md";
import speckit from "./dialects/speckit.md";
import specum from "./dialects/specum.md";

const SOURCES: Readonly<Record<LayoutId, string>> = { specum, speckit, openspec };

/** The words of a layout's own documents, by name. A quote comes without its first mark: the text it is put in has it. */
export const dialectOf = (id: LayoutId): Values =>
  Object.fromEntries(
    SOURCES[id]
      .split(/^## (?=\w+$)/m)
      .slice(1)
      .map((section) => {
        const [name = "", ...body] = section.split("\n");
        return [name, body.join("\n").trim().replace(/^> /, "")];
      }),
  );
