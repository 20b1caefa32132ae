/** A step of the scripted agent. */
export type DemoStep =
  | { readonly write: string; readonly text: string }
  | { readonly append: string; readonly text: string }
  /** In a shell, in the work tree. */
  | { readonly run: string }
  | { readonly say: string }
  | { readonly sleep: number }
  | { readonly usage: { readonly input: number; readonly output: number; readonly usd?: number } }
  /** Says this and ends its turn. */
  | { readonly report: string }
  /** Never ends, and ignores SIGTERM. */
  | { readonly hang: true }
  /** Leaves a process behind, in its own session. */
  | { readonly leave: string }
  /** Ends like an agent whose service refused: `limit` is the seconds until the limit is reset. */
  | { readonly limit: number }
  | { readonly end: "busy" | "auth" | "refused" | "too-long" }
  | { readonly crash: number }
  /** Only the first so many times, across all agents: the file `count` records how often it was played. */
  | { readonly first: number; readonly count: string; readonly steps: readonly DemoStep[] };

/** `attempts` by number; the last one is used for all that follow. */
export interface DemoScene {
  /** A part of the prompt: `# Task 1.2 of`. The first scene that matches is played. */
  readonly when: string;
  /** Only for this model. */
  readonly model?: string;
  readonly attempts: readonly (readonly DemoStep[])[];
}

export function findSteps(
  scenes: readonly DemoScene[],
  prompt: string,
  model?: string,
): readonly DemoStep[] | undefined {
  const scene = scenes.find((one) => prompt.includes(one.when) && (one.model ?? model) === model);
  const attempt = Number(/\bAttempt (\d+) of \d+/.exec(prompt)?.[1] ?? 1);
  return scene?.attempts[Math.min(attempt, scene.attempts.length) - 1];
}

/** A line that the scripted agent prints, as JSON. */
export type DemoLine =
  | { readonly type: "text" | "tool"; readonly text: string; readonly file?: string }
  | {
      readonly type: "usage";
      readonly input: number;
      readonly output: number;
      readonly usd?: number;
    }
  | {
      readonly type: "end";
      readonly how: DemoEnd;
      readonly text: string;
      readonly resetsAt?: string;
    };

export type DemoEnd = "turn" | "limit" | "busy" | "auth" | "refused" | "too-long";
