import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import { describeScripts } from "./speckit-scripts.ts";

/*
 * A stand-in for Spec Kit's check-prerequisites.sh (1.0): it reads what that reads, in that order. The full run does the
 * same with the real one, if there is a checkout.
 */
describeScripts((flow, options, cwd = flow.root) => {
  const fail = (err: string) => ({ code: 1, said: {}, err });
  let root = cwd;
  while (!existsSync(join(root, ".specify")) && dirname(root) !== root) root = dirname(root);
  const file = join(root, ".specify/feature.json");
  if (!existsSync(file)) return fail("Feature directory not found.");
  const named = (JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>)[
    "feature_directory"
  ];
  if (typeof named !== "string" || named === "") return fail("Feature directory not found.");
  const folder = isAbsolute(named) ? named : join(root, named);
  const at = (name: string): string => join(folder, name);
  const succeed = (said: Record<string, unknown>) => ({ code: 0, said, err: "" });
  if (options.includes("--paths-only"))
    return succeed({
      REPO_ROOT: root,
      BRANCH: basename(folder),
      FEATURE_DIR: folder,
      FEATURE_SPEC: at("spec.md"),
      IMPL_PLAN: at("plan.md"),
      TASKS: at("tasks.md"),
    });
  if (!existsSync(folder)) return fail(`Feature directory not found: ${folder}`);
  if (!existsSync(at("plan.md"))) return fail("plan.md not found");
  if (options.includes("--require-tasks") && !existsSync(at("tasks.md")))
    return fail("tasks.md not found");
  const documents = ["research.md", "data-model.md", "contracts", "quickstart.md"];
  const listed = options.includes("--include-tasks") ? [...documents, "tasks.md"] : documents;
  const isThere = (name: string): boolean => {
    const stat = statSync(at(name), { throwIfNoEntry: false });
    return stat?.isDirectory() === true ? readdirSync(at(name)).length > 0 : stat !== undefined;
  };
  return succeed({
    FEATURE_DIR: folder,
    AVAILABLE_DOCS: listed
      .filter(isThere)
      .map((name) => (name === "contracts" ? "contracts/" : name)),
  });
});
