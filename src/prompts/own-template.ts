import type { Edition } from "../layouts/layout.ts";
import { clean } from "../text/template.ts";
import { MAX_GOAL, type TemplateFacts, titleOf } from "./documents.ts";

/** A project's own template, in Spec Kit's form, with what is known filled in as its scripts and commands do. */
export function fillOwnTemplate(
  { voice, requirements }: Edition,
  template: string,
  document: string,
  { name, title, path, goal, date }: TemplateFacts,
): string {
  const folder = path.replace(/^\.\//, "");
  const known = title ?? (document === requirements ? "" : titleOf(name));
  const values: readonly (readonly [RegExp, string])[] = [
    [/\/?specs\/\[###-feature(?:-name)?\]/g, folder],
    [/\[###-feature(?:-name)?\]/g, name],
    [/\[(?:FEATURE(?: NAME)?|PROJECT_NAME)\]/g, known],
    [/\[DATE\]/g, date],
    [/\[link\]/g, "[spec.md](./spec.md)"],
    [/\[Link to spec\.md[^[\]\n]*\]/gi, "[spec.md](../spec.md)"],
    [/\$ARGUMENTS\b/g, clean(goal).slice(0, MAX_GOAL)],
  ];
  // The goal last: nothing in it is filled in turn.
  return values.reduce(
    (text, [pattern, value]) => (value === "" ? text : fillPlaces(text, pattern, value)),
    template.replace(/__SPECKIT_COMMAND_([A-Z]+)__/g, (_, verb: string) =>
      voice.command(verb.toLowerCase()),
    ),
  );
}

/** A template with the goal in more places than that is not for people; those after them stay as they are. */
const MAX_PLACES = 100;

function fillPlaces(text: string, pattern: RegExp, value: string): string {
  let left = MAX_PLACES;
  return text.replace(pattern, (place) => (left-- > 0 ? value : place));
}
