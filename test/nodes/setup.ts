import type { TestProject } from "vitest/node";
import { type Installed, installNode, NODES } from "./install.ts";

declare module "vitest" {
  interface ProvidedContext {
    readonly nodes: Readonly<Record<string, Installed>>;
  }
}

/** A download must not be charged to a test's time limit, and a version that is not available is not skipped silently. */
export default async function setup(project: TestProject): Promise<void> {
  const nodes: Record<string, Installed> = {};
  for (const version of NODES) {
    const installed = (nodes[version] = await installNode(version));
    if ("why" in installed) console.warn(`skipped: Node ${version}, ${installed.why}`);
  }
  project.provide("nodes", nodes);
}
