import { expect, test } from "vitest";
import type { SeenSender } from "../../../../src/analyzer/reports/seen-senders.ts";
import {
  listSenders,
  maxOfKind,
  noteSenders,
  readDomainHistory,
  watchedForMs,
} from "../../../../src/features/domains/rows/seen-senders.ts";
import { maxOrganizations } from "../../../../src/features/domains/rows/seen-senders-upkeep.ts";
import { forgetOldSenders } from "../../../../src/features/domains/work/seen-senders.ts";
import { inWorkspace } from "../../../../src/platform/database/scope.ts";
import { serveOrThrow } from "../../../../src/platform/work/serve-row.ts";
import { eachDialect } from "../../../platform/database/each-dialect.ts";
import { insertDomain, insertWorkspaces } from "../../../platform/database/nouns.ts";

const dayMs = 86_400_000;
const now = Date.UTC(2026, 10, 20);

const seen = (kind: SeenSender["kind"], domain: string, value: string, fingerprint = "") => ({
  kind,
  domain,
  value,
  fingerprint,
  messages: 1,
});

eachDialect("learned senders", (open) => {
  async function openPlace() {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, "wsp_a", "wsp_b"));
    const scope = inWorkspace(store.read, "wsp_a");
    return {
      ...store,
      scope,
      note: (at: number, ...notes: ReturnType<typeof seen>[]) =>
        store.write((db) =>
          noteSenders(
            db,
            "wsp_a",
            notes.map((note) => ({ ...note, seenAt: at })),
          ),
        ),
      valuesOf: async (domain: string, at = now) => (await listSenders(scope, domain, at)).map(({ value }) => value),
      upkeep: (at = now) =>
        forgetOldSenders({
          store,
          system: { now: () => at },
          stopping: new AbortController().signal,
          serve: serveOrThrow,
        }),
    };
  }

  test("learned senders have one row per sender, with the first and last time seen", async () => {
    const { note, scope } = await openPlace();
    const address = seen("address", "a.example", "203.0.113.1");
    await note(now - 20, address);
    await note(now - 10, { ...address, messages: 7 });
    await note(now - 30, address);
    expect(await listSenders(scope, "a.example", now)).toEqual([
      {
        kind: "address",
        value: "203.0.113.1",
        messages: 9,
        firstSeenAt: now - 30,
        lastSeenAt: now - 10,
        isWatched: true,
      },
    ]);
    expect(await listSenders(inWorkspace((await open()).read, "wsp_b"), "a.example", now)).toEqual([]);
  });

  test("learned senders include those of subdomains, except for selectors", async () => {
    const { note, valuesOf, scope } = await openPlace();
    await note(now, seen("address", "news.a.example", "203.0.113.1"), seen("selector", "news.a.example", "n1"));
    await note(now + 1, seen("address", "a.example", "203.0.113.1"), seen("selector", "a.example", "s1"));
    await note(now + 2, seen("helo", "b-a.example", "x.b-a.example"));
    expect(await valuesOf("a.example")).toEqual(["203.0.113.1", "s1"]);
    expect(await valuesOf("news.a.example")).toEqual(["203.0.113.1", "n1"]);
    expect(await valuesOf("example")).toEqual([]);
    expect(await listSenders(scope, "a.example", now)).toMatchObject([{ messages: 2, lastSeenAt: now + 1 }, {}]);
  });

  test("learned senders are ignored after 30 days without mail and deleted after 180", async () => {
    const { note, scope, upkeep, valuesOf } = await openPlace();
    await note(now, seen("selector", "a.example", "s1", "k1"), seen("return_path", "a.example", "b.a.example"));
    await note(now + dayMs, seen("selector", "a.example", "s2", "k2"));
    const at = now + watchedForMs;
    expect(await readDomainHistory(scope, "a.example", at)).toMatchObject({
      history: { selectorsSeen: ["s2"] },
      selectors: [{ value: "s2", lastSeenAt: now + dayMs }],
      returnPaths: [],
    });
    expect(await listSenders(scope, "a.example", at)).toMatchObject([
      { value: "s2", isWatched: true },
      { value: "b.a.example", isWatched: false },
      { value: "s1", isWatched: false },
    ]);
    await upkeep(now + 180 * dayMs);
    expect(await valuesOf("a.example")).toEqual(["s2", "b.a.example", "s1"]);
    await upkeep(now + 180 * dayMs + 1);
    expect(await valuesOf("a.example")).toEqual(["s2"]);
  });

  test("learned senders show since when the newest DKIM key is unchanged", async () => {
    const { note, scope } = await openPlace();
    const firstSeen = async () => (await readDomainHistory(scope, "a.example", now)).history.keyFirstSeen;
    expect(await firstSeen()).toBeNull();
    await note(now - 9 * dayMs, seen("selector", "a.example", "s1", "old"));
    await note(now - 5 * dayMs, seen("selector", "a.example", "s1", "new"));
    await note(now - 7 * dayMs, seen("selector", "a.example", "s1", "old"));
    await note(now - dayMs, seen("selector", "a.example", "s1", "new"));
    expect(await firstSeen()).toEqual({ name: "s1._domainkey.a.example", agoMs: 4 * dayMs });
    await note(now, seen("selector", "a.example", "s2", "newest"));
    expect(await firstSeen()).toEqual({ name: "s2._domainkey.a.example", agoMs: 0 });
  });

  test("learned senders are limited per organization and kind, and the oldest are deleted", async () => {
    const { note, valuesOf, upkeep } = await openPlace();
    const names = Array.from({ length: maxOfKind + 3 }, (_, index) => `s${index}`);
    for (const [index, name] of names.entries())
      await note(now + index, seen("helo", `${name}.a.example`, `${name}.a.example`));
    await note(now, seen("selector", "a.example", "s1"));
    await upkeep();
    const left = await valuesOf("a.example");
    expect(left).toHaveLength(maxOfKind + 1);
    expect(left).toContain("s1");
    expect(left).not.toContain("s2.a.example");
    expect(left).toContain("s3.a.example");
  });

  test("learned senders are deleted for the oldest of too many organizations, except monitored domains", async () => {
    const { note, write, read, upkeep, valuesOf } = await openPlace();
    await write((db) => insertDomain(db, { id: "dom_1", workspaceId: "wsp_a", domain: "mail.mine.example" }));
    await note(now - 3, seen("selector", "mine.example", "s"));
    await note(now - 2, seen("selector", "old.example", "s"));
    await note(now, ...Array.from({ length: maxOrganizations }, (_, index) => seen("selector", `d${index}.test`, "s")));
    await upkeep();
    expect(await valuesOf("mine.example")).toEqual(["s"]);
    expect(await valuesOf("old.example")).toEqual([]);
    const { total } = await read
      .selectFrom("seen_senders")
      .select((count) => count.fn.countAll<number>().as("total"))
      .executeTakeFirstOrThrow();
    expect(total).toBe(maxOrganizations + 1);
  });
});
