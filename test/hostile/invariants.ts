/** Something that must never happen did. */
class Violation extends Error {
  override readonly name = "Violation";
}

export function ensure(holds: boolean, what: string, ...shown: readonly unknown[]): asserts holds {
  if (holds) return;
  const texts = shown.map((one) => (JSON.stringify(one) ?? String(one)).slice(0, 500));
  throw new Violation([what, ...texts].join(": "));
}

/** Control characters but for tab and line feed, what turns the direction of text around, and what is not seen. */
const UNSAFE =
  // eslint-disable-next-line no-control-regex -- control characters are exactly what we look for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e0fff}]|[\ufe00-\ufe0f]/u;

export function ensureSafe(text: string, what: string): void {
  const at = text.search(UNSAFE);
  ensure(at === -1, `${what} steers the terminal`, text.slice(Math.max(0, at - 40), at + 40));
}

/** A prompt holds a few tasks of eight thousand characters each. */
const MAX_PROMPT = 100_000;
const MAX_LINE = 1000;

const KINDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  decision: (value) => value === "block",
  reason: (value) => typeof value === "string" && value !== "" && value.length <= MAX_PROMPT,
  systemMessage: (value) =>
    typeof value === "string" && value.length <= MAX_LINE && !/[\n\t]/.test(value),
  hookSpecificOutput: (value) => typeof value === "object" && value !== null,
};

const INNER = new Set([
  "hookEventName",
  "additionalContext",
  "permissionDecision",
  "permissionDecisionReason",
]);

/** What the client reads: nothing, or one JSON object that it understands, and that nobody else has a say in. */
export function ensureAnswer(out: string): void {
  if (out === "") return;
  const value = JSON.parse(out) as Record<string, unknown>;
  ensure(typeof value === "object" && value !== null, "the answer is no object", out);
  for (const [key, one] of Object.entries(value)) {
    ensure(KINDS[key]?.(one) === true, `the answer's ${key} is not as it should be`, one);
  }
  ensure("decision" in value === "reason" in value, "a block wants a reason", out);
  const inner = (value["hookSpecificOutput"] ?? {}) as Record<string, unknown>;
  // What else the agent is started with is as the client has it.
  const { updatedInput, ...words } = inner as { updatedInput?: Record<string, unknown> };
  for (const [key, one] of Object.entries(words)) {
    const isKnown = INNER.has(key);
    ensure(isKnown && typeof one === "string", `the answer's ${key} is unknown`, one);
  }
  const orders = updatedInput?.["prompt"] ?? "";
  ensure(
    typeof orders === "string" && orders.length <= MAX_PROMPT,
    "the orders are not as they should be",
    orders,
  );
  for (const one of [...Object.values(value), ...Object.values(words), orders]) {
    if (typeof one === "string") ensureSafe(one, "the answer");
  }
}
