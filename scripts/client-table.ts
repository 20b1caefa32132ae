import { readFileSync } from "node:fs";
import { adapters } from "../test/e2e/hosts/all.ts";
import { clientTable } from "../test/e2e/hosts/table.ts";

export const CLIENT_PAGE = "docs/compatibility.md";

/** Between these lines the page is made of the clients' adapters. */
const SECTION = /(?<=^## Clients\n\n)[^]*?(?=\n\nA scenario )/m;

/** The page with the table as the suite has it today. */
export const clientPage = (): string =>
  readFileSync(CLIENT_PAGE, "utf8").replace(SECTION, () => clientTable(adapters));
