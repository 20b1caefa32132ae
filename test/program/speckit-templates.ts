const preset = (id: string, strategy: string, file = "spec.md"): Record<string, string> => ({
  [`.specify/presets/${id}/preset.yml`]: `provides:\n  templates:\n    - type: template\n      name: spec-template\n      file: ${file}\n      strategy: ${strategy}\n`,
});

const registry = (kind: string, entries: object): Record<string, string> => ({
  [`.specify/${kind}/.registry`]: JSON.stringify({ [kind]: entries }),
});

/** Projects with templates in several places. */
export const TEMPLATES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "overrides come first": {
    ".specify/templates/overrides/spec-template.md": "# Override\n",
    ".specify/presets/a/templates/spec-template.md": "# Preset\n",
    ".specify/presets/a/templates/plan-template.md": "# Preset plan\n",
  },
  "presets by their priority": {
    ...registry("presets", {
      a: { priority: 20 },
      b: { priority: 5 },
      c: { enabled: false, priority: 1 },
    }),
    ".specify/presets/a/templates/spec-template.md": "# A\n",
    ".specify/presets/b/spec-template.md": "# B\n",
    ".specify/presets/c/spec-template.md": "# C\n",
    ".specify/presets/unlisted/tasks-template.md": "# Unlisted\n",
  },
  "without a registry, by name": {
    ".specify/presets/b/spec-template.md": "# B\n",
    ".specify/presets/a/spec-template.md": "# A\n",
  },
  "extensions after presets": {
    ...registry("extensions", { x: { priority: 30 }, off: { enabled: false } }),
    ".specify/extensions/x/templates/spec-template.md": "# X\n",
    ".specify/extensions/off/templates/spec-template.md": "# Off\n",
    ".specify/extensions/unlisted/templates/spec-template.md": "# Unlisted\n",
    ".specify/presets/a/plan-template.md": "# A plan\n",
    ".specify/extensions/x/templates/plan-template.md": "# X plan\n",
  },
  "presets that add to what comes after them": {
    ...registry("presets", { a: { priority: 1 }, b: { priority: 2 }, c: { priority: 3 } }),
    ...preset("a", "wrap"),
    ".specify/presets/a/spec.md": "# Begin\n\n{CORE_TEMPLATE}\n\n# End\n",
    ...preset("b", "append"),
    ".specify/presets/b/spec.md": "## Appended\n",
    ...preset("c", "prepend"),
    ".specify/presets/c/spec.md": "## Prepended\n",
  },
  "a preset whose manifest names a file that is missing": {
    ...preset("a", "replace", "missing.md"),
    ".specify/presets/a/templates/spec-template.md": "# Not this one\n",
  },
};

/** What is used for spec.md in each of them, over a core template `# Spec`. */
export const EXPECTED: Readonly<Record<string, string>> = {
  "overrides come first": "# Override\n",
  "presets by their priority": "# B\n",
  "without a registry, by name": "# A\n",
  "extensions after presets": "# Unlisted\n",
  "presets that add to what comes after them":
    "# Begin\n\n## Prepended\n\n\n# Spec\n\n\n## Appended\n\n\n# End\n",
  "a preset whose manifest names a file that is missing": "# Spec\n",
};
