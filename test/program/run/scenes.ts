import type { DemoScene, DemoStep } from "../../../src/agents/demo/script.ts";

/** A task of the list. */
export interface Row {
  readonly id: string;
  readonly title?: string;
  readonly tags?: string;
  readonly files?: string;
  readonly verify?: string;
}

/** The file that a task writes: `t1-2.txt` for 1.2. */
export const fileOf = (id: string): string => `t${id.replaceAll(".", "-")}.txt`;

export const listOf = (rows: readonly Row[]): string =>
  `# Tasks\n\n${rows
    .map(({ id, title = `Write ${id}`, tags = "", files, verify }) =>
      [
        `- [ ] ${id} ${tags === "" ? "" : `${tags} `}${title}`,
        `  - **Files**: ${files ?? fileOf(id)}`,
        `  - **Verify**: \`${verify ?? `grep -q done ${fileOf(id)}`}\``,
        `  - **Commit**: \`feat: task ${id}\``,
      ].join("\n"),
    )
    .join("\n")}\n`;

export const COMPLETE: DemoStep = { report: "It is done.\nTASK_COMPLETE" };

/** What an honest agent does for a task. */
export const honest = (id: string): readonly DemoStep[] => [
  { write: fileOf(id), text: "done\n" },
  COMPLETE,
];

export const scene = (id: string, ...attempts: readonly (readonly DemoStep[])[]): DemoScene => ({
  when: `# Task ${id} of `,
  attempts,
});

/** Makes an agent wait until a command succeeds, because a fixed delay would depend on the machine. */
export const until = (command: string): DemoStep => ({
  run: `for i in $(seq 1200); do if ${command}; then break; fi; sleep 0.05; done`,
});

/** Makes an agent wait until so many agents are at work, each with its own file in `folder`. */
export const together = (folder: string, id: string, count: number): DemoStep[] => [
  { run: `mkdir -p ${folder} && touch ${folder}/${id}` },
  until(`test $(ls ${folder} | wc -l) -ge ${count}`),
];
