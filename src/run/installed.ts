/** Folders that a package manager or a compiler can make again, and the files that say what is in them. */
export const INSTALLED: ReadonlyMap<string, readonly string[]> = new Map([
  [
    "node_modules",
    ["package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock"],
  ],
  ["bower_components", ["bower.json"]],
  [".venv", ["uv.lock", "poetry.lock", "Pipfile.lock", "requirements.txt"]],
  ["venv", ["uv.lock", "poetry.lock", "Pipfile.lock", "requirements.txt"]],
  ["vendor", ["composer.lock", "Gemfile.lock", "go.sum"]],
  ["target", ["Cargo.lock"]],
  ["Pods", ["Podfile.lock"]],
  ["elm-stuff", ["elm.json"]],
]);

/** Whether a path leads into such a folder. */
export const isInstalled = (path: string): boolean =>
  path
    .split("/")
    .slice(0, -1)
    .some((name) => INSTALLED.has(name));
