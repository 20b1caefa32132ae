import { type Diagnostic, findingsAbout } from "../../text/diagnostic.ts";

const OLDEST_NODE = 20;

export function checkNode(version: string): Diagnostic {
  const { ok, error } = findingsAbout("node");
  return Number(version.split(".")[0]) >= OLDEST_NODE
    ? ok(`node ${version}`)
    : error(`node ${version} is too old`, `install node ${OLDEST_NODE} or newer`);
}
