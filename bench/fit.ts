export interface Point {
  readonly size: number;
  readonly milliseconds: number;
}

export interface Growth {
  /** 0 is flat, 1 is linear. */
  readonly exponent: number;
  readonly verdict: "flat" | "less than linear" | "linear" | "worse than linear";
}

/** What differs by less than this share of the floor is noise. */
const NOISE = 0.1;
const FLAT_BELOW = 0.5;
const LINEAR_BELOW = 1.4;
/** However slowly it gets there, twice the floor is not flat. */
const FLAT_TIMES = 2;

/**
 * How a time grows with a size: a straight line through the logarithms of what is above the floor, by least squares.
 * The floor, the start of a process, is the least time of all; a line through the times themselves would be flat
 * as long as the floor outweighs the growth.
 */
export function fitGrowth(points: readonly Point[]): Growth {
  const floor = Math.min(...points.map(({ milliseconds }) => milliseconds));
  const sized = points.filter(({ size }) => size > 0);
  const isAbove = ({ milliseconds }: Point): boolean => milliseconds > floor * (1 + NOISE);
  // Where only the last one stands out, the one before it counts as just below that.
  const isLastAlone = sized.length > 1 && sized.findIndex(isAbove) === sized.length - 1;
  const fitted = isLastAlone ? sized.slice(-2) : sized.filter(isAbove);
  const exponent = slopeOf(
    fitted.map(({ size, milliseconds }) => [
      Math.log(size),
      Math.log(Math.max(milliseconds - floor, floor * NOISE)),
    ]),
  );
  const most = Math.max(...points.map(({ milliseconds }) => milliseconds));
  return { exponent, verdict: verdictOf(exponent, most > FLAT_TIMES * floor) };
}

function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const x0 = mean(points.map(([x]) => x));
  const y0 = mean(points.map(([, y]) => y));
  const spread = mean(points.map(([x]) => (x - x0) ** 2));
  return points.length < 2 || spread === 0
    ? 0
    : mean(points.map(([x, y]) => (x - x0) * (y - y0))) / spread;
}

function verdictOf(exponent: number, hasGrown: boolean): Growth["verdict"] {
  if (exponent < FLAT_BELOW) return hasGrown ? "less than linear" : "flat";
  return exponent < LINEAR_BELOW ? "linear" : "worse than linear";
}

/** Two digits, and no zero with a sign. */
export const showExponent = ({ exponent }: Growth): string =>
  (Math.round(exponent * 100) / 100 + 0).toFixed(2);
