// Which incoming messages Assay sent itself, and that no other message counts as one.

import { expect, test } from "vitest";
import { toReturnPath, toSendToken } from "../../../../src/analyzer/mail/send-token.ts";
import { claimedSession, type SmtpSession } from "../../../../src/analyzer/mail/session/session.ts";
import { createIntake } from "../../../../src/features/intake/rows/intake.ts";
import { createLoopback } from "../../../../src/features/intake/work/loopback.ts";
import { receiveMessage } from "../../../../src/features/intake/work/receive-message.ts";
import { routeRecipient } from "../../../../src/features/intake/work/route-recipient.ts";
import { insertSend, markSendBounced, readSend } from "../../../../src/features/sending/rows.ts";
import type { SendsTable } from "../../../../src/features/sending/tables.ts";
import { listTests } from "../../../../src/features/tests/rows/tests.ts";
import { inWorkspace } from "../../../../src/platform/database/scope.ts";
import { createId } from "../../../../src/platform/ids.ts";
import { eachDialect, type Open } from "../../../platform/database/each-dialect.ts";
import { insertWorkspaces } from "../../../platform/database/nouns.ts";
import { testSystem } from "../../../test-system.ts";
import { alertMailKeys } from "../../alerts/rules/events.ts";

const key = Buffer.alloc(32, 9);
const sendId = createId("send", 1_000, Buffer.alloc(16, 1));
const token = toSendToken(sendId, key);
const mark = { sendId, workspaceId: "wsp_b", label: "mine" };
const plain = Buffer.from("Subject: Hello\r\n\r\nHi.\r\n");
const marked = Buffer.from(`Received: from x\r\nX-Assay-ID: ${token}\r\nSubject: Hello\r\n\r\nHi.\r\n`);

function sessionFrom(clientAddress: string, clientPort: number, mailFrom = ""): SmtpSession {
  const session = claimedSession({ clientAddress, helo: "x", mailFrom, rcptTo: ["w7@seed.example"] });
  return { ...session, door: { kind: "smtp" }, clientPort };
}

function to(workspaceId: string, label: string | null = null) {
  return { workspaceId, seedInboxId: null, label, address: "w7@seed.example" };
}

async function openWorld(open: Open, transport: SendsTable["transport"]) {
  const store = await open();
  await store.write((db) => insertWorkspaces(db, "wsp_a", "wsp_b"));
  const send = {
    id: sendId,
    created_at: 1_000,
    label: "mine",
    subject: "Hello",
    sender: "a@b.example",
    recipient: "w7@seed.example",
  };
  await store.write((db) =>
    insertSend(inWorkspace(db, "wsp_b"), { ...send, message_id: `${token}@b.example`, transport }),
  );
  const arrivals = createLoopback({ db: store.read, key, alertMailKeys });
  const intake = createIntake(store);
  const system = testSystem();
  const receive = async (raw: Uint8Array, session: SmtpSession, recipients = [to("wsp_b")]) => {
    system.advance(1);
    await receiveMessage({ raw, session, recipients }, intake, system, arrivals.find);
    const [newest] = await listTests(inWorkspace(store.read, recipients[0]?.workspaceId ?? ""), { limit: 1 });
    return newest;
  };
  return { store, arrivals, receive };
}

eachDialect("an incoming message", (open) => {
  test("an incoming message through our own connection belongs to the expected send, once", async () => {
    const { arrivals, receive } = await openWorld(open, "loopback");
    arrivals.expect({ address: "::ffff:127.0.0.1", port: 4_000 }, mark);
    expect(await receive(plain, sessionFrom("127.0.0.1", 4_001))).toMatchObject({ send_id: null });
    expect(await receive(plain, sessionFrom("127.0.0.1", 4_000))).toMatchObject({ send_id: sendId, label: "mine" });
    expect(await receive(plain, sessionFrom("127.0.0.1", 4_000))).toMatchObject({ send_id: null });
  });

  test("an incoming message is no longer expected after the connection ends", async () => {
    const { arrivals, receive } = await openWorld(open, "loopback");
    arrivals.expect({ address: "127.0.0.1", port: 4_000 }, mark)();
    expect(await receive(plain, sessionFrom("127.0.0.1", 4_000))).toMatchObject({ send_id: null });
  });

  test("an incoming message from an address that only a proxy reports belongs to no send", async () => {
    const { arrivals, receive } = await openWorld(open, "loopback");
    arrivals.expect({ address: "127.0.0.1", port: 4_000 }, mark);
    const via = { how: "proxy-v1", address: "192.0.2.9" } as const;
    const session = { ...sessionFrom("127.0.0.1", 4_000), via };
    expect(await receive(plain, session)).toMatchObject({ send_id: null });
  });

  test("an incoming message with a copied token of a looped send does not belong to it", async () => {
    const { receive } = await openWorld(open, "loopback");
    expect(await receive(marked, sessionFrom("127.0.0.1", 4_000))).toMatchObject({ send_id: null });
  });

  const ways = [
    ["in X-Assay-Id", marked, ""],
    ["in X-Assay-Id on a line of its own", Buffer.from(`X-Assay-Id:\r\n ${token}\r\n\r\nHi.\r\n`), ""],
    ["in Message-ID", Buffer.from(`Message-Id: <${token}@b.example>\r\n\r\nHi.\r\n`), ""],
    ["in the return path", plain, toReturnPath(sendId, "seed.example", key)],
  ] as const;

  test.each(ways)(
    "an incoming message through a relay with the token %s belongs to that send, and a second one does not",
    async (_, raw, path) => {
      const { receive } = await openWorld(open, "relay");
      const session = sessionFrom("192.0.2.1", 5_000, path);
      expect(await receive(raw, session, [to("wsp_b", "own")])).toMatchObject({ send_id: sendId, label: "own" });
      expect(await receive(raw, session)).toMatchObject({ send_id: null });
    },
  );

  test("an incoming message with the token in its text, an invented one, or another workspace's belongs to no send", async () => {
    const { receive } = await openWorld(open, "relay");
    const session = sessionFrom("192.0.2.1", 5_000);
    expect(await receive(Buffer.from(`A: b\r\n\r\nX-Assay-Id: ${token}\r\n`), session)).toMatchObject({
      send_id: null,
    });
    const madeUp = `${token.slice(0, -1)}${token.endsWith("0") ? "1" : "0"}`;
    expect(await receive(Buffer.from(`X-Assay-Id: ${madeUp}\r\n\r\n`), session)).toMatchObject({ send_id: null });
    expect(await receive(marked, session, [to("wsp_a")])).toMatchObject({ send_id: null });
    expect(await receive(marked, session)).toMatchObject({ send_id: sendId });
  });

  test("an incoming message to one of our return paths goes to the sending workspace, or else to the first one", async () => {
    const { store, arrivals } = await openWorld(open, "relay");
    const { findReturnPath } = arrivals;
    const table = {
      db: store.read,
      config: { seedDomains: ["seed.example"] },
      catchAll: null,
      now: () => 1_000,
      findReturnPath,
    };
    const path = toReturnPath(sendId, "seed.example", key);
    expect(await routeRecipient(path.toUpperCase(), table)).toMatchObject({ recipient: { workspaceId: "wsp_b" } });
    expect(await routeRecipient("bounce+x@seed.example", table)).toMatchObject({ recipient: { workspaceId: "wsp_a" } });
  });

  test("an incoming bounce marks its send as bounced once", async () => {
    const { store } = await openWorld(open, "relay");
    const scope = inWorkspace(store.read, "wsp_b");
    for (const problem of ["No such user", "Another one"])
      await store.write((db) => markSendBounced(inWorkspace(db, "wsp_b"), sendId, { problem, finished_at: 7 }));
    expect(await readSend(scope, sendId)).toMatchObject({ status: "bounced", problem: "No such user" });
  });
});
