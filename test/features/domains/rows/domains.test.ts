import { expect, test } from "vitest";
import {
  insertDomainChange,
  insertRecheck,
  listRechecks,
} from "../../../../src/features/domains/rows/domain-checks.ts";
import {
  countDomainChanges,
  countDomains,
  countMonitored,
  hasDomain,
  insertDomain,
  isDomainVerified,
  listDomainChanges,
  listDomains,
  readDomain,
  readLastReport,
  removeDomain,
  updateSelector,
} from "../../../../src/features/domains/rows/domains.ts";
import type { DomainsTable } from "../../../../src/features/domains/tables.ts";
import { removeSomeDomains } from "../../../../src/features/people/rows/workspaces.ts";
import { encodeReport } from "../../../../src/features/tests/rows/reports.ts";
import { inWorkspace, type Scope } from "../../../../src/platform/database/scope.ts";
import { claimDue, finishClaim } from "../../../../src/platform/work/claims.ts";
import { eachDialect } from "../../../platform/database/each-dialect.ts";
import { insertWorkspaces } from "../../../platform/database/nouns.ts";

const dayMs = 86_400_000;

eachDialect("monitored domains", (open) => {
  async function openWithWorkspaces() {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, "wsp_a", "wsp_b"));
    const read = inWorkspace(store.read, "wsp_a");
    const write = <T>(work: (scope: Scope) => Promise<T>, workspace = "wsp_a") =>
      store.write((db) => work(inWorkspace(db, workspace)));
    const insert = (id: string, domain = `${id}.example`, workspace = "wsp_a") =>
      write((scope) => insertDomain(scope, { id, domain, dkim_selector: null, created_at: 1_000 }), workspace);
    const set = (id: string, columns: object) =>
      store.write((db) => db.updateTable("domains").set(columns).where("id", "=", id).execute());
    const idsOf = async (page: Parameters<typeof listDomains>[1]) =>
      (await listDomains(read, page)).map(({ id }) => id);
    const claim = (now = 1_000) =>
      store.write((db) => claimDue(db, "domains", { now, owner: "one", leaseMs: 10, limit: 100 }));
    return { store, read, write, insert, set, idsOf, claim };
  }

  test("monitored domains are unique in a workspace, due immediately, and invisible to others", async () => {
    const { store, read, insert, claim } = await openWithWorkspaces();
    expect(await insert("dom_1", "a.example")).toBe(true);
    expect(await insert("dom_2", "a.example")).toBe(false);
    expect(await insert("dom_3", "a.example", "wsp_b")).toBe(true);
    expect(await hasDomain(read, "a.example")).toBe(true);
    expect(await hasDomain(read, "b.example")).toBe(false);
    expect(await readDomain(read, "dom_1")).toMatchObject({ domain: "a.example", due_at: 1_000 });
    expect(await readDomain(read, "dom_3")).toBeUndefined();
    expect(await countMonitored(read)).toBe(1);
    expect(await countMonitored(inWorkspace(store.read, "wsp_none"))).toBe(0);
    expect((await claim()).map(({ id }) => id)).toEqual(["dom_1", "dom_3"]);
  });

  test("monitored domains are listed newest first, in pages, without internal columns", async () => {
    const { read, insert, idsOf } = await openWithWorkspaces();
    for (const id of ["dom_1", "dom_2", "dom_3"]) await insert(id);
    await insert("dom_4", "d.example", "wsp_b");
    expect(await idsOf({ limit: 2 })).toEqual(["dom_3", "dom_2"]);
    expect(await idsOf({ limit: 2, after: "dom_2" })).toEqual(["dom_1"]);
    expect(await idsOf({ limit: 2, offset: 1 })).toEqual(["dom_2", "dom_1"]);
    const [first] = await listDomains(read, { limit: 1 });
    expect(first).toMatchObject({ domain: "dom_3.example", due_at: 1_000, unstable: 0 });
    expect(first).not.toHaveProperty("claimed_by");
  });

  test("monitored domains are released from a running check if their selector changes", async () => {
    const { store, read, write, insert, claim } = await openWithWorkspaces();
    await insert("dom_1");
    const [ticket] = await claim();
    expect(ticket).toMatchObject({ claimed_by: "one" });
    const columns = { dkim_selector: "s1", due_at: 500 };
    await write((scope) => updateSelector(scope, "dom_1", columns));
    const unclaimed = { claimed_by: null, claimed_until: null };
    expect(await readDomain(read, "dom_1")).toMatchObject({ ...columns, ...unclaimed });
    const [again] = await claim();
    const finish = (row = ticket) => store.write((db) => finishClaim(db, "domains", row as DomainsTable, 500));
    expect([await finish(), await finish(again)]).toEqual([false, true]);
    await write((scope) => updateSelector(scope, "dom_1", { ...columns, due_at: 700 }), "wsp_b");
    expect(await readDomain(read, "dom_1")).toMatchObject(columns);
  });

  test("monitored domains are deleted with their report and history, only by their own workspace", async () => {
    const { store, read, write, insert } = await openWithWorkspaces();
    await insert("dom_1");
    const watch = {
      domain_id: "dom_1",
      checked_at: 1,
      guessed: null,
      certificates: null,
      watch: "{}",
      gist: "gist",
      reported_at: 1,
    };
    await write((scope) => scope.insertInto("domain_watches", watch).execute());
    const report = { domain_id: "dom_1", report: encodeReport('{"a":1}') };
    await write((scope) => scope.insertInto("domain_reports", report).execute());
    const change = { domain_id: "dom_1", at: 1, kind: "drift", changes: "[]" } as const;
    for (const id of ["chg_1", "chg_2", "chg_3"])
      await write((scope) => scope.insertInto("domain_changes", { ...change, id }).execute());
    const other = inWorkspace(store.read, "wsp_b");
    expect(await readLastReport(read, "dom_1")).toEqual({ report: '{"a":1}', watch: "{}" });
    expect(await readLastReport(other, "dom_1")).toBeNull();
    const idsOf = async (scope: Scope, page: Parameters<typeof listDomainChanges>[2]) =>
      (await listDomainChanges(scope, "dom_1", page)).map(({ id }) => id);
    expect(await idsOf(read, { limit: 2 })).toEqual(["chg_3", "chg_2"]);
    expect(await idsOf(read, { limit: 2, after: "chg_2" })).toEqual(["chg_1"]);
    expect(await idsOf(other, { limit: 2 })).toEqual([]);
    expect(await countDomainChanges(read, "dom_1")).toBe(3);
    expect(await write((scope) => removeDomain(scope, "dom_1"), "wsp_b")).toBe(false);
    expect(await write((scope) => removeDomain(scope, "dom_1"))).toBe(true);
    for (const table of ["domain_watches", "domain_reports"] as const)
      expect(await store.read.selectFrom(table).selectAll().execute()).toEqual([]);
    expect(await countDomainChanges(read, "dom_1")).toBe(0);
  });

  test("monitored domains fail with any failing verdict or without SPF or DMARC, but not without a key or logo", async () => {
    const { read, insert, set } = await openWithWorkspaces();
    const fine = { spf: "pass", dkim: "pass", dmarc: "warn", bimi: "pass" };
    const rows: readonly [object, number][] = [
      [{ unstable: 1 }, 0],
      [fine, 0],
      [{ ...fine, dkim: "missing", bimi: "missing" }, 0],
      [{ ...fine, spf: "error", dmarc: "error" }, 0],
      ...(["spf", "dkim", "dmarc", "bimi"] as const).map((name): [object, number] => [{ ...fine, [name]: "fail" }, 1]),
      [{ ...fine, spf: "missing" }, 1],
      [{ ...fine, dmarc: "missing" }, 1],
    ];
    let failing = 0;
    for (const [n, [columns, more]] of rows.entries()) {
      await insert(`dom_${n}`);
      await set(`dom_${n}`, columns);
      failing += more;
      expect(await countDomains(read, 1e12)).toMatchObject({ monitored: n + 1, failing, drifted24h: 0 });
    }
    // Those with a verdict for each that isn't wrong: the unchecked and the silent ones aren't fine either.
    expect(await countDomains(read, 1e12)).toMatchObject({ failing: 6, fine: 2 });
  });

  test("monitored domains count as drifted for a day", async () => {
    const { read, insert, set } = await openWithWorkspaces();
    await insert("dom_1");
    await set("dom_1", { last_drift_at: 5_000 });
    const driftedAt = async (now: number) => (await countDomains(read, now)).drifted24h;
    expect(await driftedAt(5_000)).toBe(1);
    expect(await driftedAt(5_000 + dayMs - 1)).toBe(1);
    expect(await driftedAt(5_000 + dayMs)).toBe(0);
  });

  test("monitored domains are verified once their record was seen, but not their subdomains", async () => {
    const { store, read, insert, set } = await openWithWorkspaces();
    await insert("dom_1", "a.example");
    expect(await isDomainVerified(read, "a.example")).toBe(false);
    await set("dom_1", { verified_at: 1 });
    expect(await isDomainVerified(read, "a.example")).toBe(true);
    expect(await isDomainVerified(read, "www.a.example")).toBe(false);
    expect(await isDomainVerified(inWorkspace(store.read, "wsp_b"), "a.example")).toBe(false);
  });

  test("monitored domains of a removed workspace are deleted in steps", async () => {
    const { write, insert, claim } = await openWithWorkspaces();
    for (const id of ["dom_1", "dom_2", "dom_3"]) await insert(id);
    await insert("dom_4", "d.example", "wsp_b");
    const removeSome = () => write((scope) => removeSomeDomains(scope, 2));
    expect([await removeSome(), await removeSome(), await removeSome()]).toEqual([2, 1, 0]);
    expect((await claim()).map(({ id }) => id)).toEqual(["dom_4"]);
  });

  test("monitored domains keep the newest thousand changes each", async () => {
    const { store, read, write, insert } = await openWithWorkspaces();
    await insert("dom_1");
    await insert("dom_2");
    const toId = (n: number) => `chg_${String(n).padStart(4, "0")}`;
    const change = (id: string, domainId = "dom_1") => ({ id, domainId, at: 1, kind: "drift", changes: [] }) as const;
    await write((scope) => insertDomainChange(scope, change("chg_0", "dom_2")));
    await store.write(async (db) => {
      const rows = Array.from({ length: 1_000 }, (_, n) => ({
        id: toId(n),
        workspace_id: "wsp_a",
        domain_id: "dom_1",
        at: 1,
        kind: "drift",
        changes: "[]",
      }));
      for (let at = 0; at < rows.length; at += 500)
        await db
          .insertInto("domain_changes")
          .values(rows.slice(at, at + 500) as never)
          .execute();
    });
    expect(await countDomainChanges(read, "dom_1")).toBe(1_000);
    for (const n of [1_000, 1_001]) await write((scope) => insertDomainChange(scope, change(toId(n))));
    expect(await countDomainChanges(read, "dom_1")).toBe(1_000);
    const [oldest] = await listDomainChanges(read, "dom_1", { limit: 1, offset: 999 });
    const [newest] = await listDomainChanges(read, "dom_1", { limit: 1 });
    expect([oldest?.id, newest?.id]).toEqual([toId(2), toId(1_001)]);
    expect(await countDomainChanges(read, "dom_2")).toBe(1);
  });

  test("monitored domains keep the rechecks of the last hour, even if the domain was removed", async () => {
    const { store, read, write } = await openWithWorkspaces();
    const since = (at: number) => listRechecks(read, { kind: "asked", since: at - 100, until: at });
    for (const [at, domain_id] of [
      [10, "dom_1"],
      [50, "dom_2"],
      [105, "dom_1"],
    ] as const)
      await write((scope) => insertRecheck(scope, { domain_id, at, kind: "asked" }, at - 100));
    expect(await since(105)).toEqual([
      { domain_id: "dom_1", at: 10, kind: "asked" },
      { domain_id: "dom_2", at: 50, kind: "asked" },
      { domain_id: "dom_1", at: 105, kind: "asked" },
    ]);
    expect(await since(110)).toHaveLength(2);
    expect(await since(60)).toHaveLength(2);
    await write((scope) => insertRecheck(scope, { domain_id: "dom_1", at: 120, kind: "asked" }, 20));
    expect(await since(105)).toHaveLength(2);
    const anyTime = { since: 0, until: 200 };
    expect(await listRechecks(inWorkspace(store.read, "wsp_b"), { kind: "asked", ...anyTime })).toEqual([]);
    expect(await listRechecks(read, { kind: "removed", ...anyTime })).toEqual([]);
  });
});
