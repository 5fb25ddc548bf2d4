// Invitations by email over the API: what is sent, what the inviter sees, and hostile names.

import { describe, expect, test } from "vitest";
import { findFreePort } from "../../../../scripts/ports.ts";
import { toReturnPath } from "../../../../src/analyzer/mail/send-token.ts";
import { createLoopback } from "../../../../src/features/intake/work/loopback.ts";
import {
  createRelayTransport,
  type MailTransport,
  TransportFailure,
} from "../../../../src/features/sending/work/transports.ts";
import { secretIn, site, textOf, worldWithRelay } from "../../../http/account-mail-world.ts";
import { aBounce } from "../../../http/arrivals.ts";
import { goodPassword } from "../../../http/people.ts";
import { startRelay } from "../../sending/work/relay-server.ts";

const hourMs = 3_600_000;
const bob = { email: "bob@example.com", role: "member", sendEmail: true };

describe("an invitation by email", () => {
  test("an invitation by email has the link, the inviter, and the workspace, and works once", async () => {
    const world = await worldWithRelay();
    const { status, json } = await world.invite(bob, { "x-forwarded-host": "evil.example" });
    expect([status, json.mail]).toEqual([201, { state: "sent", problem: null, at: "2026-11-21T06:00:00.000Z" }]);
    const [mail] = world.sent;
    const text = textOf(mail);
    expect(mail?.rcptTo).toBe(bob.email);
    expect(text).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(text).toContain("Ann invited bob@example.com to the workspace “Ours” in Assay, as a member.");
    expect(text).toContain(`${site}/invite#${secretIn(mail)}`);
    expect(text).not.toContain("evil.example");
    expect(json.link.split("#")[1]).toBe(secretIn(mail));
    expect(await world.listInvitations()).toMatchObject([{ email: bob.email, mail: { state: "sent" } }]);
    const accept = () =>
      world.ask("POST", "/api/auth/invite/accept", {
        body: { token: secretIn(mail), name: "Bob", password: goodPassword },
      });
    expect((await accept()).status).toBe(201);
    expect((await accept()).json.error).toBe("invalid_link");
  });

  test("an invitation by email is sent only on request", async () => {
    const world = await worldWithRelay();
    const { json } = await world.invite({ email: bob.email, role: "member" });
    expect(json.mail).toBeNull();
    expect((await world.listInvitations())[0].mail).toBeNull();
    expect(world.sent).toEqual([]);
  });

  test("without a relay, a web address, and a sender, an invitation is not created and the missing settings are named", async () => {
    const road = { transport: "loopback", deliver: async () => "250 OK", close() {} } as const;
    const world = await worldWithRelay({ ASSAY_SEED_DOMAINS: "seed.localhost" }, { road });
    const { status, json } = await world.invite(bob);
    expect([status, json.error]).toEqual([503, "email_not_configured"]);
    for (const name of ["ASSAY_SEND_SMTP_URL", "ASSAY_BASE_URL", "ASSAY_ALERT_FROM"])
      expect(json.message).toContain(name);
    expect(await world.listInvitations()).toEqual([]);
    expect((await world.invite({ ...bob, sendEmail: false })).status).toBe(201);
  });

  test("an invitation by email that the relay rejects shows the reason, and its link still works", async () => {
    const world = await worldWithRelay();
    const problem = "The relay rejected bob@example.com: 550 5.1.1 No such user";
    world.relay.failure = new TransportFailure(problem, { reply: "550 5.1.1 No such user", isRecipient: true });
    const { status, json } = await world.invite(bob);
    expect([status, json.mail]).toMatchObject([201, { state: "failed", problem }]);
    expect(await world.listInvitations()).toMatchObject([{ mail: { state: "failed", problem } }]);
    const body = { kind: "invitation", token: json.link.split("#")[1] };
    expect((await world.ask("POST", "/api/auth/link", { body })).status).toBe(204);
  });

  test("an invitation by email can be sent again, which replaces the link", async () => {
    const world = await worldWithRelay();
    await world.invite(bob);
    await world.invite(bob);
    expect(await world.listInvitations()).toHaveLength(1);
    const check = (index: number) =>
      world.ask("POST", "/api/auth/link", { body: { kind: "invitation", token: secretIn(world.sent[index]) } });
    expect([(await check(0)).status, (await check(1)).status]).toEqual([400, 204]);
  });

  test("an invitation by email reaches a mailbox at most three times an hour from all workspaces, and a rejected one changes nothing", async () => {
    const world = await worldWithRelay();
    const { id: other } = await world.createWorkspace("Theirs");
    const eve = await world.addPerson(other, "owner", "Eve");
    for (const email of ["bob@example.com", "Bob+a@example.com"]) await world.invite({ ...bob, email });
    await world.ask("POST", "/api/members", { cookie: eve.cookie, workspace: other, body: bob });
    expect(world.sent).toHaveLength(3);
    const refused = await world.invite(bob);
    expect([refused.status, refused.json.error]).toEqual([429, "rate_limited"]);
    const body = { kind: "invitation", token: secretIn(world.sent[0]) };
    expect((await world.ask("POST", "/api/auth/link", { body })).status).toBe(204);
    expect((await world.invite({ ...bob, sendEmail: false })).status).toBe(201);
    world.clock.nowMs += hourMs;
    expect((await world.invite(bob)).status).toBe(201);
  });

  test("an invitation by email is limited to fifty a day per workspace", async () => {
    const world = await worldWithRelay();
    for (let count = 0; count < 50; count++)
      expect((await world.invite({ ...bob, email: `p${count}@example.com` })).status).toBe(201);
    const { status, json } = await world.invite(bob);
    expect([status, json.message]).toEqual([429, expect.stringContaining("50 invitations by email within a day")]);
    expect(world.sent).toHaveLength(50);
  });

  test("an invitation by email that was interrupted by a shutdown is not shown as sent", async () => {
    const world = await worldWithRelay();
    await world.invite(bob);
    await world.store.write((db) => db.updateTable("invitations").set({ mail_state: "sending" }).execute());
    expect((await world.listInvitations())[0].mail.state).toBe("sending");
    world.clock.nowMs += 61_000;
    expect((await world.listInvitations())[0].mail).toMatchObject({
      state: "failed",
      problem: expect.stringContaining("stopped"),
    });
  });

  test("an invitation by email that bounces later shows it, and only its own return path counts", async () => {
    const world = await worldWithRelay();
    const { id } = (await world.invite(bob)).json;
    const { findReturnPath } = createLoopback({
      db: world.store.read,
      key: world.sendKey,
      alertMailKeys: world.alertMailKeys,
    });
    const path = world.sent[0]?.mailFrom ?? "";
    expect(await findReturnPath(path)).toBe(world.workspace);
    expect(await findReturnPath(toReturnPath(id, "seed.example", world.sendKey))).toBeUndefined();
    await world.receiveNoTest(world.workspace, {
      recognised: aBounce,
      alertMail: { addressId: id.replace("inv_", "adr_") },
    });
    expect((await world.listInvitations())[0].mail).toMatchObject({
      state: "bounced",
      problem: "550 5.1.1 No such user",
    });
  });

  test("an invitation by email is in the audit log as an invitation by email, without its link", async () => {
    const world = await worldWithRelay();
    await world.invite(bob);
    const [entry] = await world.audit("?action=invitation");
    expect(entry).toMatchObject({ action: "invitation.create", details: { request: { sendEmail: true } } });
    expect(JSON.stringify(entry)).not.toContain(secretIn(world.sent[0]));
  });
});

describe("hostile names", () => {
  test.each([
    ["a line break", "Sales\r\nBcc: all@evil.example"],
    ["an encoded word", "=?utf-8?q?Sales=0D=0ABcc:_all@evil.example?="],
    ["a link", "https://assay.example/reset#AAAA click www.evil.example or evil.example"],
    ["markup", '<a href="https://evil.example">Sales</a><script>alert(1)</script>'],
    ["characters that reverse text", "Sales\u202Eelpmaxe.live\u2066"],
    ["great length", "A".repeat(100)],
  ])("hostile names with %s become plain, short text", async (_what, hostile) => {
    const world = await worldWithRelay();
    const { store, workspace, userId } = world;
    await store.write(async (db) => {
      await db.updateTable("workspaces").set({ name: hostile }).where("id", "=", workspace).execute();
      await db.updateTable("users").set({ name: hostile }).where("id", "=", userId).execute();
    });
    expect((await world.invite(bob)).json.mail.state).toBe("sent");
    const raw = Buffer.from(world.sent[0]?.raw ?? []).toString("latin1");
    const head = raw.slice(0, raw.indexOf("\r\n\r\n"));
    expect(head).not.toMatch(/^(?:bcc|cc):/im);
    expect(head.match(/^[\w-]+(?=:)/gm)?.length).toBe(new Set(head.match(/^[\w-]+(?=:)/gm)).size);
    const text = textOf(world.sent[0]);
    expect(text).not.toMatch(/evil\.example|[\u202e\u2066]/);
    expect(text.slice(text.indexOf("<!DOCTYPE"))).not.toMatch(/<script|<a href="https?:\/\/evil/);
    const links = [...text.matchAll(/https?:\/\/[^\s"<>]+/g)].map(([url]) => url.replace(/\.$/, ""));
    expect(new Set(links)).toEqual(new Set([`${site}/invite#${secretIn(world.sent[0])}`, site]));
    expect(text).not.toContain("A".repeat(81));
  });
});

describe("an invitation through a real relay", () => {
  /** Closed before the relay, which waits for its connections. */
  const roadTo = (port: number) => {
    const road = createRelayTransport(`smtp://127.0.0.1:${port}`, "mx.assay.example");
    roads.push(road);
    return road;
  };
  const roads: MailTransport[] = [];
  const closeRoads = () => {
    for (const road of roads.splice(0)) road.close();
  };

  test("an invitation through a real relay reaches an international domain with A-labels, and the longest address unchanged", async () => {
    const relay = await startRelay();
    const world = await worldWithRelay(undefined, { road: roadTo(relay.port) });
    const long = `${"a".repeat(64)}@${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(57)}.de`;
    for (const email of ["bob@bücher.example", long]) expect((await world.invite({ ...bob, email })).status).toBe(201);
    const [first, second] = relay.taken;
    expect(first?.bytes.toString("latin1")).toMatch(/^To: bob@xn--bcher-kva\.example\r$/m);
    expect(second?.to).toEqual([long]);
    const tooLong = await world.invite({ ...bob, email: `a${long}` });
    expect([tooLong.status, tooLong.json.error]).toEqual([400, "invalid_email"]);
    for (const email of ["bob@example.com\r\nRCPT TO:<eve@evil.example>", "bob@example.com>, <eve@evil.example"])
      expect((await world.invite({ ...bob, email })).status).toBe(400);
    expect(relay.taken).toHaveLength(2);
    closeRoads();
  });

  test("an invitation through a real relay to an address that few relays support fails with a reason, without a connection", async () => {
    const relay = await startRelay();
    const world = await worldWithRelay(undefined, { road: roadTo(relay.port) });
    const { json } = await world.invite({ ...bob, email: "jürgen@example.com" });
    expect(json.mail).toMatchObject({ state: "failed", problem: expect.stringContaining("outside ASCII") });
    expect(relay.taken).toEqual([]);
  });

  test("an invitation through a real relay fails with a reason if the relay is down, and succeeds later", async () => {
    const port = await findFreePort();
    const world = await worldWithRelay(undefined, { road: roadTo(port) });
    const down = await world.invite(bob);
    expect([down.status, down.json.mail.state]).toEqual([201, "failed"]);
    expect(down.json.mail.problem).toMatch(/refused|connect/i);
    const relay = await startRelay({}, port);
    expect((await world.invite(bob)).json.mail).toMatchObject({ state: "sent", problem: null });
    expect(relay.taken[0]?.to).toEqual([bob.email]);
    closeRoads();
  });
});
