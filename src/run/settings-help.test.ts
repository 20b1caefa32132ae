import { expect, it } from "vitest";
import { ALL_SETTINGS, describeRule, findSetting } from "./settings-help.ts";

it.each(ALL_SETTINGS)("$name has help, a group, and a default that it understands", (row) => {
  expect(row.help).not.toBe("");
  expect(row.group).not.toBe("");
  expect(row.kind.takes).not.toBe("");
  const said = row.usual === undefined ? undefined : row.usual === "[]" ? [] : [row.usual];
  const misread: string[] = [];
  const value = said && row.kind.read(said, (what) => misread.push(what));
  expect(misread).toEqual([]);
  expect(value).toEqual(row.value);
  expect(row.value === undefined).toBe(row.usual === undefined);
});

it("only choices are compared by how strict they are", () => {
  const strict = ALL_SETTINGS.filter(({ project }) => project === "stricter");
  expect(strict.filter(({ kind }) => kind.choices === undefined)).toEqual([]);
  expect(strict.length).toBeGreaterThan(0);
});

it.each([
  ["evidence", "only a stricter value counts, in the order off, recorded, required"],
  ["stall_limit", "only a lower number counts"],
  ["branch", "ignored"],
  ["run_max_cost", "ignored"],
])("in a project's file, %s: %s", (name, says) => {
  const row = findSetting(name);
  expect(row && describeRule(row)).toBe(says);
});
