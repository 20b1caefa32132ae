import { chownSync, type Stats } from "node:fs";
import { afterEach, describe, expect, it, vi } from "vitest";
import { makeFolder } from "../../test/program/temporary.ts";
import { foreignAbove, whyNotOurs, whyNotPrivate } from "./owner.ts";

const US = 1000;

const as = (user: number): unknown => vi.spyOn(process, "getuid").mockReturnValue(user);

afterEach(() => vi.restoreAllMocks());

// Windows has no such owners.
describe.skipIf(process.getuid === undefined)("whose file it is", () => {
  const nobodys = { root: "/nonexistent", outside: [] };

  it.each([
    [US, US, undefined],
    [US, 0, undefined],
    [US, 1001, "it belongs to user 1001 of this machine"],
    [0, 1001, "it belongs to user 1001 of this machine"],
    [0, 0, undefined],
  ])("to user %i that of user %i", (user, owner, says) => {
    as(user);
    expect(whyNotOurs(nobodys, { uid: owner })).toBe(says);
  });

  // Only root can give files away.
  it.skipIf(process.getuid?.() !== 0)("may be that of the project, or of a folder outside", () => {
    const [project, other] = [makeFolder(), makeFolder()];
    chownSync(project, 1001, 1001);
    chownSync(other, 1002, 1002);
    const grounds = { root: project, outside: [other] };
    for (const user of [0, US]) {
      as(user);
      expect([1001, 1002].map((uid) => whyNotOurs(grounds, { uid }))).toEqual([
        undefined,
        undefined,
      ]);
      expect(whyNotOurs(grounds, { uid: 1003 })).toContain("1003");
    }
    as(US);
    const isForeign = foreignAbove(project);
    expect([project, other, "/nonexistent"].map(isForeign)).toEqual([false, true, false]);
  });
});

describe.skipIf(process.getuid === undefined)("a file that only the user may write", () => {
  it.each([
    [US, US, 0o600, undefined],
    [US, US, 0o644, undefined],
    [0, 0, 0o644, undefined],
    [US, US, 0o664, undefined],
    [US, 100, 0o664, "its group may write it"],
    [US, US, 0o666, "other users may write it"],
    [0, 0, 0o666, "other users may write it"],
    [1001, 1001, 0o600, "it belongs to user 1001 of this machine"],
  ])("of user %i and group %i, with mode %o", (uid, gid, mode, says) => {
    as(US);
    expect(whyNotPrivate({ uid, gid, mode } as Stats)).toBe(says);
  });
});
