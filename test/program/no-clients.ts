import { chmodSync, existsSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Edition } from "../../src/layouts/layout.ts";
import { PATH } from "./child.ts";
import { makePlace as makeAnyPlace, openPlace, type Place } from "./support.ts";
import { fillFolder } from "./temporary.ts";

/** On a machine without any client, whatever else this one has. */
export function makePlace(layout: Edition, files: Readonly<Record<string, string>> = {}): Place {
  const { root, folder, env } = makeAnyPlace(layout, files);
  const home = env["HOME"] as string;
  const tools = fillFolder(join(home, "tools"), { readme: "" });
  symlinkSync(process.execPath, join(tools, "node"));
  for (const name of ["git", "sh"]) symlinkSync(findTool(name), join(tools, name));
  return openPlace(layout, root, folder, home, { PATH: tools });
}

const findTool = (name: string): string =>
  PATH.split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path)) ?? name;

/** The folder of a client's program that a place was made with. */
export function binOf({ root }: Place, client: string): string {
  const bin = join(root, "../bin");
  chmodSync(join(bin, client), 0o755);
  return bin;
}
