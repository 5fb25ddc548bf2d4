import { expect, test } from "vitest";
import { createFailureCount } from "../../../../src/features/audit-log/work/failures.ts";
import { insertUser } from "../../../../src/features/people/rows/users.ts";
import { eachDialect } from "../../../platform/database/each-dialect.ts";
import { silentLog } from "../../../platform/database/store-system.ts";

const email = "ada@example.com";
const eleven = [...Array(11).keys()];

eachDialect("failed logins", (open) => {
  test("failed logins with unknown addresses do not hide those of an account, which have a separate limit", async () => {
    const store = await open();
    const user = { id: "usr_a", email, name: "Ada", password_hash: "", created_at: 1 };
    await store.write((db) => insertUser(db, user));
    let nowMs = Date.UTC(2026, 10, 22);
    const problems: string[] = [];
    const log = { ...silentLog, error: (problem: string) => void problems.push(problem) };
    const count = createFailureCount(store, { now: () => nowMs, log });
    const named = async () => {
      const rows = await store.read.selectFrom("audit_failures").selectAll().execute();
      const known = rows.filter(({ account }) => account === email).length;
      const unnamed = rows.filter(({ account }) => account === "");
      return { known, others: rows.length - known - unnamed.length, unnamed: unnamed.length };
    };
    // The last of them exceeds the minute's bound, and the minutes together the day's.
    for (let minute = 0; minute < 32; minute++) {
      await Promise.all(eleven.map((number) => count(`no-${minute}-${number}@one.example`, "192.0.2.1")));
      await count(email, "192.0.2.1");
      nowMs += 60_000;
    }
    // 29 for minutes, and one for the hour in which the day's bound was reached.
    expect(await named()).toEqual({ known: 32, others: 300, unnamed: 30 });
    for (let minute = 0; minute < 32; minute++) {
      await Promise.all(eleven.map((number) => count(email, `192.0.2.${number + 2}`)));
      nowMs += 60_000;
    }
    expect(await named()).toMatchObject({ known: 300, others: 300 });
    nowMs += 86_400_000;
    await count(email, "192.0.2.1");
    expect(await named()).toMatchObject({ known: 301 });
    expect(problems).toEqual([]);
  });
});
