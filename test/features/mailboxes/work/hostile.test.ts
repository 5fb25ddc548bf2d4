// Malicious IMAP servers, and servers that don't speak IMAP: each is reported in our words, and the same thread
// still reads other mailboxes.

import { describe, expect, test, vi } from "vitest";
import type { MailboxOrder } from "../../../../src/features/mailboxes/work/messages.ts";
import { type ImapAnswer, type ImapPeer, type ImapServerOptions, startImapServer } from "../../../imap-server.ts";
import { fewOf } from "../../../lanes.ts";
import { toTestMessage, watchMailboxes } from "./watched-mailbox.ts";

const patience = { timeout: 60_000, interval: 20 };
const secret = "<script>their words</script>";

function toOrder(id: string, port: number, change: object = {}): MailboxOrder {
  return {
    order: "watch",
    id,
    server: { host: "localhost", port, tls: "implicit" },
    login: { user: "ann", password: "pa55 of ann" },
    marks: [],
    searchesTabs: false,
    ...change,
  };
}

/** As much as the other side takes, for as long as it stays. */
function pour(peer: ImapPeer, text: string): void {
  const more = () => {
    if (peer.isGone()) return;
    for (let times = 0; times < 20; times++) peer.say(text);
    setTimeout(more, 2);
  };
  more();
}

/** Anything but its logging in. */
const when =
  (name: string, act: (peer: ImapPeer, tag: string) => void): ImapAnswer =>
  (command, peer) => {
    if (command.name !== name) return false;
    act(peer, command.tag);
    return true;
  };

const chunk = "x".repeat(65_536);

/** Most of them end only when our patience does. */
const waitedFor: readonly (readonly [string, ImapServerOptions])[] = [
  ["does not greet", { greet: () => {} }],
  ["greets a byte at a time", { greet: (peer) => void setInterval(() => peer.say("x"), 50).unref() }],
  ["speaks HTTP", { greet: (peer) => peer.say(`HTTP/1.1 400 Bad Request\r\n\r\n${secret}\r\n`) }],
  ["never answers the login", { answer: when("LOGIN", () => {}) }],
  ["answers other tags", { answer: when("LIST", (peer) => peer.say(`ZZ9 OK ${secret}\r\n`)) }],
  ["tells no UIDVALIDITY", { answer: when("EXAMINE", (peer, tag) => peer.say(`* 1 EXISTS\r\n${tag} OK\r\n`)) }],
  [
    "counts beyond all numbers",
    { answer: when("EXAMINE", (peer, tag) => peer.say(`* ${"9".repeat(400)} EXISTS\r\n${tag} NO ${secret}\r\n`)) },
  ],
];

/** Whatever they do they do at once, or as fast as they can. */
const hostile: readonly (readonly [string, ImapServerOptions])[] = [
  ["greets without end", { greet: (peer) => pour(peer, chunk) }],
  ["says goodbye", { greet: (peer) => peer.say(`* BYE ${secret}\r\n`) }],
  ["hangs up", { greet: (peer) => peer.hangUp() }],
  ["says anything", { greet: (peer) => pour(peer, '\0\xff((("{9}\r\n)]\r\n* (\r\n') }],
  ["refuses the login", { answer: when("LOGIN", (peer, tag) => peer.say(`${tag} NO [ALERT] ${secret}\r\n`)) }],
  ["lists without end", { answer: when("LIST", (peer) => pour(peer, '* LIST () "/" folder\r\n'.repeat(500))) }],
  [
    "lists a literal without end",
    { answer: when("LIST", (peer) => pour(peer, `* LIST () "/" {99999999999}\r\n${chunk}`)) },
  ],
  ["lists small literals without end", { answer: when("LIST", (peer) => pour(peer, "* LIST () {1}\r\nx {1}\r\nx ")) }],
  ["nests without end", { answer: when("LIST", (peer) => pour(peer, "(".repeat(10_000))) }],
  ["lists no inbox", { answer: when("LIST", (peer, tag) => peer.say(`${tag} OK none\r\n`)) }],
  [
    "fetches without end",
    {
      messages: [{ uid: 1, source: "x" }],
      answer: when("UID FETCH", (peer) => pour(peer, "* 1 FETCH (UID 1)\r\n".repeat(500))),
    },
  ],
  [
    "fetches a message without end",
    {
      messages: [{ uid: 1, source: "x" }],
      answer: (command, peer) => {
        if (!command.line.includes("BODY.PEEK")) return false;
        pour(peer, `* 1 FETCH (UID 1 BODY[]<0> {999999999}\r\n${chunk}`);
        return true;
      },
    },
  ],
  [
    "floods who idles",
    {
      capabilities: "IMAP4rev1 IDLE",
      answer: when("IDLE", (peer) => pour(peer, "* 1 EXISTS\r\n* 2 EXISTS\r\n".repeat(500))),
    },
  ],
];

async function expectToldOf(options: ImapServerOptions): Promise<void> {
  await using bad = await startImapServer(options);
  await using good = await startImapServer({ messages: [{ uid: 4, source: toTestMessage("fine") }] });
  await using watched = watchMailboxes({ mailboxCa: good.ca, mailboxPatienceMs: 1_500 });
  watched.order(toOrder("bad", bad.port));
  await vi.waitFor(() => expect(watched.troubles().length).toBeGreaterThan(0), patience);
  watched.order(toOrder("good", good.port));
  await vi.waitFor(() => expect(watched.sightings()).toMatchObject([{ subject: "fine" }]), patience);
  const told = JSON.stringify(watched.troubles());
  expect(told).not.toMatch(/script|their words|pa55/);
  // On a busy machine, even a good server may be late once. It is never given up.
  expect(watched.troubles().filter(({ id, isFinal }) => id !== "bad" && isFinal)).toEqual([]);
  expect(watched.deaths).toEqual([]);
}

describe("a malicious IMAP server", () => {
  const title = "that %s is reported, and another mailbox is still read";
  // Side by side, because these cost nothing but time; the others each need the processor.
  test.concurrent.each(waitedFor)(title, async (_name, options) => await expectToldOf(options));
  test.each(fewOf(hostile))(title, async (_name, options) => await expectToldOf(options));

  test("a malicious IMAP server that never answers the login delays no other mailbox, even in large numbers", async () => {
    await using slow = await startImapServer({ answer: when("LOGIN", () => {}) });
    await using good = await startImapServer({ messages: [{ uid: 4, source: toTestMessage("fine") }] });
    await using watched = watchMailboxes({ mailboxCa: good.ca });
    for (let at = 0; at < 20; at++) watched.order(toOrder(`slow-${at}`, slow.port));
    watched.order(toOrder("good", good.port));
    await vi.waitFor(() => expect(watched.sightings()).toMatchObject([{ subject: "fine" }]), patience);
  });

  test("a malicious IMAP server with an untrusted certificate is rejected before the login", async () => {
    await using server = await startImapServer();
    await using watched = watchMailboxes();
    watched.order(toOrder("ann", server.port));
    await vi.waitFor(() => expect(watched.troubles().length).toBeGreaterThan(0), patience);
    expect(watched.troubles()[0]?.problem).toMatch(/does not offer trusted TLS \([A-Z_]+\)\.$/);
    expect(server.heard.join("")).not.toContain("LOGIN");
  });

  test("a malicious IMAP server with a certificate for another name is rejected", async () => {
    await using server = await startImapServer();
    await using watched = watchMailboxes({ mailboxCa: server.ca });
    watched.order(toOrder("ann", server.port, { server: { host: "127.0.0.1", port: server.port, tls: "implicit" } }));
    await vi.waitFor(() => expect(watched.troubles().length).toBeGreaterThan(0), patience);
    expect(watched.troubles()[0]?.problem).toContain("does not offer trusted TLS");
    expect(server.heard.join("")).not.toContain("LOGIN");
  });

  test.each([
    ["offers no STARTTLS", {}],
    ["claims to have logged us in", { greet: (peer: ImapPeer) => peer.say("* PREAUTH welcome\r\n") }],
    [
      "sends data before TLS",
      {
        capabilities: "IMAP4rev1 STARTTLS",
        answer: when("STARTTLS", (peer, tag) => peer.say(`${tag} OK go\r\n* CAPABILITY IMAP4rev1 AUTH=PLAIN\r\n`)),
      },
    ],
  ])("a malicious IMAP server that %s during STARTTLS gets no password", async (_name, options) => {
    await using server = await startImapServer({ ...options, tls: "starttls" });
    await using watched = watchMailboxes({ mailboxCa: server.ca, mailboxPatienceMs: 1_500 });
    watched.order(toOrder("ann", server.port, { server: { host: "localhost", port: server.port, tls: "starttls" } }));
    await vi.waitFor(() => expect(watched.troubles().length).toBeGreaterThan(0), patience);
    expect(server.heard.join("")).not.toMatch(/LOGIN|AUTHENTICATE|pa55/);
  });

  test("a malicious IMAP server at a private address is rejected unless the operator allowed it", async () => {
    await using server = await startImapServer();
    await using watched = watchMailboxes({ mailboxCa: server.ca, allowPrivateTargets: { all: false, networks: [] } });
    watched.order(toOrder("ann", server.port));
    await vi.waitFor(() => expect(watched.troubles().length).toBeGreaterThan(0), patience);
    expect(watched.troubles()[0]?.problem).toContain("This server only connects to public addresses");
    expect(server.heard).toEqual([]);
    watched.order(toOrder("theirs", server.port, { isOperators: true }));
    await vi.waitFor(() => expect(watched.connections()).toMatchObject([{ id: "theirs" }]), patience);
  });

  test("Gmail's categories are reported as its tabs", async () => {
    const categories = ["promotions", "social", "updates", "primary"];
    const messages = categories.map((category, at) => ({ uid: at + 1, category, source: toTestMessage(category) }));
    await using server = await startImapServer({ capabilities: "IMAP4rev1 X-GM-EXT-1", messages });
    await using watched = watchMailboxes({ mailboxCa: server.ca });
    watched.order(toOrder("ann", server.port, { searchesTabs: true }));
    await vi.waitFor(() => expect(watched.sightings()).toHaveLength(4), patience);
    expect(watched.sightings().map(({ subject, folder, folderName }) => [subject, folder, folderName])).toEqual([
      ["promotions", "promotions", "INBOX (Promotions)"],
      ["social", "inbox", "INBOX (Social)"],
      ["updates", "inbox", "INBOX (Updates)"],
      ["primary", "inbox", "INBOX (Primary)"],
    ]);
  });
});
