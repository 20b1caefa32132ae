import type { Edition } from "../layouts/layout.ts";
import { editionsOf } from "./all.ts";
import { claude as claudeHost } from "./claude/host.ts";
import { packageFiles as claude } from "./claude/package.ts";
import { codex as codexHost } from "./codex/host.ts";
import { packageFiles as codex } from "./codex/package.ts";
import { copilot as copilotHost } from "./copilot/host.ts";
import { packageFiles as copilot } from "./copilot/package.ts";
import { gemini as geminiHost } from "./gemini/host.ts";
import { packageFiles as gemini } from "./gemini/package.ts";
import type { GeneratedFile } from "./generated.ts";
import type { Host } from "./host.ts";
import { opencode as opencodeHost } from "./opencode/host.ts";
import { packageFiles as opencode } from "./opencode/package.ts";
import { qwen as qwenHost } from "./qwen/host.ts";
import { packageFiles as qwen } from "./qwen/package.ts";

/** What each client installs, besides the bundles: text files of the repository. */
const packages: readonly [Host, (editions: readonly Edition[]) => GeneratedFile[]][] = [
  [claudeHost, claude],
  [codexHost, codex],
  [geminiHost, gemini],
  [opencodeHost, opencode],
  [qwenHost, qwen],
  [copilotHost, copilot],
];

export const packageFiles = (): GeneratedFile[] =>
  packages.flatMap(([host, files]) => files(editionsOf(host)));
