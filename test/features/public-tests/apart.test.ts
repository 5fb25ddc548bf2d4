// What a visitor does stays apart from the owners' workspaces, from other visitors, and from what the server learns.

import { request } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { foldRollups } from "../../../src/features/dashboard/work/rollups.ts";
import { noteSenders } from "../../../src/features/domains/rows/seen-senders.ts";
import { createRouter } from "../../../src/features/intake/work/route-recipient.ts";
import {
  hasOtherWorkspaces,
  listWorkspaces,
  readFirstWorkspaceId,
} from "../../../src/features/people/rows/workspaces.ts";
import { parsePlans } from "../../../src/features/people/rules/plans.ts";
import { createPublicChore } from "../../../src/features/public-tests/work/tidy.ts";
import { serveOrThrow } from "../../../src/platform/work/serve-row.ts";
import { openPublic, ordinary, pasted } from "./public-world.ts";

const never = new AbortController().signal;

describe("a visitor's test", () => {
  test("once a visitor has deleted the report, nothing of the message is left", async () => {
    const { open, send, analyzeAll, visit, ...world } = await openPublic();
    const { store } = world;
    const { path, address } = await open();
    await send(address, undefined, `List-Id: <spring.sender.example>\r\nMessage-ID: <1@sender.example>\r\n${ordinary}`);
    await analyzeAll();
    await visit("POST", `${path}/delete`);
    await foldRollups({ ...world, store, serve: serveOrThrow });
    for (const table of ["tests", "streams", "contributions", "rollup_details", "rollup_changes"] as const)
      expect([table, await store.read.selectFrom(table).selectAll().execute()]).toEqual([table, []]);
  });

  test("what the analysis learned of a visitor's servers is forgotten within a minute", async () => {
    const world = await openPublic();
    const { store, publicDoor, clock, workspace } = world;
    const visitors = await publicDoor.workspaceId();
    const helo = {
      kind: "helo",
      domain: "sender.example",
      value: "mail.sender.example",
      fingerprint: "",
      messages: 1,
    } as const;
    for (const id of [visitors, workspace])
      await store.write((db) => noteSenders(db, id, [{ ...helo, seenAt: clock.nowMs }]));
    await createPublicChore(world as unknown as Parameters<typeof createPublicChore>[0]).run(never, serveOrThrow);
    const left = await store.read.selectFrom("seen_senders").select("workspace_id").execute();
    expect(left).toEqual([{ workspace_id: workspace }]);
  });

  test("a visitor doesn't learn that another visitor sent a message with the same Message-ID", async () => {
    const { open, send, analyzeAll, visit } = await openPublic();
    const read = async (text: string) => {
      const { path, address } = await open();
      await send(
        address,
        undefined,
        `Message-ID: <1@sender.example>\r\nDate: Mon, 30 Nov 2026 01:00:00 +0000\r\n${text}`,
      );
      await analyzeAll();
      const { report } = JSON.parse((await visit("GET", `${path}.json`)).page);
      return report.findings.map(({ id }: { id: string }) => id);
    };
    const first = await read(ordinary);
    expect(await read(`${ordinary}Another offer, which is longer.\r\n`)).toEqual(first);
  });

  test("a closed page's mail doesn't go to the catch-all workspace", async () => {
    const { open, config, store, system, publicDoor, workspace } = await openPublic();
    const { address } = await open();
    Object.assign(config, { publicTests: "off" });
    const route = createRouter({ db: store.read, config, catchAll: workspace, now: system.now, oneTime: publicDoor });
    expect((await route(address, "203.0.113.1")).outcome).toBe("unknown");
    expect((await route(address.replace("test-", "best-"), "203.0.113.1")).outcome).toBe("taken");
  });
});

test("visitors who send their messages slowly don't keep owners from uploading theirs", async () => {
  const { base, visit, receiveUpload, workspace } = await openPublic();
  for (let count = 0; count < 4; count++) {
    const headers = { "content-type": "message/rfc822", "x-forwarded-for": `192.0.2.${count}` };
    const slow = request(`${base}/test/message`, { method: "POST", headers }).on("error", () => undefined);
    slow.write("From: a@b.example\r\n");
    onTestFinished(() => void slow.destroy());
  }
  await expect.poll(async () => (await visit("POST", "/test/message", pasted(ordinary))).status).toBe(503);
  const claims = { clientAddress: null, helo: null, mailFrom: null, trusted: [] };
  const raw = Buffer.from(ordinary);
  const upload = { mostBytes: raw.length, read: async () => raw };
  expect(await receiveUpload({ workspaceId: workspace, label: null, claims }, upload)).toMatch(/^tst_/);
});

describe("the workspace of visitors", () => {
  test("it isn't listed, never the server's own, and no other workspace notices it", async () => {
    const { open, store, workspace } = await openPublic();
    await open();
    expect((await listWorkspaces(store.read)).map(({ id }) => id)).toEqual([workspace]);
    expect(await hasOtherWorkspaces(store.read)).toBe(false);
    await store.write((db) => db.deleteFrom("workspaces").where("id", "=", workspace).execute());
    expect(await readFirstWorkspaceId(store.read)).toBeUndefined();
  });

  test("it is made again if it was deleted", async () => {
    const { open, send, store, publicDoor, clock } = await openPublic();
    await open();
    const id = await publicDoor.workspaceId();
    await store.write((db) => db.deleteFrom("workspaces").where("id", "=", id).execute());
    clock.nowMs += 3_000;
    expect(await send((await open()).address)).toBe("kept");
  });

  test("its tests count for no plan", async () => {
    const read = parsePlans(JSON.stringify({ plans: { free: { testsPerMonth: 1 } }, default: "free" }));
    if (!read.ok) throw new Error(read.problems.join());
    const { visit } = await openPublic({ plans: read.plans });
    for (let count = 0; count < 2; count++)
      expect((await visit("POST", "/test/message", pasted(ordinary))).status).toBe(302);
  });
});
