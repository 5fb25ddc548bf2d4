// What the thread reports of a mailbox at a real Dovecot.

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { MailboxOrder } from "../../../../src/features/mailboxes/work/messages.ts";
import { type Dovecot, hasDovecot, startDovecot } from "../../../dovecot.ts";
import { toTestMessage, type Watched, watchMailboxes } from "./watched-mailbox.ts";

const patience = { timeout: 60_000, interval: 20 };
const hour = 3_600_000;

if (!hasDovecot) console.warn("Seed mailboxes are not tried: dovecot-imapd is not installed.");

describe.skipIf(!hasDovecot)("a seed mailbox at Dovecot", () => {
  let dovecot: Dovecot;
  const users = ["ann", "bob", "cat", "dan", "eve", "fay", "gil", "hal", "ida", "jan", "kim", "lea"];

  beforeAll(async () => {
    dovecot = await startDovecot({ users: Object.fromEntries(users.map((user) => [user, `pw of ${user}`])) });
  });
  afterAll(() => dovecot?.stop(), 60_000);

  type Change = Partial<Extract<MailboxOrder, { order: "watch" }>>;
  const toOrder = (user: string, change: Change = {}): MailboxOrder => ({
    order: "watch",
    id: user,
    server: { host: "localhost", port: dovecot.ports.implicit, tls: "implicit" },
    login: { user, password: `pw of ${user}` },
    marks: [],
    searchesTabs: false,
    ...change,
  });
  const connected = (watched: Watched, times = 1) =>
    vi.waitFor(() => expect(watched.connections().length).toBeGreaterThanOrEqual(times), patience);
  /** Whatever is told from now on was not there at the first look. */
  const looked = async (watched: Watched, ...folders: string[]) => {
    await connected(watched);
    const known = () => watched.marks().map(({ path }) => path);
    await vi.waitFor(() => expect(known()).toEqual(expect.arrayContaining(folders)), patience);
  };
  const subjects = (watched: Watched) => watched.sightings().map(({ subject }) => subject);

  test("a seed mailbox at Dovecot reports messages with their folder, without polling", async () => {
    await using watched = watchMailboxes({ mailboxCa: dovecot.ca });
    watched.order(toOrder("ann"));
    await looked(watched, "INBOX", "Junk");
    expect(watched.connections()[0]?.folders).toEqual([
      { path: "INBOX", role: "inbox" },
      { path: "Junk", role: "spam" },
      { path: "Promotions", role: "other" },
    ]);
    dovecot.deliver({
      user: "ann",
      message: toTestMessage(
        "to the inbox",
        "Authentication-Results: mx.mailbox.example; dkim=pass",
        "X-Assay-Id: abc-def",
      ),
    });
    dovecot.deliver({ user: "ann", folder: "Junk", message: toTestMessage("to junk", "X-Spam-Flag: YES") });
    await vi.waitFor(() => expect(subjects(watched).sort()).toEqual(["to junk", "to the inbox"]), patience);
    const [inbox, junk] = ["inbox", "spam"].map((folder) => watched.sightings().find((one) => one.folder === folder));
    expect(inbox).toMatchObject({
      folderName: "INBOX",
      assayIds: ["abc-def"],
      messageId: "to.the.inbox@sender.example",
      from: "ann@sender.example",
      evidence: { authenticationResults: ["mx.mailbox.example; dkim=pass"] },
    });
    expect(junk).toMatchObject({ folderName: "Junk", evidence: { headers: [{ name: "X-Spam-Flag", value: "YES" }] } });
  });

  test("a seed mailbox at Dovecot reads the other folders every few seconds while a test waits", async () => {
    await using watched = watchMailboxes({ mailboxCa: dovecot.ca });
    watched.order(toOrder("bob"));
    await looked(watched, "Promotions");
    watched.order({ order: "hurry", ids: ["bob"], until: Date.now() + hour });
    dovecot.deliver({ user: "bob", folder: "Promotions", message: toTestMessage("an offer") });
    await vi.waitFor(() => expect(subjects(watched)).toEqual(["an offer"]), patience);
    expect(watched.sightings()[0]).toMatchObject({ folder: "promotions", folderName: "Promotions" });
  });

  test("a seed mailbox at Dovecot is not changed, and uses at most three connections", async () => {
    for (const folder of ["INBOX", "Junk", "Promotions"])
      dovecot.deliver({ user: "cat", folder, message: toTestMessage(`before in ${folder}`) });
    const folders = ["INBOX", "Junk", "Promotions"];
    const files = () => folders.map((folder) => dovecot.filesOf("cat", folder));
    const before = files();
    await using watched = watchMailboxes({ mailboxCa: dovecot.ca });
    watched.order(toOrder("cat"));
    await vi.waitFor(() => expect(subjects(watched)).toHaveLength(3), patience);
    expect(await dovecot.countConnections("cat")).toBe(3);
    await looked(watched, ...folders);
    expect(files()).toEqual(before);
    const listen = () => dovecot.saidBy("cat").join("\n");
    await vi.waitFor(() => expect(listen().match(/ IDLE\r?$/gm)).toHaveLength(2), patience);
    const said = listen();
    expect(said).toContain("BODY.PEEK");
    expect(said).not.toMatch(/ SELECT |STORE|EXPUNGE|MOVE|COPY|CLOSE|DELETE|APPEND|BODY\[/);
  });

  test("a seed mailbox at Dovecot continues at the stored position after a restart, without repeating messages", async () => {
    let marks: ReturnType<Watched["marks"]>;
    {
      await using watched = watchMailboxes({ mailboxCa: dovecot.ca });
      watched.order(toOrder("dan"));
      await connected(watched);
      dovecot.deliver({ user: "dan", message: toTestMessage("before") });
      await vi.waitFor(() => expect(subjects(watched)).toEqual(["before"]), patience);
      marks = watched.marks();
    }
    dovecot.deliver({ user: "dan", message: toTestMessage("between") });
    await using watched = watchMailboxes({ mailboxCa: dovecot.ca });
    watched.order(toOrder("dan", { marks }));
    await vi.waitFor(() => expect(subjects(watched)).toEqual(["between"]), patience);
  });

  test("a seed mailbox at Dovecot is first read from one hour ago", async () => {
    const deliver = (subject: string, age: number) =>
      dovecot.deliver({ user: "eve", message: toTestMessage(subject), arrivedAt: Date.now() - age });
    deliver("old", 2 * hour);
    deliver("recent", hour / 2);
    await using watched = watchMailboxes({ mailboxCa: dovecot.ca });
    watched.order(toOrder("eve"));
    await vi.waitFor(() => expect(subjects(watched)).toEqual(["recent"]), patience);
    const [sighting] = watched.sightings();
    expect(Math.abs((sighting?.arrivedAt ?? 0) - (Date.now() - hour / 2))).toBeLessThan(60_000);
  });

  test("a seed mailbox with a wrong password is reported once, and not tried again until the password changes", async () => {
    await using watched = watchMailboxes({ mailboxCa: dovecot.ca });
    watched.order(toOrder("fay", { login: { user: "fay", password: "wrong" } }));
    await vi.waitFor(() => expect(watched.troubles()).toHaveLength(1), patience);
    expect(watched.troubles()[0]).toEqual({
      news: "trouble",
      id: "fay",
      problem: `localhost:${dovecot.ports.implicit} rejected the username or password.`,
      isFinal: true,
      needsLogin: false,
      isRefusal: true,
    });
    watched.order({ order: "login", id: "fay", login: { user: "fay", password: "pw of fay" } });
    await connected(watched);
    expect(dovecot.log().match(/user=<fay>.*auth failed|auth failed.*user=<fay>/g)).toHaveLength(1);
  });

  test("a seed mailbox at Dovecot with an expired access token asks for a new one and uses it", async () => {
    await using watched = watchMailboxes({ mailboxCa: dovecot.ca });
    const accessToken = dovecot.accessToken("gil", Date.now() - hour);
    watched.order(toOrder("gil", { login: { user: "gil", accessToken } }));
    await vi.waitFor(() => expect(watched.troubles()).toHaveLength(1), patience);
    expect(watched.troubles()[0]).toMatchObject({ isFinal: false, needsLogin: true });
    const fresh = dovecot.accessToken("gil", Date.now() + hour);
    watched.order({ order: "login", id: "gil", login: { user: "gil", accessToken: fresh } });
    await connected(watched);
  });

  test("a seed mailbox at Dovecot without a spam folder is read without it, over STARTTLS too", async () => {
    await dovecot.mailbox("hal", "delete", "Junk");
    await using watched = watchMailboxes({ mailboxCa: dovecot.ca });
    const server = { host: "localhost", port: dovecot.ports.starttls, tls: "starttls" } as const;
    watched.order(toOrder("hal", { server }));
    await connected(watched);
    expect(watched.connections()[0]?.folders.map(({ role }) => role)).toEqual(["inbox", "other"]);
    dovecot.deliver({ user: "hal", message: toTestMessage("here") });
    await vi.waitFor(() => expect(subjects(watched)).toEqual(["here"]), patience);
  });

  test("a seed mailbox at Dovecot has a folder read again after new UIDs", async () => {
    dovecot.deliver({ user: "ida", folder: "Junk", message: toTestMessage("known") });
    await using watched = watchMailboxes({ mailboxCa: dovecot.ca });
    watched.order(toOrder("ida"));
    await vi.waitFor(() => expect(subjects(watched)).toEqual(["known"]), patience);
    await looked(watched, "INBOX", "Junk", "Promotions");
    const validity = () => watched.marks().find(({ path }) => path === "Junk")?.uidValidity;
    const before = validity();
    await dovecot.changeUidValidity("ida", "Junk");
    watched.order({ order: "hurry", ids: ["ida"], until: Date.now() + hour });
    await connected(watched, 2);
    await vi.waitFor(() => expect(validity()).not.toBe(before), patience);
    dovecot.deliver({ user: "ida", folder: "Junk", message: toTestMessage("later") });
    await vi.waitFor(() => expect(subjects(watched)).toContain("later"), patience);
  });

  test("a seed mailbox at Dovecot finds a renamed spam folder again", async () => {
    await using watched = watchMailboxes({ mailboxCa: dovecot.ca });
    watched.order(toOrder("jan"));
    await looked(watched, "INBOX", "Junk", "Promotions");
    await dovecot.mailbox("jan", "rename", "Junk", "Spam");
    watched.order({ order: "hurry", ids: ["jan"], until: Date.now() + hour });
    await vi.waitFor(
      () => expect(watched.connections().at(-1)?.folders).toContainEqual({ path: "Spam", role: "spam" }),
      patience,
    );
    dovecot.deliver({ user: "jan", folder: "Spam", message: toTestMessage("unwanted") });
    await vi.waitFor(
      () => expect(watched.sightings()).toMatchObject([{ folder: "spam", folderName: "Spam" }]),
      patience,
    );
  });

  test("a seed mailbox at Dovecot needs no more traffic with ten thousand messages than with ten", {
    timeout: 240_000,
  }, async () => {
    const old = Date.now() - 30 * 24 * hour;
    dovecot.deliverMany({ user: "kim", message: toTestMessage("few %d"), arrivedAt: old }, 10);
    dovecot.deliverMany({ user: "lea", message: toTestMessage("many %d"), arrivedAt: old }, 10_000);
    // The server makes its own index the first time that anybody opens the folder.
    await dovecot.mailbox("lea", "status", "uidnext", "INBOX");
    const cost = async (user: string) => {
      await using watched = watchMailboxes({ mailboxCa: dovecot.ca });
      watched.order(toOrder(user));
      await connected(watched);
      dovecot.deliver({ user, message: toTestMessage("new") });
      await vi.waitFor(() => expect(subjects(watched)).toEqual(["new"]), patience);
      const said =
        dovecot
          .saidBy(user)
          .join("")
          .match(/^\d+\.\d+ [0-9A-F]+ .*/gm) ?? [];
      return { commands: said.length, bytes: dovecot.bytesToldTo(user) };
    };
    const [few, many] = [await cost("kim"), await cost("lea")];
    expect(many.commands).toBeLessThanOrEqual(few.commands + 3);
    // The dates of the newest two hundred.
    expect(many.bytes).toBeLessThan(few.bytes + 200 * 100);
  });

  test("a seed mailbox at Dovecot reports a server that goes down, and reconnects when it is back", async () => {
    await using watched = watchMailboxes({ mailboxCa: dovecot.ca });
    watched.order(toOrder("ann"));
    await connected(watched);
    await dovecot.down();
    await vi.waitFor(() => expect(watched.troubles().length).toBeGreaterThan(0), patience);
    expect(watched.troubles()[0]).toMatchObject({
      problem: `localhost:${dovecot.ports.implicit} refuses the connection.`,
      isFinal: false,
      needsLogin: false,
    });
    await dovecot.up();
    await connected(watched, 2);
    dovecot.deliver({ user: "ann", message: toTestMessage("after the restart") });
    await vi.waitFor(() => expect(subjects(watched)).toContain("after the restart"), patience);
  });
});
