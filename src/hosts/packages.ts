import { hosts } from "./all.ts";
import { packageFiles as claude } from "./claude/package.ts";
import { editionsOf } from "./client.ts";
import { packageFiles as codex } from "./codex/package.ts";
import { packageFiles as copilot } from "./copilot/package.ts";
import { packageFiles as gemini } from "./gemini/package.ts";
import { packageFiles as opencode } from "./opencode/package.ts";
import type { GeneratedFile } from "./package-files.ts";
import { packageFiles as qwen } from "./qwen/package.ts";

/** What each client installs, besides the bundles: text files of the repository. */
const packages = { claude, codex, gemini, opencode, qwen, copilot };

export const packageFiles = (): GeneratedFile[] =>
  hosts.flatMap((host) => packages[host.name as keyof typeof packages](editionsOf(host)));
