import { parseYaml } from "../text/yaml.ts";

/** A command that an extension of Spec Kit wants to be run before or after one of its own. */
export interface ExtensionHook {
  readonly extension: string;
  /** Its id, `speckit.git.commit`. */
  readonly command: string;
  /** The user decides whether it is run. */
  readonly optional: boolean;
  /** What the user is asked, or what it does. */
  readonly about: string;
}

/** Spec Kit's own commands: nothing else has hooks. */
export const HOOKED: readonly string[] = [
  "constitution",
  "specify",
  "clarify",
  "plan",
  "checklist",
  "tasks",
  "analyze",
  "implement",
  "taskstoissues",
];

const DEFAULT_PRIORITY = 10;
const EXTENSION = /^[a-z0-9-]{1,64}$/;
const COMMAND = /^[a-z0-9][\w.:-]{0,99}$/i;

/**
 * The hooks of an event such as `before_plan`, as Spec Kit's own commands read them: those that are not turned off, the
 * lowest priority first. One with a condition is left to Spec Kit's program, which alone can judge it. What cannot be
 * read has no hooks.
 */
export function parseHooks(text: string, event: string): ExtensionHook[] {
  const listed = valueIn(valueIn(parseYaml(text), "hooks"), event);
  const entries = Array.isArray(listed) ? (listed as readonly unknown[]) : [];
  return entries
    .filter((entry) => valueIn(entry, "enabled") !== false && !hasCondition(entry))
    .sort((a, b) => priorityOf(a) - priorityOf(b))
    .flatMap((entry) => {
      const [extension, command, prompt, description] = [
        "extension",
        "command",
        "prompt",
        "description",
      ].map((key) => textIn(entry, key)) as [string, string, string, string];
      if (!EXTENSION.test(extension) || !COMMAND.test(command)) return [];
      const optional = valueIn(entry, "optional") !== false;
      return [{ extension, command, optional, about: (optional && prompt) || description }];
    });
}

const hasCondition = (entry: unknown): boolean => {
  const condition = valueIn(entry, "condition") ?? "";
  return condition !== "" && condition !== false;
};

function priorityOf(entry: unknown): number {
  const said = Number(valueIn(entry, "priority") ?? DEFAULT_PRIORITY);
  return Number.isSafeInteger(said) && said >= 1 ? said : DEFAULT_PRIORITY;
}

const textIn = (value: unknown, key: string): string => {
  const found = valueIn(value, key);
  return typeof found === "string" ? found.trim() : "";
};

const valueIn = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
