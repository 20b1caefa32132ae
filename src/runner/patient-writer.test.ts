import { expect, it } from "vitest";
import { FileFault } from "../store/read.ts";
import { openPatientWriter } from "./patient-writer.ts";

function open(mayDrop?: (one: string) => boolean) {
  const written: string[] = [];
  const disk: { fault?: unknown } = {};
  const writer = openPatientWriter<string>((one) => {
    if (disk.fault !== undefined) throw disk.fault;
    written.push(one);
  }, mayDrop);
  return { written, disk, ...writer };
}

it.each(["ENOSPC", "EDQUOT"])("keeps what a full disk refuses, in its order: %s", (code) => {
  const { written, disk, write } = open();
  write("a");
  disk.fault = Object.assign(new Error(code), { code });
  write("b");
  write("c");
  expect(written).toEqual(["a"]);
  disk.fault = undefined;
  write("d");
  expect(written).toEqual(["a", "b", "c", "d"]);
});

it("writes what is left when it is asked, and drops what nobody would miss", () => {
  const { written, disk, write, flush } = open((one) => one === "passing");
  disk.fault = Object.assign(new FileFault("/f", "the disk is full"), { code: "ENOSPC" });
  for (const one of ["b", "passing", "c"]) write(one);
  flush();
  disk.fault = undefined;
  flush();
  expect(written).toEqual(["b", "c"]);
});

it("hides no other fault", () => {
  const { disk, write } = open();
  disk.fault = Object.assign(new Error("EIO"), { code: "EIO" });
  expect(() => write("a")).toThrow("EIO");
});
