import type { Layout } from "../../layouts/layout.ts";
import { type Foreign, type ForeignStory, plain } from "./foreign.ts";

/** The stories as the layout's documents, by file name. Nothing is added that the file does not say. */
export function renderRequirements(
  form: Layout["requirementForm"],
  document: string,
  name: string,
  { goal }: Foreign,
  stories: readonly ForeignStory[],
): Record<string, string> {
  const aim = plain(goal ?? "", 2000);
  if (form === "delta")
    return {
      "proposal.md": renderProposal(name, aim, stories),
      [`${document}${name}/spec.md`]: renderDelta(stories),
    };
  const title = form === "stories" ? `# Requirements: ${name}` : `# Feature Specification: ${name}`;
  const body = stories.flatMap((story, i) => [
    form === "stories"
      ? `### US-${i + 1}: ${story.title}`
      : `### User Story ${i + 1} - ${story.title}`,
    "",
    ...(story.text === "" ? [] : [story.text, ""]),
    ...(story.criteria.length === 0
      ? []
      : [
          "**Acceptance Criteria**:",
          "",
          ...story.criteria.map((one, c) => `- AC-${i + 1}.${c + 1}: ${one}`),
          "",
        ]),
  ]);
  const section = form === "stories" ? "## User Stories" : "## User Scenarios & Testing";
  const begin = aim === "" ? [] : ["## Goal", "", aim, ""];
  return {
    [document]: [title, "", ...begin, section, "", ...body].join("\n").trimEnd().concat("\n"),
  };
}

const renderProposal = (name: string, aim: string, stories: readonly ForeignStory[]): string =>
  [
    `# Proposal: ${name}`,
    "",
    "## Why",
    "",
    aim === "" ? "The list that this was imported from does not say why." : aim,
    "",
    "## What Changes",
    "",
    ...stories.map(({ title }) => `- ${title}`),
    "",
    "## Capabilities",
    "",
    "### New Capabilities",
    "",
    `- \`${name}\`: what the stories below specs/${name} say`,
    "",
    "## Impact",
    "",
    "- Not said in the list that this was imported from",
    "",
  ].join("\n");

/** A story says what somebody wants, and OpenSpec wants to read what the system SHALL do. */
const renderDelta = (stories: readonly ForeignStory[]): string =>
  [
    "# Spec Delta",
    "",
    "## ADDED Requirements",
    "",
    ...stories.flatMap(({ title, text, criteria }) => [
      `### Requirement: ${title}`,
      "",
      `The system SHALL do what this story asks for: ${text || title}`,
      "",
      ...(criteria.length === 0 ? [title] : criteria).flatMap((one) => [
        `#### Scenario: ${one.slice(0, 120)}`,
        "",
        `- **THEN** ${one}`,
        "",
      ]),
    ]),
  ].join("\n");
