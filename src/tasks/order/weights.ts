/** What each part of a score is worth: factors for the first three, points for the tags. */
export const defaultWeights = {
  unblocks: 3,
  uncertainty: 2,
  impact: 1,
  blocker: 6,
  risky: 4,
  highValue: 2,
  trivial: -2,
};

export type Weights = Readonly<typeof defaultWeights>;
