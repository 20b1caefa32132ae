import { anthropic } from "./anthropic.ts";
import { chat } from "./chat.ts";
import { gemini } from "./gemini.ts";
import type { Wire } from "./port.ts";
import { responses } from "./responses.ts";

const wires: readonly Wire[] = [anthropic, responses, chat, gemini];

export const wireOf = (path: string): Wire | undefined => wires.find(({ serves }) => serves(path));
