import type { Game, Move } from "./game.ts";
import { movesOf } from "./moves.ts";
import { Endings, properties, Successes } from "./properties.ts";
import { keyOf, type World } from "./world.ts";

export interface Bounds {
  /** Moves from the beginning. */
  readonly depth: number;
  /** Worlds that are looked at, at most. */
  readonly worlds: number;
}

export interface Explored {
  readonly worlds: number;
  readonly moves: number;
  readonly depth: number;
  /** Nothing was left out: every world that can be reached has been seen. */
  readonly complete: boolean;
  readonly counterexample?: Counterexample;
}

export interface Counterexample {
  readonly property: string;
  readonly problem: string;
  /** What was done, from the beginning, in words. */
  readonly path: readonly string[];
}

interface Seen {
  readonly parent: string | undefined;
  readonly move: string;
}

/** Breadth first, each world once: the first counterexample is one of the shortest. */
export function explore(start: World, game: Game, bounds: Bounds): Explored {
  const first = keyOf(start);
  const seen = new Map<string, Seen>([[first, { parent: undefined, move: "" }]]);
  const endings = new Endings();
  const successes = new Successes();
  let layer: [key: string, world: World][] = [[first, start]];
  let moves = 0;
  let depth = 0;
  let cut = false;
  const result = (found?: Counterexample): Explored => ({
    worlds: seen.size,
    moves,
    depth,
    complete: !cut && layer.length === 0,
    ...(found === undefined ? {} : { counterexample: found }),
  });

  for (; layer.length > 0 && depth < bounds.depth; depth++) {
    const next: typeof layer = [];
    for (const [key, world] of layer) {
      for (const move of movesOf(world, game)) {
        moves++;
        const wrong = checkMove(world, move, game);
        if (wrong !== undefined) {
          return result({ ...wrong, path: [...pathTo(seen, key), move.name] });
        }
        const reached = keyOf(move.world);
        if (seen.has(reached)) continue;
        if (seen.size >= bounds.worlds) {
          cut = true;
          continue;
        }
        seen.set(reached, { parent: key, move: move.name });
        next.push([reached, move.world]);
      }
      const alone = checkWorld(world, game, endings, successes);
      if (alone !== undefined) return result({ ...alone, path: pathTo(seen, key) });
    }
    layer = next;
  }
  return result();
}

type Wrong = Omit<Counterexample, "path">;

function checkMove(world: World, move: Move, game: Game): Wrong | undefined {
  for (const [property, check] of Object.entries(properties)) {
    const problem = check(world, move, game);
    if (problem !== undefined) return { property, problem };
  }
  return undefined;
}

function checkWorld(
  world: World,
  game: Game,
  endings: Endings,
  successes: Successes,
): Wrong | undefined {
  const trap = endings.check(world, game);
  if (trap !== undefined) return { property: "ends by itself", problem: trap };
  const failure = successes.check(world, game);
  return failure === undefined ? undefined : { property: "comes to the end", problem: failure };
}

function pathTo(seen: ReadonlyMap<string, Seen>, key: string): string[] {
  const path: string[] = [];
  for (let at: string | undefined = key; at !== undefined;) {
    const { parent, move } = seen.get(at) as Seen;
    if (move !== "") path.unshift(move);
    at = parent;
  }
  return path;
}

export const describePath = ({ property, problem, path }: Counterexample): string =>
  [`${property}: ${problem}`, ...path.map((move, i) => `  ${i + 1}. ${move}`)].join("\n");
