import { setChecked } from "../src/tasks/edit.ts";
import { parseTasks } from "../src/tasks/parse.ts";
import type { Task } from "../src/tasks/types.ts";

const SIZES = [100, 1000, 10_000, 100_000] as const;

const document = (count: number): string =>
  `# Tasks\n\n## Phase 1\n\n${Array.from(
    { length: count },
    (_, i) =>
      `- [ ] 1.${i + 1} Task ${i + 1}\n  - **Do**: the work\n  - **Files**: \`src/${i}.ts\`\n  - **Verify**: \`npm test\`\n`,
  ).join("")}`;

function best(work: () => void): number {
  let fastest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 7; i++) {
    const began = performance.now();
    work();
    fastest = Math.min(fastest, performance.now() - began);
  }
  return fastest;
}

/** Reading a list and ticking a box in its middle, for lists of growing length. */
export function benchTasks(): { text: string; over: readonly string[] } {
  const rows = SIZES.map((count) => {
    const text = document(count);
    const list = parseTasks(text);
    const middle = list.tasks[Math.floor(count / 2)] as Task;
    return {
      count,
      parse: best(() => parseTasks(text)),
      edit: best(() => setChecked(list, middle, true)),
    };
  });
  const growth = (key: "parse" | "edit"): number => {
    const [first, last] = [rows[1], rows.at(-1)] as [(typeof rows)[0], (typeof rows)[0]];
    return Math.log(last[key] / first[key]) / Math.log(last.count / first.count);
  };
  const exponent = growth("parse");
  const text = `## Task lists

| tasks | parse, ms | tick one, ms |
|---:|---:|---:|
${rows.map(({ count, parse, edit }) => `| ${count} | ${parse.toFixed(2)} | ${edit.toFixed(2)} |`).join("\n")}

Growth of parsing: n^${exponent.toFixed(2)} (1 is linear).
`;
  return { text, over: exponent > 1.3 ? [`parsing grows as n^${exponent.toFixed(2)}`] : [] };
}
