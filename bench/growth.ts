import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { specum } from "../test/support/editions.ts";
import { fitGrowth, type Growth, showExponent } from "./fit.ts";
import { type Case, measure } from "./measure.ts";
import { type Section, showRatio, tableOf } from "./report.ts";
import { makeScene, type Scene, taskList } from "./scene.ts";

/** One thing that may be large, and how a stop may grow with it. */
interface Dimension {
  readonly name: string;
  readonly expected: "flat" | "linear";
  readonly sizes: readonly number[];
  /** Left out where there is little time. */
  readonly largest?: number;
  readonly show?: (size: number) => string;
  readonly arrange: (scene: Scene, size: number) => object | void;
  /** How many tasks the list has; 60 otherwise. */
  readonly tasks?: (size: number) => number;
}

const MB = 1 << 20;
const TAIL = 512 << 10;

const dimensions: readonly Dimension[] = [
  {
    name: "transcript, read because the client sends no last message",
    expected: "flat",
    sizes: [0, MB, 100 * MB, 1024 * MB],
    show: (size) => `${size / MB} MB`,
    arrange(scene, size) {
      const path = join(scene.root, "transcript.jsonl");
      writeSparse(path, size, `${JSON.stringify(transcriptLine)}\n`);
      return { transcript_path: path, last_assistant_message: undefined };
    },
  },
  {
    name: "journal, lines",
    expected: "flat",
    sizes: [1, 1000, 100_000, 1_000_000],
    arrange({ journal }, size) {
      const line = readFileSync(journal, "utf8");
      writeSparse(journal, size * line.length, line);
    },
  },
  {
    name: "specs in the project",
    expected: "flat",
    sizes: [1, 10, 100, 1000],
    arrange({ root }, size) {
      for (let i = 1; i < size; i++) {
        const folder = join(root, "specs", `spec-${i}`);
        mkdirSync(folder);
        writeFileSync(join(folder, "tasks.md"), taskList(3));
        writeFileSync(join(folder, specum.stateFile), '{"phase":"execution"}');
      }
    },
  },
  {
    name: "tasks in tasks.md",
    expected: "linear",
    sizes: [10, 100, 1000, 10_000, 100_000],
    largest: 100_000,
    arrange: () => undefined,
    tasks: (size) => size,
  },
];

const transcriptLine = {
  type: "assistant",
  timestamp: "2999-01-01T00:00:00.000Z",
  message: { role: "assistant", content: [{ type: "text", text: "word ".repeat(100) }] },
};

/** A file as large as asked, of which only the end is written: nothing else of it is ever read. */
function writeSparse(path: string, size: number, line: string): void {
  const tail = `\n${line.repeat(Math.floor(Math.min(size, TAIL) / line.length))}`;
  const fd = openSync(path, "w");
  if (size > tail.length) ftruncateSync(fd, size - tail.length);
  if (size > 0) writeSync(fd, tail, Math.max(0, size - tail.length));
  closeSync(fd);
}

const ACCEPTED: Readonly<Record<Dimension["expected"], readonly Growth["verdict"][]>> = {
  flat: ["flat"],
  linear: ["flat", "less than linear", "linear"],
};

/** How a continuation grows with what it looks at. */
export function benchGrowth(rounds: number, home: string, quick: boolean): Section {
  const parts = dimensions.map((dimension, i) => {
    const sizes = quick
      ? dimension.sizes.filter((size) => size !== dimension.largest)
      : dimension.sizes;
    const cases = sizes.map((size) => arranged(dimension, size, `growth-${i}-${size}`, home));
    const measured = measure(`growth, ${dimension.name}`, cases, rounds, home);
    for (const { cwd } of cases) rmSync(cwd, { recursive: true, force: true });
    const growth = fitGrowth(
      cases.map(({ name }, at) => ({
        size: sizes[at] as number,
        milliseconds: measured.cpu(name),
      })),
    );
    const row = [
      dimension.name,
      cases.map(({ name }) => `${name}: ${showRatio(measured.wallRatio(name))}`).join("<br>"),
      showExponent(growth),
      growth.verdict,
      dimension.expected,
    ];
    const isOver = !ACCEPTED[dimension.expected].includes(growth.verdict);
    const over = `${dimension.name}: n^${showExponent(growth)}, expected ${dimension.expected}`;
    return { row, over: isOver ? [over] : [] };
  });
  return {
    title: "Growth of a continuation",
    text: `Times a bare node's start, by size; the exponent is a least-squares fit of the processor time above the floor (0 is flat, 1 is linear). Transcripts and journals are sparse files with a real end. ${rounds} interleaved rounds.

${tableOf(
  ["what grows", "size: × bare node", "exponent", "verdict", "expected"],
  parts.map(({ row }) => row),
)}
`,
    over: parts.flatMap(({ over }) => over),
  };
}

function arranged(dimension: Dimension, size: number, folder: string, home: string): Case {
  const scene = makeScene(home, folder, taskList(dimension.tasks?.(size) ?? 60));
  const event = dimension.arrange(scene, size) ?? {};
  scene.keep();
  const shown = dimension.show?.(size) ?? size.toLocaleString("en");
  return scene.stop(shown, /"decision":"block"/, event);
}
