import { WAITS } from "../../../facts/marks.ts";
import { planWaiting } from "../../../facts/waiting.ts";
import type { News, ViewModel } from "../../../runner/view/model.ts";
import { waitingIn } from "../../../runner/view/waiting.ts";
import type { Paint } from "../../cli/paint.ts";
import { clock, untilThen } from "./clock.ts";
import { line, type Part } from "./rows.ts";

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

function stateLines(model: ViewModel, now: number, { warn, bad, good, dim }: Paint): Part[][] {
  const { ended, waiting, limits, paused } = model;
  if (ended !== null) {
    const tint = ended.status === "finished" ? good : bad;
    return [
      [
        { text: ended.status === "finished" ? "✓ " : "■ ", tint },
        { text: ended.text, tint },
      ],
    ];
  }
  const reached = limits.filter(({ until }) => until === null || Date.parse(until) > now);
  return [
    ...(paused
      ? [
          [
            { text: "‖ ", tint: warn },
            { text: "paused: current work finishes, nothing new starts", tint: warn },
          ],
        ]
      : []),
    ...(waiting === null || Date.parse(waiting.until) <= now
      ? []
      : [
          [
            { text: "◷ ", tint: warn },
            {
              text: `waits ${untilThen(waiting.until, now)}, until ${clock(waiting.until, now)}`,
              tint: warn,
            },
            { text: `: ${waiting.why}`, tint: dim },
          ],
        ]),
    ...reached.map(({ agent, until }) => [
      { text: "◷ ", tint: warn },
      { text: `${agent} has reached its usage limit`, tint: warn },
      {
        text: until === null ? "" : `; back at ${clock(until, now)}, ${untilThen(until, now)}`,
        tint: dim,
      },
    ]),
  ];
}

/** A key answers questions; a long text must not hide the command for the rest. */
function waitingLines(model: ViewModel, { warn, bold }: Paint): Part[][] {
  const { specs } = model;
  const waiting = planWaiting(specs.map((one) => waitingIn(model, one)));
  return waiting.map(({ kind, spec, what, todo }) => [
    { text: `${WAITS} `, tint: warn },
    { text: kind === "question" ? "" : `${todo}  `, tint: bold },
    { text: (specs.length > 1 ? `${spec}: ${what}` : what).replace(/\. To \w+ it:$/, "") },
  ]);
}

function newsLine({ at, kind, task, text }: News, now: number, style: Paint): Part[] {
  const { dim, bad, warn, good } = style;
  const about = task === "" ? "" : `${task} `;
  const parts: Readonly<Record<News["kind"], readonly Part[]>> = {
    refused: [{ text: "✗ ", tint: bad }, { text: `${about}refused: `, tint: bad }, { text }],
    trouble: [{ text: "✗ ", tint: bad }, { text: `${about}${text}` }],
    conflict: [{ text: "✗ ", tint: warn }, { text: `${about}conflict in ${text}` }],
    budget: [{ text: "$ ", tint: bad }, { text }],
    merged: [
      { text: "✓ ", tint: good },
      { text: `${about}merged as ${text.slice(0, 9)}`, tint: dim },
    ],
    swept: [
      { text: "· ", tint: dim },
      {
        text: `ended ${text === "1" ? "1 process" : `${text} processes`} that an agent left behind`,
        tint: dim,
      },
    ],
    changed: [{ text: "→ ", tint: warn }, { text }],
    note: [
      { text: "· ", tint: dim },
      { text, tint: dim },
    ],
  };
  return [{ text: `${clock(at, now)} `, tint: dim }, ...parts[kind]];
}
