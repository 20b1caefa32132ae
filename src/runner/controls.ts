/**
 * What a person can do to a run while watching it. The run itself and `watch` in other terminals share one
 * implementation, which works through files. Each function may throw a `Refusal`, which the view shows.
 */
export interface Controls {
  readonly pause: () => void;
  readonly resume: () => void;
  readonly skip: (spec: string, task: string) => void;
  readonly answer: (spec: string, id: number, text: string) => void;
  readonly stop: () => void;
}
