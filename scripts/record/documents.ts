import design from "./story/design.md";
import requirements from "./story/requirements.md";
import research from "./story/research.md";
import tasks from "./story/tasks.md";

export const GOAL = "add rate limiting to the API";
export const SPEC = "specs/add-rate-limiting-api";

export const documents: Readonly<Record<string, string>> = {
  "research.md": research,
  "requirements.md": requirements,
  "design.md": design,
  "tasks.md": tasks,
};
