import type { Edition, Phase } from "../layouts/layout.ts";
import type { SpecRef } from "../run/hand-out.ts";
import { describeIntent, INTENT_IDS, type SpecIntent } from "../spec/intent.ts";
import type { NotedItem } from "../spec/noted-items.ts";
import { formatPoint, type NotedPoint } from "../spec/open-points.ts";
import type { Clarification } from "../spec/unresolved.ts";
import { type Granularity, SHORT_SIZE } from "../tasks/granularity.ts";
import { quoteName, quotePath } from "../text/quote.ts";
import { oneLine } from "../text/template.ts";

/** What is known about a spec when a phase begins. */
export interface PhaseFacts {
  readonly spec: SpecRef;
  readonly phase: Phase;
  readonly goal: string;
  readonly quick: boolean;
  readonly intent: SpecIntent;
  readonly granularity: Granularity;
  /** On the short way. */
  readonly small: boolean;
  /** The goal looks small, and the user has not said which way to take. */
  readonly looksSmall: boolean;
  /** The name was made from the goal, and an agent may choose a better one. */
  readonly isProvisional: boolean;
  /** What the user typed after the commands of phases. */
  readonly words: readonly NotedItem[];
  /** What agents reported as open. */
  readonly open: readonly NotedPoint[];
  /** Questions for the user in the document before this one. */
  readonly questions: readonly OpenQuestion[];
  /** Documents of the spec that exist. */
  readonly documents: readonly string[];
  /** What there is beside them. */
  readonly beside: readonly string[];
  /** Lines that say what else is worth reading. */
  readonly hints: readonly string[];
}

export interface OpenQuestion extends Clarification {
  readonly document: string;
}

const MAX_WORDS = 5;
const MAX_OPEN = 10;

/** A client's tool may take only some of them. */
export const sayAtOnce = ({ voice }: Edition, max: number): string =>
  max > (voice.questionsAtOnce ?? max) ? `up to ${voice.questionsAtOnce}` : "all";

export const sayQuestion = ({ document, line, text }: OpenQuestion): string =>
  `${document}:${line} ${JSON.stringify(oneLine(text, 200))}`;

/** Only the coordinator can choose another way, or talk to the user about it; a main agent that works itself is both. */
export function factsOf(
  layout: Edition,
  {
    spec,
    phase,
    intent,
    granularity,
    small,
    looksSmall,
    words,
    open,
    documents,
    beside,
    questions,
    hints,
  }: PhaseFacts,
  reader: "coordinator" | "writer" | "both",
): string {
  const before = [...documents, ...beside].filter((document) => document !== phase.document);
  const isTasks = phase.document === "tasks.md";
  const isWriter = reader !== "coordinator";
  const isCoordinator = reader !== "writer";
  const change = `; \`${layout.voice.program} set intent ${INTENT_IDS.join("|")}\` changes it`;
  const lines = [
    `Intent: ${describeIntent(intent)}${isCoordinator ? change : ""}`,
    ...(small ? [isCoordinator ? sayShort(layout, spec) : sayOneDocument(layout)] : []),
    ...(looksSmall && isCoordinator ? [proposeShort(layout, spec)] : []),
    ...(isTasks ? [`Granularity: ${small ? SHORT_SIZE : granularity}`] : []),
    ...(before.length > 0 ? [`Written so far: ${before.join(", ")}`] : []),
    ...(phase.document.endsWith("/")
      ? [
          `Write one file for each capability, ${phase.document}<capability>/spec.md, from the template of ${phase.document}`,
        ]
      : []),
    ...(documents.includes(phase.document)
      ? [`${phase.document} already exists: update it, do not start over`]
      : []),
    ...(isWriter ? sayBeside(layout, spec, phase) : []),
    ...(isWriter
      ? questions.map((one) => `Open, unless .progress.md has the answer: ${sayQuestion(one)}`)
      : []),
    ...hints.map((hint) => oneLine(hint, 300)),
    ...words.slice(-MAX_WORDS).map((one) => sayWords(phase, one)),
    ...open.map((one, i) => `${i + 1}. from ${one.phase}, ${formatPoint(one)}`).slice(-MAX_OPEN),
    ...(open.some(({ kind }) => kind !== "risk")
      ? [
          `Settle what is open if you can; \`${layout.voice.program} resolve <number>…\` takes it off the list`,
        ]
      : []),
  ];
  return `${lines.map((line) => `- ${line}`).join("\n")}\n`;
}

/** Quoted, as it is not our voice. */
const sayWords = (phase: Phase, { phase: of, text }: NotedItem): string =>
  `From the user, by .progress.md (${of === phase.name ? "this phase" : of}): ${JSON.stringify(oneLine(text, 1000))}`;

const sayOneDocument = (layout: Edition): string => {
  const [plan, ...rest] = shortDocuments(layout);
  const what =
    plan === layout.requirements
      ? "is the only planning document, requirements and design in one"
      : "holds the design too";
  return `Short way: ${plan} ${what}, then ${rest.join(", then ")}`;
};

export const sayShort = (layout: Edition, { name }: SpecRef): string =>
  `${sayOneDocument(layout)}; ${layout.voice.command("start")} ${quoteName(name)} --full takes the long way`;

const proposeShort = (layout: Edition, { name }: SpecRef): string => {
  const [plan, ...rest] = shortDocuments(layout);
  return `Looks small: tell the user in one line that ${layout.voice.command("start")} ${quoteName(name)} --small takes the short way (${plan} with its design, then ${rest.join(", then ")})`;
};

const shortDocuments = ({ shortPhases }: Edition): string[] =>
  shortPhases.map(({ document }) => document);

/** What the writer also sees to. */
function sayBeside(
  { checklists }: Edition,
  { basePath, folder = basePath }: SpecRef,
  { document, beside = [] }: Phase,
): string[] {
  const own = checklists === undefined ? undefined : `${checklists.folder}/${checklists.own}`;
  const more = beside.filter((name) => name !== own);
  return [
    ...(more.length > 0 ? [`Beside it, as far as the feature needs them: ${more.join(", ")}`] : []),
    ...(own !== undefined && beside.includes(own)
      ? [
          `${quotePath(`${folder}/${own}`)} is there: once ${document} is written, tick each item that holds for it, and no other; leave a line under Notes for what stays open`,
        ]
      : []),
  ];
}
