/**
 * What a person does to a run while they watch it. A run and those who watch it from other terminals use the same one,
 * which works through files. Any of these may throw a `Refusal`, which the view shows.
 */
export interface Controls {
  readonly pause: () => void;
  readonly resume: () => void;
  readonly skip: (spec: string, task: string) => void;
  readonly answer: (spec: string, id: number, text: string) => void;
  readonly stop: () => void;
}
