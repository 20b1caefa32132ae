import { DESIGNS } from "../tasks/tags.ts";
import { field, type Kind, listOf, objectOf, oneOf, recordOf, string } from "../text/schema.ts";
import type { Agreement } from "./agreement.ts";

const agreement: Kind<Agreement> = objectOf({
  commands: field(listOf(string), ""),
  tasks: field(listOf(string), ""),
});
const checksKind = recordOf(listOf(string));
const namesKind = listOf(string);
const designsKind = recordOf(oneOf(...DESIGNS));

/** An agreement as it was written, perhaps by an older version. */
export function parseAgreement(value: unknown): Agreement | undefined {
  if (!agreement.is(value)) return undefined;
  const { checks, given, designs, red, ...agreed } = value;
  return {
    ...agreed,
    ...(checksKind.is(checks) ? { checks } : {}),
    ...(namesKind.is(given) ? { given } : {}),
    ...(designsKind.is(designs) ? { designs } : namesKind.is(red) ? { red } : {}),
  };
}

export function formatAgreement(agreed: Agreement): string {
  const { designs } = agreed;
  // Older versions, which may share the folder, take every [RED] for agreed without it.
  const red = Object.keys(designs ?? {}).filter((key) => designs?.[key] === "red");
  return JSON.stringify(designs === undefined ? agreed : { ...agreed, red });
}
