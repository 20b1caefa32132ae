import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeRepository } from "../../test/support/repository.ts";
import { findLink, listChangedLinks, listStrayLinks } from "./stray-links.ts";

function begin() {
  const repository = makeRepository();
  const { root } = repository;
  const link = (target: string, name: string): void => symlinkSync(target, join(root, name));
  const base = repository.commit({ ".gitignore": "made\n", "a.txt": "1", "src/b.txt": "1" });
  return { ...repository, link, base };
}

describe("listChangedLinks", () => {
  it("names links that are new or changed since a commit, whatever their names are", () => {
    const { root, link, commit } = begin();
    link("a.txt", "old");
    const since = commit();
    link("a.txt", "new\nline");
    commit({ "c.txt": "1" });
    link("a.txt", "also");
    // Untracked files are listed elsewhere.
    expect(listChangedLinks(root, since)).toEqual(["new\nline"]);
  });

  it("does not mistake a failing git for no links", () => {
    expect(listChangedLinks(begin().root, "f".repeat(40))).toEqual({
      unread: expect.stringContaining("bad object"),
    });
  });
});

it("findLink finds the first part of a path that is a link", () => {
  const { root, link } = begin();
  link("src", "lib");
  expect(findLink(root, "lib/b.txt")).toBe("lib");
  expect(findLink(root, "src/b.txt")).toBeUndefined();
  expect(findLink(root, "none/b.txt")).toBeUndefined();
});

describe("listStrayLinks", () => {
  it.each([
    ["a.txt", undefined],
    ["src", undefined],
    [".", undefined],
    ["made/x", "made/x"],
    [".git/config", ".git/config"],
    ["nowhere", "nowhere"],
    ["new.txt", "new.txt"],
    ["hop", "made/x"],
    ["src/../../out", "out"],
    ["..", ""],
  ])("a link to %s", (target, stray) => {
    const { root, link, write } = begin();
    write({ "made/x": "1", "new.txt": "1", "../out": "1" });
    link("made/x", "hop");
    link(target, "one");
    const isOutside = target.includes("..");
    expect(listStrayLinks(root, ["one", "a.txt", "gone"], { untracked: false })).toEqual(
      stray === undefined
        ? []
        : [{ name: "one", target: isOutside ? join(root, "..", stray) : stray, isOutside }],
    );
  });

  it("does not accept a way that only this machine has", () => {
    const { root, link } = begin();
    const elsewhere = join(root, "..", "hop");
    symlinkSync(join(root, "a.txt"), elsewhere);
    link(join(root, "a.txt"), "absolute");
    link(elsewhere, "through");
    link("absolute", "twice");
    const names = ["absolute", "through", "twice"];
    expect(listStrayLinks(root, names, { untracked: true })).toMatchObject(
      names.map((name) => ({ name, isOutside: true })),
    );
  });

  it("accepts uncommitted targets if nothing has to be committed", () => {
    const { root, link, write } = begin();
    write({ "new.txt": "1", "made/x": "1" });
    link("new.txt", "one");
    link("made/x", "two");
    const found = listStrayLinks(root, ["one", "two"], { untracked: true });
    expect(found).toEqual([{ name: "two", target: "made/x", isOutside: false }]);
  });
});
