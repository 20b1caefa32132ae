/** What each part of a score counts: factors for the first three, points for the tags. */
export interface Weights {
  readonly unblocks: number;
  readonly uncertainty: number;
  readonly impact: number;
  readonly blocker: number;
  readonly risky: number;
  readonly highValue: number;
  readonly trivial: number;
}

export const defaultWeights: Weights = {
  unblocks: 3,
  uncertainty: 2,
  impact: 1,
  blocker: 6,
  risky: 4,
  highValue: 2,
  trivial: -2,
};
