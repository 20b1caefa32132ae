import { fieldsOf, listOf, textOf } from "../json.ts";

type Answer =
  | { readonly outcome: "selected"; readonly optionId: string }
  | { readonly outcome: "cancelled" };

/**
 * Always yes: nobody is there to ask, and the user started the run so that the agent works. Options are chosen by kind,
 * not by order. "Once" comes before "always", which some agents write into the user's settings.
 */
export function answerPermission(params: unknown): { outcome: Answer } {
  const options = listOf(fieldsOf(params)["options"]);
  const optionId = ["allow_once", "allow_always", "reject_once", "reject_always"]
    .map((kind) => textOf(options.find((option) => option["kind"] === kind)?.["optionId"]))
    .find((id) => id !== undefined);
  return {
    outcome: optionId === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId },
  };
}
