import type { Diagnostic } from "../../text/diagnostic.ts";

const OLDEST_NODE = 20;

export function checkNode(version: string): Diagnostic {
  const message = `node ${version}`;
  return Number(version.split(".")[0]) >= OLDEST_NODE
    ? { severity: "ok", code: "node", message }
    : {
        severity: "error",
        code: "node",
        message: `${message} is too old`,
        fix: `install node ${OLDEST_NODE} or newer`,
      };
}
