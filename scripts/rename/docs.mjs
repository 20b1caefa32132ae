import fs from "node:fs";
import path from "node:path";

/** Exact replacements of text in the map and the docs; one that no longer applies is reported. */
const TEXT = {
  "AGENTS.md": [
    ["`beside` of the phase", "`companions` of the phase"],
    ["; `trees/` (work trees, merge queue, take), `epic/`", "; `epic/`"],
    ["| `src/runner` | How does", "| `src/worktrees` | How are a run's own work trees made, merged, taken and removed? |\n| `src/runner` | How does"],
    ["beside: what belongs to a phase's document", "companions: what belongs to a phase's document"],
    ["ground: where a run works, the trunk or the user's tree", "workspace: where a run works, the trunk or the user's tree"],
    ["apart: in a task's own work tree", "parallel: in a task's own work tree, while others work in theirs"],
    ["aside: half-done work, kept under a ref", "stash: unfinished work, kept under a ref"],
    ["held: open, but not handed out until the user has said something", "blocked: open, but not handed out until the user has said something (`held` in the journal is something else: what the user decided)"],
    ["`environment.ts`, `folders.ts`, `facts.ts` in `src/agents`", "`agent-environment.ts`, `folders.ts`, `facts.ts` in `src/agents`"],
    ["opens its ground", "opens its workspace"],
    ["tasks of a group work apart (", "tasks of a group work in parallel ("],
    ["It is heard (", "It is handled ("],
    ["the report is weighed", "the report is judged"],
    ["Only a `turn` is weighed", "Only a `turn` is judged"],
    ["`hearReport` runs Verify", "`handleReport` runs Verify"],
    ["sets aside what a killed run left", "stashes what a killed run left"],
  ],
  "docs/decisions.md": [["(`beside`)", "(`companions`)"]],
};

export function rewriteDocs({ root, moves, exists, movedTrees, replacePaths, report, all }) {
  const newPath = (f) => moves.get(f) ?? f;
  const files = all.filter((f) => !moves.has(f) && /\.(md|json|jsonc|ya?ml|sh|cjs|mjs)$|^\.ci\//.test(f) && !/^(plugins|bin|commands|hooks|schemas)\/|^CHANGELOG\.md$|^package-lock\.json$|mutations\.json$|^(src|test)\/.*\.(cjs|mjs)$/.test(f));
  for (const file of files) {
    const text = fs.readFileSync(path.join(root, file), "utf8");
    let now = text;
    const isMap = /^(AGENTS|CONTRIBUTING|SECURITY)\.md$|^docs\/(decisions|guarantees)\.md$/.test(file);
    if (isMap) now = now.split("\n").map((line) => mapLine(line)).join("\n");
    now = isMap || !/^src\/|^test\//.test(file) ? replacePaths(now) : now;
    for (const [from, to] of TEXT[file] ?? []) {
      if (movedTrees === false && /worktrees|`trees\/`/.test(to + from)) continue;
      if (now.includes(from)) now = now.replaceAll(from, () => to);
      else if (!now.includes(to)) report(`${file}: no more "${from}"`);
    }
    if (file === ".oxlintrc.json" && movedTrees) now = layer(now);
    if (now !== text) fs.writeFileSync(path.join(root, file), now);
  }

  /** Names of files in backticks, which may leave out the folder of the one before. */
  function mapLine(line) {
    let folder = "";
    return line.replace(/`((?:[\w.-]+\/)*[\w.-]+\.(?:ts|md)|src(?:\/[\w-]+)+)`/g, (all, name) => {
      if (!/\.(ts|md)$/.test(name)) { folder = name; return all; }
      const options = [name, `src/${name}`, folder && `${folder}/${name}`, folder && `${path.posix.dirname(folder)}/${name}`].filter(Boolean);
      let found = options.find((o) => exists.has(o));
      if (found === undefined) {
        let ends = [...exists].filter((f) => f.startsWith("src/") && f.endsWith(`/${name}`));
        if (folder && ends.some((f) => f.startsWith(`${folder}/`))) ends = ends.filter((f) => f.startsWith(`${folder}/`));
        if (ends.length === 1) found = ends[0];
        else if (ends.length > 1 && ends.some((f) => moves.has(f))) report(`docs: \`${name}\` may be any of ${ends.join(", ")}: ${line.slice(0, 60)}`);
      }
      if (found === undefined) return all;
      const before = folder;
      if (/^(src|test)\//.test(found)) folder = path.posix.dirname(found);
      const now = newPath(found);
      if (now === found && newFolder(before) === before) return all;
      const lost = found.slice(0, found.length - name.length); // the part that the text leaves out
      const left = lost === "" ? "" : newFolder(lost.replace(/\/$/, "")) + "/";
      if (lost === "" || lost === "src/") return `\`${now.slice(lost.length)}\``;
      return now.startsWith(left) ? `\`${now.slice(left.length)}\`` : now.startsWith(lost) ? `\`${now.slice(lost.length)}\`` : `\`${now}\``;
    });
  }
  function newFolder(f) { return movedTrees && (f === "src/runner/trees" || f.startsWith("src/runner/trees/")) ? f.replace("src/runner/trees", "src/worktrees") : f; }

  /** A room below the runner. */
  function layer(text) {
    if (text.includes("worktrees")) return text;
    let now = text.replace(/engine\|runner\|apps/g, "engine|worktrees|runner|apps").replace(/engine, runner, apps\./g, "engine, worktrees, runner, apps.");
    now = now.replace(/("\^\(\\\\\.\\\\\.\/\)\+\()runner\|apps\)/g, "$1worktrees|runner|apps)");
    const block = /    \{\n      "files": \["src\/runner\/\*\*"\],[\s\S]*?\n    \},\n/.exec(now);
    const engine = /    \{\n      "files": \["src\/engine\/\*\*"\],[\s\S]*?\n    \},\n/.exec(now);
    if (!block || !engine) { report(".oxlintrc.json: the layer src/worktrees was not added"); return now; }
    const added = engine[0].replace("src/engine/**", "src/worktrees/**").replace("(worktrees|runner|apps)", "(runner|apps)");
    return now.slice(0, block.index) + added + now.slice(block.index);
  }
}
