// Every released schema is kept as text and opened again by today's code.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { listBounces } from "../../src/features/feedback/rows/bounces.ts";
import { listMailReports } from "../../src/features/feedback/rows/mail-reports.ts";
import { findSeedInbox } from "../../src/features/intake/rows/seed-inboxes.ts";
import { findTests } from "../../src/features/tests/rows/lists.ts";
import { readRawMessage } from "../../src/features/tests/rows/raw-messages.ts";
import { readReport } from "../../src/features/tests/rows/reports.ts";
import { listTests } from "../../src/features/tests/rows/tests.ts";
import { migrations } from "../../src/platform/database/migrations/list.ts";
import type { Db } from "../../src/platform/database/schema.ts";
import { inWorkspace } from "../../src/platform/database/scope.ts";
import { schemaFixtures, writeSchemaFixture } from "../platform/database/schema-fixture.ts";
import { openSqliteStore, temporaryFolder } from "../platform/database/temporary.ts";

test("there is one for each migration", () => {
  expect(readdirSync(schemaFixtures).sort()).toEqual(migrations.map(({ name }) => `${name}.sql`));
});

for (const { name } of migrations) {
  test(`a database left at ${name} opens, migrated, with all that was in it`, async () => {
    const file = join(temporaryFolder(), "assay.db");
    writeSchemaFixture(name, file);

    const { read, messages } = await openSqliteStore(file);
    const fresh = await openSqliteStore(join(temporaryFolder(), "assay.db"));
    expect(await schemaOf(read)).toEqual(await schemaOf(fresh.read));

    const scope = inWorkspace(read, "wsp_1");
    expect((await listTests(scope, { limit: 9 })).map(({ id }) => id)).toEqual(["tst_2", "tst_1"]);
    const found = await findTests(read, "wsp_1", { limit: 9 }, { words: ["hello", "sender.exam"] });
    expect(found.tests.map(({ id }) => id)).toEqual(["tst_1"]);
    expect(await readReport(scope, "tst_1")).toBe('{"composite":91.5}');
    expect((await readRawMessage(scope, messages, "tst_2"))?.bytes.length).toBe(24_018);
    expect(await listBounces(scope, { limit: 9 })).toMatchObject([{ test_id: "tst_3", related_test_id: "tst_1" }]);
    expect(await listMailReports(scope, { limit: 9 })).toMatchObject([{ type: "tls", problem: "Not JSON." }]);
    expect(await findSeedInbox(read, "w7k3qz2m9p", "seed.example")).toMatchObject({ workspace_id: "wsp_1" });
  });
}

async function schemaOf(db: Db): Promise<unknown[]> {
  const { rows } = await sql`select type, name, sql from sqlite_master order by type, name`.execute(db);
  return rows;
}
