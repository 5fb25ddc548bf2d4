// The lifecycle of a send: its row before, after, and without a result, its signature, and shutdowns.

import { expect, onTestFinished, test } from "vitest";
import { readReturnPath, toSendToken } from "../../../../src/analyzer/mail/send-token.ts";
import { insertDomain } from "../../../../src/features/domains/rows/domains.ts";
import { selfHostedPlans } from "../../../../src/features/people/rules/plans.ts";
import { createWorkspace } from "../../../../src/features/people/work/workspaces.ts";
import { endedMeanwhile, listSends, readSend } from "../../../../src/features/sending/rows.ts";
import {
  createSampleSender,
  endUnfinishedSends,
  forgetOldSends,
  longestSendMs,
  type SenderTerms,
} from "../../../../src/features/sending/work/send-test.ts";
import type { Outgoing } from "../../../../src/features/sending/work/transports.ts";
import { storeOf } from "../../../../src/platform/database/scope.ts";
import { Refusal } from "../../../../src/platform/errors.ts";
import { eachDialect, type Open } from "../../../platform/database/each-dialect.ts";
import { testSystem } from "../../../test-system.ts";

const sendKey = Buffer.alloc(32, 3);

async function openWorld(open: Open, changes: Partial<SenderTerms> = {}) {
  const store = await open();
  const system = testSystem();
  const { id, seed_address } = await createWorkspace(store, system, { name: "One", seedDomain: "seed.example" });
  const place = storeOf(store, id);
  const delivered: Outgoing[] = [];
  const deliver = async (outgoing: Outgoing) => {
    delivered.push(outgoing);
    return "250 OK";
  };
  const terms: SenderTerms = {
    system,
    plans: selfHostedPlans,
    sendKey,
    config: { seedDomains: ["seed.example"], sendVerifiedDomains: [] },
    sign: async (_scope, _domain, message) => message,
    road: { transport: "relay", deliver, close() {} },
    baseUrl: () => "https://assay.example",
    ...changes,
  };
  const sender = createSampleSender(terms);
  onTestFinished(() => sender.stop(1_000));
  const from = seed_address ?? "";
  const send = (more: object = {}) => sender.send(place, { subject: "Hello", from, ...more });
  return { store, system, place, sender, send, delivered, from };
}

/** Delivers when it is told to. */
function createSlowRoad() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  let atOnce = 0;
  let most = 0;
  const deliver = async (_: Outgoing, signal: AbortSignal) => {
    atOnce++;
    most = Math.max(most, atOnce);
    begun.resolve();
    const aborted = new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    await Promise.race([promise, aborted]).finally(() => atOnce--);
    return "250 OK";
  };
  return {
    road: { transport: "relay" as const, deliver, close() {} },
    begun: begun.promise,
    open: resolve,
    most: () => most,
    atOnce: () => atOnce,
  };
}

eachDialect("an outgoing send", (open) => {
  test("an outgoing send is stored as pending before any connection, and as sent afterwards", async () => {
    const slow = createSlowRoad();
    const { place, send } = await openWorld(open, { road: slow.road });
    const work = send({ label: "first" });
    await slow.begun;
    expect(await listSends(place.read, { limit: 9 })).toMatchObject([
      { status: "sending", label: "first", transport: "relay", finished_at: null },
    ]);
    slow.open();
    const { id } = await work;
    expect(await readSend(place.read, id)).toMatchObject({ status: "sent", problem: null });
  });

  test("an outgoing send has its token in the return path, Message-ID, and X-Assay-Id, in 7-bit text with CRLF", async () => {
    const { send, delivered } = await openWorld(open);
    const { id, message_id } = await send({ subject: "Grüße" });
    const [outgoing] = delivered;
    const text = Buffer.from(outgoing?.raw ?? []).toString("latin1");
    const token = toSendToken(id, sendKey);
    expect(readReturnPath(outgoing?.mailFrom ?? "", sendKey)).toBe(id);
    expect(message_id).toBe(`${token}@seed.example`);
    expect(text).toContain(`\r\nMessage-ID: <${message_id}>\r\n`);
    expect(text).toContain(`X-Assay-Id: ${token}\r\n`);
    expect(text).toContain("List-Unsubscribe: <https://assay.example/unsubscribe>\r\n");
    expect(text.replaceAll("\r\n", "")).toMatch(/^[\t -~]*$/);
  });

  test("an outgoing send is signed for its sender's domain in A-labels, and sent as signed", async () => {
    const asked: string[] = [];
    const signed = Buffer.from("DKIM-Signature: x\r\nFrom: a\r\n\r\nHi.\r\n");
    const sendVerifiedDomains = [{ domain: "xn--bcher-kva.example", workspaceId: null }];
    const { send, delivered } = await openWorld(open, {
      config: { seedDomains: ["seed.example"], sendVerifiedDomains },
      sign: async (_scope, domain) => {
        asked.push(domain);
        return signed;
      },
    });
    await send({ from: "Ann <ann@Bücher.example>" });
    expect(asked).toEqual(["xn--bcher-kva.example"]);
    expect(delivered[0]?.raw).toBe(signed);
  });

  test("an outgoing send of a process that died is failed at the next start, and says that it may have arrived", async () => {
    const slow = createSlowRoad();
    const { store, system, place, send } = await openWorld(open, { road: slow.road });
    const work = send();
    await slow.begun;
    // Another process may be at it still.
    await endUnfinishedSends(store, system.now() + longestSendMs - 1, false);
    expect(await listSends(place.read, { limit: 9 })).toMatchObject([{ status: "sending" }]);
    await endUnfinishedSends(store, system.now() + longestSendMs, false);
    const failed = [{ status: "failed", problem: endedMeanwhile }];
    expect(await listSends(place.read, { limit: 9 })).toMatchObject(failed);
    slow.open();
    await work;
    expect(await listSends(place.read, { limit: 9 })).toMatchObject(failed);
  });

  test("an outgoing send that is running at shutdown ends with the server", async () => {
    const slow = createSlowRoad();
    const { place, sender, send } = await openWorld(open, { road: slow.road });
    const work = send().catch((error: unknown) => error);
    await slow.begun;
    await sender.stop(5_000);
    expect(await work).toMatchObject({ code: "send_failed", message: endedMeanwhile });
    expect(await listSends(place.read, { limit: 9 })).toMatchObject([{ status: "failed" }]);
    await expect(send()).rejects.toThrow(Refusal);
  });

  test("an outgoing send waits if its workspace has two running sends, without delaying other workspaces", async () => {
    const slow = createSlowRoad();
    const { send, sender, place, store, system } = await openWorld(open, { road: slow.road });
    const all = Array.from({ length: 20 }, () => send());
    await slow.begun;
    const other = await createWorkspace(store, system, { name: "Other", seedDomain: "seed.example" });
    const theirs = sender.send(storeOf(store, other.id), { subject: "Hello", from: other.seed_address ?? "" });
    await expect.poll(slow.atOnce).toBe(3);
    slow.open();
    await Promise.all([...all, theirs]);
    expect(slow.most()).toBe(3);
    expect(await listSends(place.read, { limit: 99 })).toHaveLength(20);
  });

  test("an outgoing send that failed because of an internal error says so", async () => {
    const deliver = () => Promise.reject(new Error("broken"));
    const { place, send } = await openWorld(open, { road: { transport: "relay", deliver, close() {} } });
    await expect(send()).rejects.toThrow("Internal error: broken");
    expect(await listSends(place.read, { limit: 9 })).toMatchObject([{ status: "failed" }]);
  });

  test("an outgoing send is deleted together with the tests of its time", async () => {
    const { store, system, place, send } = await openWorld(open);
    await send();
    await forgetOldSends(store, system.now() + 1, 0);
    await forgetOldSends(store, system.now() + 86_400_000, 1);
    expect(await listSends(place.read, { limit: 9 })).toHaveLength(1);
    await forgetOldSends(store, system.now() + 86_400_001, 1);
    expect(await listSends(place.read, { limit: 9 })).toEqual([]);
  });

  test("an outgoing send from a seed domain is rejected, even if the workspace monitors and verified it", async () => {
    const { place, store, send } = await openWorld(open);
    const domain = { id: "dom_1", domain: "seed.example", dkim_selector: null, created_at: 1 };
    await place.write((scope) => insertDomain(scope, domain));
    await store.write((db) => db.updateTable("domains").set({ verified_at: 1 }).execute());
    await expect(send({ from: "postmaster@seed.example" })).rejects.toThrow(/seed address/);
  });
});
