import { join } from "node:path";
import type { DemoScene, DemoStep } from "../../../src/agents/demo/script.ts";
import type { Edition } from "../../../src/layouts/layout.ts";
import { specum } from "../../support/editions.ts";
import { fileOf, written } from "../flow.ts";
import { fillFolder } from "../temporary.ts";
import { makeNight, type Night } from "./night.ts";
import { scene } from "./scenes.ts";

export const GOAL = "Count requests and refuse too many";

const TASKS = `# Tasks

## Phase 1: All of it

- [ ] 1.1 Count
  - **Do**: Write count.txt.
  - **Files**: count.txt
  - **Done when**: It says done.
  - **Verify**: \`grep -q done count.txt\`
  - **Commit**: \`feat: count\`
  - _Requirements: FR-1, AC-1.1, US-1_
`;

export const READY: DemoStep = { report: "Here it is.\nDOCUMENT_READY" };

interface GoalPlan {
  readonly layout?: Edition;
  /** What agents do instead of writing a document. */
  readonly wrong?: Readonly<Record<string, readonly DemoStep[]>>;
  readonly work?: readonly DemoStep[];
  readonly review?: readonly DemoStep[];
}

/** A project without specs, and an agent that writes every document and then does the task. */
export function makeGoal({
  layout = specum,
  wrong = {},
  work = [],
  review = [{ report: "no findings\nREVIEW_PASS" }],
}: GoalPlan = {}): Night {
  const files = layout.marker === undefined ? {} : { [`${layout.marker}/README.md`]: "Ours.\n" };
  const night = makeNight({ rows: [], files });
  night.git("rm", "-rq", "specs");
  night.git("commit", "-qm", "no specs");
  const texts = join(night.home, "documents");
  const scenes = layout.phases.map(({ document }): DemoScene => {
    const file = fileOf(document);
    fillFolder(texts, { [file]: document === "tasks.md" ? TASKS : written(layout, document) });
    const write = `mkdir -p $(dirname $folder/${file}); cp ${texts}/${file} $folder/${file}`;
    // As the agent does that wrote the requirements.
    const tick = `test ! -d $folder/checklists || sed -i 's/- \\[ \\]/- [x]/' $folder/checklists/*.md`;
    const steps = [
      { run: `for folder in ${layout.specsDirs[0]}/*/; do ${write}; ${tick}; done` },
      READY,
    ];
    return { when: `/${document} for `, attempts: [wrong[document] ?? steps] };
  });
  const done: DemoStep[] = [
    ...work,
    { write: "count.txt", text: "done\n" },
    { report: "It counts.\nTASK_COMPLETE" },
  ];
  const last = { when: "# Last review of ", attempts: [review] };
  night.scenes([...scenes, scene("1.1", done), last]);
  return night;
}
