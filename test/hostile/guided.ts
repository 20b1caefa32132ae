import { readdirSync, readFileSync } from "node:fs";
import { Session } from "node:inspector";
import { join } from "node:path";
import * as fc from "fast-check";
import * as files from "./files.ts";
import { mutate, random } from "./mutate.ts";
import { readJournal, readSettings, readState, readTasks } from "./pure.ts";

/** A reader, and where its texts begin. */
interface Guided {
  readonly name: string;
  readonly run: (text: string) => void;
  readonly seeds: () => readonly string[];
}

const sample = (texts: fc.Arbitrary<string>): string[] =>
  fc.sample(texts, { numRuns: 50, seed: 1 });

const corpus = (): string[] =>
  readdirSync("test/corpus")
    .filter((name) => name.endsWith(".md"))
    .map((name) => readFileSync(join("test/corpus", name), "latin1"));

const GUIDED: readonly Guided[] = [
  { name: "tasks", run: readTasks, seeds: () => [...corpus(), ...sample(files.tasks)] },
  { name: "settings", run: readSettings, seeds: () => sample(files.settings) },
  { name: "journal", run: readJournal, seeds: () => sample(files.journal) },
  { name: "state", run: readState, seeds: () => sample(files.state) },
];

/** Taking the coverage costs more than an input: it is taken for a few together, and one by one only if it grew. */
const BATCH = 25;
const MOST_KEPT = 2000;

export interface GuidedResult {
  readonly inputs: number;
  /** Texts that reached something no text before them had. */
  readonly kept: number;
  readonly blocks: number;
  readonly violations: readonly { readonly what: string; readonly input: string }[];
}

/** Changes texts, keeps those that reach new blocks of the code, and changes them further. */
export function feedGuided(
  target: string | undefined,
  runs: number,
  seed: number,
  tell: (line: string) => void,
): GuidedResult[] {
  const wanted = GUIDED.filter(({ name }) => target === undefined || name === target);
  return wanted.map((one) => {
    const result = feedOne(one, Math.ceil(runs / wanted.length), seed);
    const { inputs, kept, blocks, violations } = result;
    tell(
      `${one.name}: ${inputs} inputs, ${blocks} blocks, ${kept} kept, ${violations.length} violations`,
    );
    return result;
  });
}

function feedOne({ run, seeds }: Guided, runs: number, seed: number): GuidedResult {
  const coverage = openCoverage();
  const next = random(seed);
  const kept: Buffer[] = seeds().map((text) => Buffer.from(text, "latin1"));
  const violations = new Map<string, string>();
  const pick = (): Buffer => kept[Math.floor(next() * kept.length)] as Buffer;
  const tryOne = (bytes: Buffer): void => {
    const text = bytes.toString("latin1");
    try {
      run(text);
    } catch (error) {
      const what = error instanceof Error ? error.message : String(error);
      if (!violations.has(what.slice(0, 60))) violations.set(what.slice(0, 60), text);
    }
  };
  for (const bytes of kept) tryOne(bytes);
  coverage.takeNew();
  const before = kept.length;
  let inputs = before;
  for (; inputs < runs; inputs += BATCH) {
    const batch = Array.from({ length: BATCH }, () => {
      let bytes = pick();
      for (let times = 1 + Math.floor(next() * 4); times > 0; times--)
        bytes = mutate(bytes, next, pick());
      return bytes;
    });
    for (const bytes of batch) tryOne(bytes);
    if (coverage.countNew() === 0) continue;
    for (const bytes of batch) {
      tryOne(bytes);
      if (coverage.takeNew() > 0 && kept.length < MOST_KEPT) kept.push(bytes);
    }
  }
  const blocks = coverage.close();
  return {
    inputs,
    kept: kept.length - before,
    blocks,
    violations: [...violations].map(([what, input]) => ({ what, input })),
  };
}

interface Coverage {
  /** How many blocks have run since the last question that never had; `takeNew` takes them for known from now on. */
  readonly countNew: () => number;
  readonly takeNew: () => number;
  /** Gives all that are known. */
  readonly close: () => number;
}

interface Taken {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly ranges: readonly { startOffset: number; endOffset: number; count: number }[];
    }[];
  }[];
}

/** V8's own coverage of this very file, block by block. How often a block ran counts too, roughly. */
function openCoverage(): Coverage {
  const session = new Session();
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  const known = new Set<string>();

  function take(): string[] {
    const found: string[] = [];
    session.post("Profiler.takePreciseCoverage", (_error, taken) => {
      for (const { url, functions } of (taken as Taken).result) {
        if (url !== import.meta.url) continue;
        for (const { startOffset, endOffset, count } of functions.flatMap(({ ranges }) => ranges)) {
          if (count === 0) continue;
          const times = Math.min(4, Math.floor(Math.log2(count)));
          const key = `${startOffset}-${endOffset}-${times}`;
          if (!known.has(key)) found.push(key);
        }
      }
    });
    return found;
  }

  return {
    countNew: () => take().length,
    takeNew() {
      const found = take();
      for (const key of found) known.add(key);
      return found.length;
    },
    close() {
      session.post("Profiler.stopPreciseCoverage");
      session.disconnect();
      return known.size;
    },
  };
}
