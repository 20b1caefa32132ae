import { WAITS } from "../../../facts/marks.ts";
import { planWaiting } from "../../../facts/waiting.ts";
import { RUN_ENDS } from "../../../runner/run-status.ts";
import type { News, ViewModel } from "../../../runner/view/model.ts";
import { waitingIn } from "../../../runner/view/waiting.ts";
import type { Paint } from "../../cli/paint.ts";
import { clock, untilThen } from "./clock.ts";
import { line, part, type Part } from "./rows.ts";

/** What the user should know, the most urgent first, cut to the size. */
export function notices(
  model: ViewModel,
  size: { width: number; lines: number },
  now: number,
  style: Paint,
): string[] {
  const urgent = [...stateLines(model, now, style), ...waitingLines(model, style)];
  const news = model.news
    .slice(-Math.max(0, size.lines - urgent.length))
    .map((one) => newsLine(one, now, style));
  return [...urgent, ...(urgent.length < size.lines ? news : [])]
    .slice(0, size.lines)
    .map((parts) => line(parts, size.width));
}

function stateLines(model: ViewModel, now: number, style: Paint): Part[][] {
  const { warn, dim } = style;
  const { ended, waiting, limits, paused } = model;
  if (ended !== null) {
    const end = RUN_ENDS[ended.status];
    const tint = style[end.tint];
    return [[part(end.tint === "good" ? "✓ " : "■ ", tint), part(ended.text, tint)]];
  }
  const reached = limits.filter(({ until }) => until === null || Date.parse(until) > now);
  return [
    ...(paused
      ? [[part("‖ ", warn), part("paused: current work finishes, nothing new starts", warn)]]
      : []),
    ...(waiting === null || Date.parse(waiting.until) <= now
      ? []
      : [
          [
            part("◷ ", warn),
            part(
              `waits ${untilThen(waiting.until, now)}, until ${clock(waiting.until, now)}`,
              warn,
            ),
            part(`: ${waiting.why}`, dim),
          ],
        ]),
    ...reached.map(({ agent, until }) => [
      part("◷ ", warn),
      part(`${agent} has reached its usage limit`, warn),
      part(until === null ? "" : `; back at ${clock(until, now)}, ${untilThen(until, now)}`, dim),
    ]),
  ];
}

/** A key answers questions; a long text must not hide the command for the rest. */
function waitingLines(model: ViewModel, { warn, bold }: Paint): Part[][] {
  const { specs } = model;
  const waiting = planWaiting(specs.map((one) => waitingIn(model, one)));
  return waiting.map(({ kind, spec, what, todo }) => [
    part(`${WAITS} `, warn),
    part(kind === "question" ? "" : `${todo}  `, bold),
    part((specs.length > 1 ? `${spec}: ${what}` : what).replace(/\. To \w+ it:$/, "")),
  ]);
}

function newsLine({ at, kind, task, text }: News, now: number, style: Paint): Part[] {
  const { dim, bad, warn, good } = style;
  const about = task === "" ? "" : `${task} `;
  const parts: Readonly<Record<News["kind"], readonly Part[]>> = {
    refused: [part("✗ ", bad), part(`${about}refused: `, bad), part(text)],
    trouble: [part("✗ ", bad), part(`${about}${text}`)],
    conflict: [part("✗ ", warn), part(`${about}conflict in ${text}`)],
    budget: [part("$ ", bad), part(text)],
    merged: [part("✓ ", good), part(`${about}merged as ${text.slice(0, 9)}`, dim)],
    swept: [
      part("· ", dim),
      part(
        `ended ${text === "1" ? "1 process" : `${text} processes`} that an agent left behind`,
        dim,
      ),
    ],
    changed: [part("→ ", warn), part(text)],
    note: [part("· ", dim), part(text, dim)],
  };
  return [part(`${clock(at, now)} `, dim), ...parts[kind]];
}
