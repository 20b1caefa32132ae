/** What a model costs, in US dollars per million tokens. */
export interface Price {
  /** With a `*` at the end, every model whose name begins like this. */
  readonly model: string;
  readonly input: number;
  readonly output: number;
  /** Cached input; undefined: the same as other input. */
  readonly cached?: number;
}

/** `large-4* 3 15 0.30`: the model, then the prices of input, output and, optionally, cached input. */
export function parsePrice(text: string): Price | undefined {
  const [model = "", ...numbers] = text.trim().split(/\s+/);
  if (!/^[\w./:@+\-[\]]{0,120}\*?$/.test(model) || model === "") return undefined;
  const [input, output, cached] = numbers.map(parseAmount);
  if (numbers.length > 3 || input === undefined || output === undefined) return undefined;
  if (numbers.length < 3) return { model, input, output };
  return cached === undefined ? undefined : { model, input, output, cached };
}

const parseAmount = (text: string): number | undefined =>
  /^\$?\d{1,5}(?:\.\d{1,6})?$/.test(text) ? Number(text.replace("$", "")) : undefined;

/** The price whose pattern matches this model most closely. A bare `*` is the price of everything else. */
export function findPrice(prices: readonly Price[], model: string | undefined): Price | undefined {
  const name = model?.toLowerCase() ?? "";
  const fits = ({ model: pattern }: Price): boolean => {
    const own = pattern.toLowerCase();
    return own.endsWith("*") ? name.startsWith(own.slice(0, -1)) : own === name;
  };
  const [best] = prices.filter(fits).sort((a, b) => weigh(b) - weigh(a));
  return best;
}

const weigh = ({ model }: Price): number =>
  model.endsWith("*") ? model.length : Number.MAX_SAFE_INTEGER;
