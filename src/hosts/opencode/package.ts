import manifest from "../../../package.json" with { type: "json" };
import type { Edition } from "../../layouts/layout.ts";
import { type GeneratedFile, json } from "../package-files.ts";
import { FOLDER } from "./setup.ts";

/** Makes the folder a package for the client. The code in it is a bundle. */
export const packageFiles = (editions: readonly Edition[]): GeneratedFile[] =>
  editions.map(({ plugin, description }) => ({
    path: `plugins/${plugin}/${FOLDER}/package.json`,
    text: json({
      name: `${plugin}-opencode`,
      version: manifest.version,
      description,
      license: manifest.license,
      private: true,
      type: "module",
      exports: { "./server": "./plugin.js" },
    }),
  }));
