import { expect, test } from "vitest";
import { claimedSession } from "../../../../src/analyzer/mail/session/session.ts";
import { parseSessionText } from "../../../../src/analyzer/mail/session/session-text.ts";
import { createIntake } from "../../../../src/features/intake/rows/intake.ts";
import {
  hasArrived,
  receiveMessage,
  receiveThroughDoor,
} from "../../../../src/features/intake/work/receive-message.ts";
import { readSession } from "../../../../src/features/tests/rows/raw-messages.ts";
import { listTests } from "../../../../src/features/tests/rows/tests.ts";
import { inWorkspace } from "../../../../src/platform/database/scope.ts";
import { eachDialect } from "../../../platform/database/each-dialect.ts";
import { insertWorkspaces } from "../../../platform/database/nouns.ts";
import { testSystem } from "../../../test-system.ts";

const recipient = (workspaceId: string, address: string, label: string | null = null) => ({
  workspaceId,
  address,
  label,
  seedInboxId: null,
});

eachDialect("a message to several workspaces", (open) => {
  test("a message to several workspaces becomes one test per workspace, and none sees the recipients of another", async () => {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, "wsp_a", "wsp_b"));
    const recipients = [
      recipient("wsp_a", "one+first@seed.example", "first"),
      recipient("wsp_b", "secret@seed.example"),
      recipient("wsp_a", "two+second@seed.example", "second"),
    ];
    const rcptTo = recipients.map(({ address }) => address);
    const session = {
      ...claimedSession({ clientAddress: "192.0.2.1", helo: "x", mailFrom: "a\0@b.example", rcptTo }),
      transcript: rcptTo.map((address) => ({ at: 1, from: "client", line: `RCPT TO:<${address}>` }) as const),
    };
    await receiveMessage({ raw: Buffer.from("x"), session, recipients }, createIntake(store), testSystem());
    const scope = inWorkspace(store.read, "wsp_a");
    const [own, ...others] = await listTests(scope, { limit: 9 });
    expect(others).toEqual([]);
    expect(own).toMatchObject({
      label: "first",
      recipients: '["one+first@seed.example","two+second@seed.example"]',
      sender: "a\ufffd@b.example",
    });
    const kept = await readSession(scope, own?.id ?? "");
    expect(kept).not.toContain("secret");
    expect(parseSessionText(kept ?? "{}").transcript).toHaveLength(2);
  });
});

eachDialect("a message from another source", (open) => {
  test("a message from another source becomes a test with recipients, and its session names the source and what it reports", async () => {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, "wsp_a", "wsp_b"));
    const [id = ""] = await receiveThroughDoor(
      {
        raw: Buffer.from("x"),
        door: { kind: "imap", mailbox: "seed@provider.example" },
        recipients: [recipient("wsp_a", "seed+news@provider.example", "news")],
        claims: { clientAddress: null, helo: null, mailFrom: null, receivedAt: 5, trusted: ["provider.example"] },
      },
      createIntake(store),
      testSystem(),
    );
    const scope = inWorkspace(store.read, "wsp_a");
    const [row, ...others] = await listTests(scope, { limit: 9 });
    expect(others).toEqual([]);
    expect(row).toMatchObject({ id, label: "news", recipients: '["seed+news@provider.example"]' });
    expect(row && hasArrived({ recipients: row.recipients })).toBe(true);
    expect(parseSessionText((await readSession(scope, id)) ?? "{}")).toMatchObject({
      door: { kind: "imap", mailbox: "seed@provider.example" },
      rcptTo: ["seed+news@provider.example"],
      saidReceivedAt: 5,
      trusted: ["provider.example"],
      tls: null,
      transcript: [],
    });
    expect(await listTests(inWorkspace(store.read, "wsp_b"), { limit: 9 })).toEqual([]);
  });
});

eachDialect("a message that waits for its analysis", (open) => {
  test("a message that waits for its analysis shows its sender and subject, whatever they contain", async () => {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, "wsp_a"));
    const system = testSystem();
    const waiting = async (raw: string) => {
      const sent = {
        raw: Buffer.from(raw),
        session: claimedSession({ clientAddress: null, helo: null, mailFrom: null, rcptTo: [] }),
        recipients: [recipient("wsp_a", "a@seed.example")],
      };
      system.advance(1);
      await receiveMessage(sent, createIntake(store), system);
      const [row] = await listTests(inWorkspace(store.read, "wsp_a"), { limit: 1 });
      return row && { status: row.status, from: row.header_from, subject: row.subject };
    };
    expect(await waiting("Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\nFrom: Ann <ann@a.example>\r\n\r\nHello\r\n")).toEqual(
      { status: "received", from: "Ann <ann@a.example>", subject: "Grüße" },
    );
    expect(await waiting("no header at all")).toEqual({ status: "received", from: null, subject: null });
    const hostile = await waiting(`Subject: a\0b${"x".repeat(100_000)}\r\n\r\n`);
    expect(hostile?.subject?.length).toBeLessThan(1_100);
    expect(hostile?.subject).not.toContain("\0");
  });
});
