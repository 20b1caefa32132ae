/** The parts of a regular expression, as far as one has to know them to write text that nearly matches. */
export type Node =
  | { readonly kind: "text"; readonly samples: readonly string[] }
  | { readonly kind: "sequence"; readonly parts: readonly Node[] }
  | { readonly kind: "choice"; readonly parts: readonly Node[] }
  | { readonly kind: "repeat"; readonly part: Node; readonly min: number; readonly max: number };

/** One of each kind of character that expressions tell apart. */
const PALETTE = [
  ..."aAz1 _.-*`~#:/\\[](){}<>\"'!|,;&+=$%@^?0T",
  "\t",
  "\n",
  "\r",
  "\u2028",
  "\u00a0",
  "\u001b",
  "é",
  "🎉",
];
const MOST = 8;

export function parsePattern({ source, flags }: RegExp): Node {
  let at = 0;
  const literal = [...new Set(source.match(/[^\\[\](){}*+?|^$]/g) ?? [])];
  const own = flags.replace(/[gy]/g, "");

  function choice(): Node {
    const parts = [sequence()];
    while (source[at] === "|") {
      at++;
      parts.push(sequence());
    }
    return parts.length === 1 ? (parts[0] as Node) : { kind: "choice", parts };
  }

  function sequence(): Node {
    const parts: Node[] = [];
    while (at < source.length && source[at] !== "|" && source[at] !== ")") parts.push(repeated());
    return { kind: "sequence", parts };
  }

  function repeated(): Node {
    const part = atom();
    const [whole, mark = "", least, comma, most] =
      /^([*+?]|\{(\d+)(,?)(\d*)\})\??/.exec(source.slice(at)) ?? [];
    if (whole === undefined) return part;
    at += whole.length;
    if (mark === "*") return { kind: "repeat", part, min: 0, max: Infinity };
    if (mark === "+") return { kind: "repeat", part, min: 1, max: Infinity };
    if (mark === "?") return { kind: "repeat", part, min: 0, max: 1 };
    const min = Number(least);
    const max = comma === "" ? min : most === "" ? Infinity : Number(most);
    return { kind: "repeat", part, min, max };
  }

  function atom(): Node {
    const rest = source.slice(at);
    const group = /^\((?:\?(?::|<?[=!]|<\w+>))?/.exec(rest)?.[0];
    if (group !== undefined) {
      at += group.length;
      const inner = choice();
      at++;
      // What must not follow is not part of the text; what must follow may be.
      return group.includes("!") ? { kind: "text", samples: [""] } : inner;
    }
    const [token = ""] =
      /^(?:\[(?:\\.|[^\]\\])*\]|\\u[0-9a-f]{4}|\\[pP]\{[\w=]+\}|\\.|.)/isu.exec(rest) ?? [];
    at += token.length;
    return { kind: "text", samples: charactersOf(token) };
  }

  function charactersOf(token: string): string[] {
    if (/^(?:\^|\$|\\[bB]|\\[1-9])$/.test(token)) return [""];
    const one = new RegExp(`^(?:${token})$`, own);
    if (!/^(?:\[|\.$|\\[a-zA-Z])/.test(token)) return [token.replace(/^\\/, "")];
    // Characters that the expression names elsewhere come first: ambiguity lives where parts overlap.
    const fitting = [...literal, ...PALETTE].filter((character) => one.test(character));
    const kinds = new Map(fitting.map((character) => [kindOf(character), character]));
    return [...new Set([...kinds.values(), ...fitting])].slice(0, MOST);
  }

  return choice();
}

function kindOf(character: string): string {
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[ \t]/, /\n/, /\s/, /[!-/:-@[-`{-~]/];
  return String(kinds.findIndex((kind) => kind.test(character)));
}

/** Some texts that the part matches, short ones; where it may be left out, left in. */
export function samplesOf(node: Node): string[] {
  switch (node.kind) {
    case "text":
      return [...node.samples];
    case "choice":
      return node.parts.flatMap((part) => samplesOf(part).slice(0, 2)).slice(0, 2 * MOST);
    case "repeat":
      return samplesOf(node.part).map((text) => text.repeat(Math.max(1, Math.min(node.min, 50))));
    case "sequence": {
      const all = node.parts.map(samplesOf);
      const most = Math.max(1, ...all.map((some) => some.length));
      return Array.from({ length: Math.min(most, MOST) }, (_, i) =>
        all.map((some) => some[i % Math.max(1, some.length)] ?? "").join(""),
      );
    }
  }
}

/** A part that may be repeated without end: what comes before it, and what to repeat. */
export interface Pump {
  readonly before: string;
  readonly units: readonly string[];
}

export function pumpsOf(node: Node, before = ""): Pump[] {
  switch (node.kind) {
    case "text":
      return [];
    case "choice":
      return node.parts.flatMap((part) => pumpsOf(part, before));
    case "repeat": {
      const inner = pumpsOf(node.part, before);
      const units = samplesOf(node.part).filter((unit) => unit !== "");
      return node.max < 100 ? inner : [{ before, units }, ...inner];
    }
    case "sequence": {
      let text = before;
      return node.parts.flatMap((part) => {
        const pumps = pumpsOf(part, text);
        text += samplesOf(part)[0] ?? "";
        return pumps;
      });
    }
  }
}
