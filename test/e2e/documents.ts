import type { Layout } from "./place.ts";

/** A document from its template: every placeholder is replaced by a text, and nothing else. */
export const fillForm = (form: string): string =>
  form
    .replace(/<(?!!)[^<>]+>/g, "as agreed")
    .replace(/\[(?!P\]|VERIFY\]|US\d+\]|[ x]\])[^[\]\n]+\](?!\()/g, "as agreed");

/** What the form of the requirements, once filled, demands. */
const DEMANDED = {
  specum: "US-1, AC-1.1, AC-1.2, FR-1, NFR-1",
  speckit: "FR-001",
  openspec: "Everybody is greeted",
} as const;

/** What a writer does besides the document: shell lines, run in the spec's folder. */
export const besideOf = ({ id }: Layout, document: string): string[] =>
  id === "specum"
    ? []
    : document === "spec.md"
      ? [
          "test ! -f checklists/requirements.md || sed -i.bak 's/^- \\[ \\]/- [x]/' checklists/requirements.md; rm -f checklists/*.bak",
        ]
      : document === "plan.md"
        ? [
            "mkdir -p contracts && for file in research data-model quickstart contracts/cli; do echo '# As agreed' > $file.md; done",
          ]
        : [];

/** Files that belong to a document of Spec Kit's. */
export const BESIDE: Readonly<Record<string, readonly string[]>> = {
  spec: ["checklists/requirements.md"],
  plan: ["research.md", "data-model.md", "quickstart.md", "contracts/cli.md"],
};

/** What a task leaves behind, to distinguish the tasks of two specs. */
export const outputOf = (spec: string, id: string): string => `out/${spec}-${id}.txt`;

/** A list of tasks that a command can check, each of which serves every requirement. */
export function tasksFor(layout: Layout, spec: string, count: number): string {
  const lines = [`# Tasks: ${spec}`, "", "## Phase 1: Make it", ""];
  for (let index = 0; index < count; index++) {
    const id = layout.taskId(index);
    const output = outputOf(spec, id);
    lines.push(
      `- [ ] ${id}${layout.id === "speckit" ? " [US1]" : ""} Write part ${id} in ${output}`,
      `  - **Do**: write part ${id}`,
      `  - **Files**: \`${output}\``,
      `  - **Done when**: the part is there`,
      `  - **Verify**: \`test -f ${output}\``,
      `  - **Commit**: \`feat: part ${id}\``,
      `  - _Requirements: ${DEMANDED[layout.id]}_`,
      "",
    );
  }
  return lines.join("\n");
}

/** A document without one of its sections. */
export const without = (text: string, section: string): string =>
  text.replace(new RegExp(`^## ${section}[^]*?(?=^## |(?![^]))`, "m"), "");

const SPEC_FORM = `# Feature Specification: [FEATURE NAME]

**Feature Branch**: \`[###-feature-name]\`
**Created**: [DATE]
**Status**: Draft
**Input**: User description: "$ARGUMENTS"

## User Scenarios & Testing *(mandatory)*

<!-- Each story can be tested by itself. -->

### User Story 1 - [Brief Title] (Priority: P1)

[Describe this user journey in plain language]

**Why this priority**: [Explain its value]

**Independent Test**: [Describe how it is tested alone]

**Acceptance Scenarios**:

1. **Given** [initial state], **When** [action], **Then** [expected outcome]

### Edge Cases

- What happens when [boundary condition]?

## Requirements *(mandatory)*

### Functional Requirements

- **FR-001**: System MUST [specific capability]

### Key Entities *(include if feature involves data)*

- **[Entity 1]**: [What it represents]

## Success Criteria *(mandatory)*

### Measurable Outcomes

- **SC-001**: [Measurable metric]

## Assumptions

- [Assumption about target users]
`;

const PLAN_FORM = `# Implementation Plan: [FEATURE]

**Branch**: \`[###-feature-name]\` | **Date**: [DATE] | **Spec**: [link]

## Summary

[Extract from feature spec: primary requirement + technical approach]

## Technical Context

**Language/Version**: [e.g., Python 3.11 or NEEDS CLARIFICATION]
**Testing**: [e.g., pytest or NEEDS CLARIFICATION]

## Constitution Check

*GATE: Must pass before Phase 0 research.*

[Gates determined based on constitution file]

## Project Structure

### Documentation (this feature)

\`\`\`text
specs/[###-feature]/
└── plan.md
\`\`\`

**Structure Decision**: [Document the selected structure]

## Complexity Tracking

> **Fill ONLY if Constitution Check has violations that must be justified**

| Violation | Why Needed | Simpler Alternative Rejected Because |
|-----------|------------|--------------------------------------|
| [e.g., 4th project] | [current need] | [why 3 projects insufficient] |
`;

/** A tree in the form in which \`specify init\` leaves it: rules, forms and scripts, and no features yet. */
export const SPEC_KIT: Readonly<Record<string, string>> = {
  ".specify/memory/constitution.md": "# Constitution\n\n### I. Small\n\nParts MUST be small.\n",
  ".specify/templates/spec-template.md": SPEC_FORM,
  ".specify/templates/plan-template.md": PLAN_FORM,
  ".specify/templates/tasks-template.md":
    "# Tasks: [FEATURE NAME]\n\n## Phase 1: Setup\n\n- [ ] T001 Create project structure\n",
  ".specify/templates/checklist-template.md": "# [CHECKLIST TYPE] Checklist: [FEATURE NAME]\n",
  ".specify/scripts/bash/common.sh": "#!/usr/bin/env bash\n",
};
