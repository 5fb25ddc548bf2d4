import { describe, expect, test } from "vitest";
import type { Sighting } from "../../../src/analyzer/reports/sighting.ts";
import { createSightingRecorder } from "../../../src/features/mailboxes/work/record-sightings.ts";
import { startHttpWorld } from "../../http/http-world.ts";
import { builtWeb } from "../../web/web-world.ts";
import { aSighting, connectMailbox, toRaw } from "./work/mailbox-world.ts";

const hourMs = 3_600_000;
const messageId = "one@sender.example";

async function startMailboxes() {
  const world = await startHttpWorld({ webFiles: await builtWeb() });
  // With records, or its DNS isn't judged, because .example is a name for tests.
  world.internet.zone = { "sender.example": { A: ["192.0.2.9"] } };
  const { id: workspaceId } = await world.createWorkspace("Ours");
  const { token } = await world.issueToken(workspaceId);
  const access = { token, workspace: workspaceId };
  const { store, system, events, clock } = world;
  const recorder = createSightingRecorder({ store, system, publish: events.publish });
  const connectedAt = clock.nowMs - hourMs;
  return {
    ...world,
    workspaceId,
    access,
    connect: (account: string, seedProvider: "gmail" | "outlook" | null = null, at = connectedAt) =>
      connectMailbox(store, { workspaceId, account, seedProvider, connectedAt: at }),
    see: (mailbox: string, changes: Partial<Sighting> = {}) =>
      recorder.keepSightings(mailbox, [aSighting({ messageId, ...changes })], []),
    receiveIt: async () => {
      const id = await world.receive(workspaceId, null, toRaw({ messageId }));
      await world.analyzeAll();
      return id;
    },
    read: async (id: string) => (await world.ask("GET", `/api/tests/${id}`, access)).json,
  };
}

type Row = { readonly provider: string };

const rowOf = (report: { readonly placement_results: readonly Row[] }, provider: string) =>
  report.placement_results.find((row) => row.provider === provider);

describe("placement_results of GET /api/tests/:id", () => {
  test("placement_results of GET /api/tests/:id are predicted, with the mailboxes that have not shown the message yet", async () => {
    const { connect, receiveIt, read, clock } = await startMailboxes();
    await connect("ann@gmail.example", "gmail");
    await connect("ben@own.example");
    const id = await receiveIt();
    await connect("late@own.example", null, clock.nowMs + 1);
    const report = await read(id);
    expect(rowOf(report, "gmail")).toMatchObject({
      method: "predicted",
      folder: "rejected",
      predicted: { folder: "rejected" },
      observed: [{ account: "ann@gmail.example", folder: "pending", seen_at: null, matched_by: null }],
    });
    expect(rowOf(report, "imap:ben@own.example")).toMatchObject({
      method: "observed",
      folder: "pending",
      confidence: 0,
      predicted: null,
      observed: [{ account: "ben@own.example", folder: "pending" }],
    });
    expect(report.placement_results).toHaveLength(6);
    expect(report.spam_rate).toBe(1);

    clock.nowMs += hourMs;
    const later = await read(id);
    expect(rowOf(later, "gmail")).toMatchObject({ method: "predicted", observed: [{ folder: "missing" }] });
    expect(rowOf(later, "imap:ben@own.example")).toMatchObject({ folder: "missing", predicted: null });
    expect(later.spam_rate).toBe(1);
  });

  test("placement_results of GET /api/tests/:id are observed for a mailbox with the message, with the receiver's own results as evidence", async () => {
    const { connect, see, receiveIt, read, ask, access, clock } = await startMailboxes();
    const mailbox = await connect("ann@gmail.example", "gmail");
    const id = await receiveIt();
    const evidence = {
      authenticationResults: ["mx.google.com; spf=pass smtp.mailfrom=ann@sender.example; dmarc=none"],
      headers: [{ name: "X-Gm-Spam", value: "1" }],
    };
    await see(mailbox, { evidence });
    const seenAt = new Date(clock.nowMs).toISOString();
    clock.nowMs += 60_000;
    await see(mailbox, { evidence, folder: "spam", folderName: "[Gmail]/Spam" });
    const report = await read(id);
    expect(rowOf(report, "gmail")).toEqual({
      provider: "gmail",
      folder: "spam",
      method: "observed",
      confidence: 1,
      smtp_reply: null,
      reasons: expect.arrayContaining([
        expect.objectContaining({
          text: `In ann@gmail.example, the message is in "[Gmail]/Spam" (received 2 s after Assay's copy). It was matched by its Message-ID.`,
        }),
      ]),
      predicted: expect.objectContaining({ folder: "rejected" }),
      observed: [
        {
          account: "ann@gmail.example",
          folder: "spam",
          folder_name: "[Gmail]/Spam",
          seen_at: new Date(clock.nowMs).toISOString(),
          delay_ms: 2_000,
          matched_by: "message-id",
          candidates: 1,
          moved: [{ folder: "inbox", folder_name: "INBOX", seen_at: seenAt }],
          authentication_results: evidence.authenticationResults,
          headers: evidence.headers,
          differs: [{ mechanism: "spf", ours: report.spf, theirs: "pass" }],
        },
      ],
    });
    expect(report).toMatchObject({ inbox_rate: 0, spam_rate: 1 });

    const anew = (await ask("POST", `/api/tests/${id}/reanalyze`, access)).json;
    expect(rowOf(anew, "gmail")).toEqual(rowOf(report, "gmail"));
    const records = [{ name: "sender.example", type: "TXT", values: ["v=spf1 -all"] }];
    const imagined = (await ask("POST", `/api/tests/${id}/what-if`, { ...access, body: { records } })).json;
    expect(rowOf(imagined, "gmail")).toMatchObject({ method: "predicted", observed: [] });
  });

  test("placement_results of GET /api/tests/:id use the majority of a provider's mailboxes, or the worse half of a tie", async () => {
    const { connect, see, receiveIt, read, ask, access } = await startMailboxes();
    const mailboxes = [];
    for (const name of ["a", "b", "c"]) mailboxes.push(await connect(`${name}@outlook.example`, "outlook"));
    const [one = "", two = "", three = ""] = mailboxes;
    const id = await receiveIt();
    await see(one, { folder: "spam" });
    await see(two);
    expect(rowOf(await read(id), "outlook")).toMatchObject({ folder: "spam", confidence: 0.5 });
    await see(three);
    const report = await read(id);
    expect(rowOf(report, "outlook")).toMatchObject({ folder: "inbox", confidence: 2 / 3 });
    expect(report).toMatchObject({ inbox_rate: 0.2, spam_rate: 0.8 });
    const [listed] = (await ask("GET", "/api/tests", access)).json.items;
    expect(listed).toMatchObject({ inbox_rate: 0.2, spam_rate: 0.8 });
    const { text } = await ask("GET", "/api/tests/export.csv", access);
    expect(text).toContain(",0.2,0.8,0,");
    const { placement } = (await ask("GET", "/api/dashboard/summary", access)).json;
    expect(placement.find(({ provider }: Row) => provider === "outlook")).toEqual({
      provider: "outlook",
      inboxRate: 1,
      spamRate: 0,
      promoRate: 0,
      tests: 1,
      observed: 1,
    });
  });

  test("placement_results of GET /api/tests/:id list a mailbox once if it is connected by password and by OAuth", async () => {
    const { connect, see, receiveIt, read, clock } = await startMailboxes();
    const byPassword = await connect("ann@gmail.example", "gmail");
    const byConsent = await connect("ann@gmail.example", "gmail", clock.nowMs - hourMs / 2);
    const id = await receiveIt();
    await see(byPassword, { folder: "spam" });
    await see(byConsent, { folder: "spam" });
    const { observed } = rowOf(await read(id), "gmail") as unknown as { observed: readonly object[] };
    expect(observed).toMatchObject([{ account: "ann@gmail.example", folder: "spam" }]);
    expect(observed).toHaveLength(1);
  });

  test("placement_results of GET /api/tests/:id wait for no mailbox in an upload", async () => {
    const { connect, ask, access, analyzeAll, read } = await startMailboxes();
    await connect("ann@own.example");
    const headers = { "content-type": "message/rfc822" };
    const asked = { ...access, headers, body: toRaw({ messageId }).toString() };
    const { id } = (await ask("POST", "/api/tests/upload", asked)).json;
    await analyzeAll();
    expect((await read(id)).placement_results).toHaveLength(5);
  });

  test("placement_results of GET /api/tests/:id stay observed after the mailbox is disconnected, which is no longer awaited", async () => {
    const { connect, see, receiveIt, read, store } = await startMailboxes();
    const mailbox = await connect("ann@own.example");
    await connect("ben@own.example");
    const id = await receiveIt();
    await see(mailbox);
    await store.write((db) => db.deleteFrom("integrations").execute());
    const report = await read(id);
    expect(rowOf(report, "imap:ann@own.example")).toMatchObject({ folder: "inbox", method: "observed" });
    expect(rowOf(report, "imap:ben@own.example")).toBeUndefined();
  });
});

describe("a shared report of an observed test", () => {
  test("a shared report of an observed test says that the message was seen, but not in whose mailbox", async () => {
    const { connect, see, receiveIt, ask, access } = await startMailboxes();
    const gmail = await connect("ann.secret@gmail.example", "gmail");
    const own = await connect("ben.secret@own.example");
    const id = await receiveIt();
    await see(gmail, { folderName: "ann.secret's folder" });
    await see(own, { folder: "spam" });
    const { url } = (await ask("POST", `/api/tests/${id}/shares`, access)).json;
    const page = await (await fetch(url)).text();
    const rowOf = (name: string) => new RegExp(`<h4>${name}</h4>.*?</li>`).exec(page)?.[0];
    for (const [name, folder] of [
      ["Gmail", "In the inbox"],
      ["A seed mailbox", "In spam"],
    ] as const) {
      expect(rowOf(name)).toContain(folder);
      expect(rowOf(name)).toContain("Observed");
    }
    expect(page).not.toContain("secret");
  });
});
