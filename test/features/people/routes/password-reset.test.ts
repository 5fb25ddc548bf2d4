// A forgotten password by email: what is sent, what the link does, and what a stranger can find out.

import { describe, expect, test } from "vitest";
import { findFreePort } from "../../../../scripts/ports.ts";
import { insertEmergencyAccount } from "../../../../src/features/people/rows/users.ts";
import { createRelayTransport, TransportFailure } from "../../../../src/features/sending/work/transports.ts";
import { ann, another, secretIn, site, textOf, worldWithRelay } from "../../../http/account-mail-world.ts";
import { addMember } from "../../../http/add-member.ts";
import { cookieOf, goodPassword, invitationToken, resetToken } from "../../../http/people.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

type World = Awaited<ReturnType<typeof worldWithRelay>>;

/** Until all that was requested is done. The clock stands still, so nothing is sent late. */
async function settle({ forgetAndRead, clock }: World): Promise<void> {
  clock.nowMs += hourMs;
  await forgetAndRead();
}

async function addAccount(world: World, email: string): Promise<string> {
  const token = await invitationToken(world, { workspaceId: world.workspace, email });
  const body = { token, name: "Bob", password: goodPassword };
  const joined = await world.ask("POST", "/api/auth/invite/accept", { body });
  expect(joined.status).toBe(201);
  return joined.json.user.id;
}

describe("the password reset email", () => {
  test("the password reset email has one link under the configured web address, and nothing from the request", async () => {
    const world = await worldWithRelay();
    const headers = { "x-forwarded-host": "evil.example", forwarded: "host=evil.example" };
    const body = { email: " ANN@Example.com" };
    expect((await world.ask("POST", "/api/auth/reset/request", { body, headers })).status).toBe(204);
    await expect.poll(() => world.sent.length).toBe(1);
    const [mail] = world.sent;
    const text = textOf(mail);
    expect(mail?.rcptTo).toBe(ann.email);
    expect(mail?.mailFrom).toMatch(/^bounce\+[0-9a-z-]{43}@seed\.example$/);
    expect(text).toMatch(/^Subject: Reset your Assay password\r$/m);
    expect(text).toMatch(/^Message-ID: <[0-9a-z-]{43}@seed\.example>\r$/im);
    expect(text).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(text).toMatch(/^Content-Type: multipart\/alternative;/m);
    expect(text).not.toContain("evil.example");
    const links = [...text.matchAll(/https?:\/\/[^\s"<>]+/g)].map(([url]) => url.replace(/\.$/, ""));
    expect(new Set(links)).toEqual(new Set([`${site}/reset#${secretIn(mail)}`, site]));
  });

  test("the password reset email is sent after the response, which is the same for unknown addresses", async () => {
    const held = Promise.withResolvers<string>();
    const asked: string[] = [];
    const road = {
      transport: "relay",
      deliver: ({ rcptTo }: { rcptTo: string }) => {
        asked.push(rcptTo);
        return held.promise;
      },
      close() {},
    } as const;
    const world = await worldWithRelay(undefined, { road });
    const shown = async (email: string) => {
      const { status, text, headers } = await world.forget(email);
      return { status, text, headers: [...headers.keys()].filter((name) => name !== "date") };
    };
    const known = await shown(ann.email);
    expect(known.status).toBe(204);
    expect(await shown("nobody@example.com")).toEqual(known);
    await expect.poll(() => asked).toEqual([ann.email]);
    held.resolve("250 OK");
  });

  test("the password reset email goes only to accounts whose password is in use", async () => {
    const world = await worldWithRelay();
    const { email } = await world.addPerson(world.workspace, "member");
    await world.forget(email);
    await settle(world);
    expect(world.sent.map(({ rcptTo }) => rcptTo)).toEqual([ann.email]);
  });

  test("the password reset email never replaces an operator's reset link", async () => {
    const world = await worldWithRelay();
    const bob = "bob@example.com";
    await addAccount(world, bob);
    const token = await resetToken(world, bob);
    await world.forget(bob);
    await settle(world);
    expect((await world.reset(token)).status).toBe(200);
  });

  test("the password reset email goes only to emergency accounts if users log in through an organization", async () => {
    const settings = { ASSAY_BASE_URL: site, ASSAY_LOGIN: "oidc", ASSAY_OIDC: "issuers.json" };
    const world = await worldWithRelay(settings);
    expect((await world.ask("GET", "/api/login-ways")).json).toMatchObject({
      passwords: "emergency",
      resetByEmail: true,
    });
    const { store, clock, userId } = world;
    await store.write((db) => db.deleteFrom("emergency_accounts").execute());
    await world.forget();
    await store.write((db) => insertEmergencyAccount(db, userId, clock.nowMs));
    expect(world.sent).toEqual([]);
    const secret = await world.forgetAndRead();
    expect((await world.reset(secret)).status).toBe(200);
  });

  test("the password reset email isn't sent without a relay, a web address, and a sender, and the response names them", async () => {
    const road = { transport: "loopback", deliver: async () => "250 OK", close() {} } as const;
    const world = await worldWithRelay({ ASSAY_SEED_DOMAINS: "seed.localhost" }, { road });
    for (const email of [ann.email, "nobody@example.com"]) {
      const { status, json } = await world.forget(email);
      expect([status, json.error]).toEqual([503, "email_not_configured"]);
      for (const name of ["ASSAY_SEND_SMTP_URL", "ASSAY_BASE_URL", "ASSAY_ALERT_FROM"])
        expect(json.message).toContain(name);
    }
    expect((await world.ask("GET", "/api/login-ways")).json.resetByEmail).toBe(false);
  });
});

describe("limits of password resets", () => {
  test("limits of password resets are three an hour and six a day per mailbox in any spelling, and an earlier link stays valid", async () => {
    const world = await worldWithRelay();
    for (let sent = 0; sent < 3; sent++) await world.forgetAndRead();
    const last = secretIn(world.sent.at(-1));
    await world.forget();
    world.clock.nowMs += 50 * minuteMs;
    await expect.poll(() => world.lines.some(({ message }) => message === "password reset email limited")).toBe(true);
    expect(world.sent).toHaveLength(3);
    expect((await world.reset(last)).status).toBe(200);
  });

  test("limits of password resets are ten in ten minutes per client for any addresses", async () => {
    const world = await worldWithRelay();
    for (let asked = 0; asked < 10; asked++)
      expect((await world.forget(`person${asked}@example.com`)).status).toBe(204);
    const { status, json } = await world.forget();
    expect([status, json.error]).toEqual([429, "rate_limited"]);
    world.clock.nowMs += 10 * minuteMs;
    expect((await world.forget()).status).toBe(204);
  });
});

describe("the password reset link", () => {
  test("the password reset link isn't used up by opening or checking it, and sets a password once", async () => {
    const world = await worldWithRelay();
    const token = await world.forgetAndRead();
    expect((await fetch(`${world.base}/reset`)).status).toBe(200);
    const body = { kind: "passwordReset", token };
    expect((await world.ask("POST", "/api/auth/link", { body })).status).toBe(204);
    expect((await world.logIn(goodPassword)).status).toBe(200);
    const { status, json } = await world.reset(token);
    expect([status, json.user.email]).toEqual([200, ann.email]);
    expect((await world.logIn(goodPassword)).status).toBe(401);
    expect((await world.logIn(another)).status).toBe(200);
    expect((await world.reset(token)).json.error).toBe("invalid_link");
  });

  test("the password reset link works for an hour, and only the newest one works", async () => {
    const world = await worldWithRelay();
    const first = await world.forgetAndRead();
    const second = await world.forgetAndRead();
    expect((await world.reset(first)).json.error).toBe("invalid_link");
    world.clock.nowMs += hourMs;
    expect((await world.reset(second)).json.error).toBe("invalid_link");
    const third = await world.forgetAndRead();
    world.clock.nowMs += hourMs - 1;
    expect((await world.reset(third)).status).toBe(200);
  });

  test("the password reset link is invalid after the password was changed in another way", async () => {
    const world = await worldWithRelay();
    const token = await world.forgetAndRead();
    const { cookie } = cookieOf((await world.logIn(goodPassword)).headers);
    const changed = await world.ask("POST", "/api/auth/password", {
      cookie,
      body: { current: goodPassword, next: another },
    });
    expect(changed.status).toBe(204);
    expect((await world.reset(token, "yet another lamp tundra")).json.error).toBe("invalid_link");
    expect((await world.logIn(another)).status).toBe(200);
  });

  test("the password reset link resets only its own account", async () => {
    const world = await worldWithRelay();
    const bob = "bob@example.com";
    await addAccount(world, bob);
    const token = await world.forgetAndRead(bob);
    expect((await world.reset(token)).json.user.email).toBe(bob);
    expect((await world.logIn(goodPassword)).status).toBe(200);
    expect((await world.logIn(another)).status).toBe(401);
  });

  test("the password reset link lets one of many simultaneous users in", async () => {
    const world = await worldWithRelay();
    const token = await world.forgetAndRead();
    const passwords = ["one", "two", "three", "four", "five"].map((word) => `${word} lamp under tundra`);
    const answers = await Promise.all(passwords.map((password) => world.reset(token, password)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400, 400]);
    const winner = passwords[answers.findIndex(({ status }) => status === 200)] ?? "";
    expect((await world.logIn(winner)).status).toBe(200);
    expect((await world.store.read.selectFrom("sessions").selectAll().execute()).length).toBe(2);
  });

  test("the password reset link ends all sessions, keeps tokens, and starts a new session", async () => {
    const world = await worldWithRelay();
    const { token: apiToken } = await world.issueToken(world.workspace, null, world.userId);
    const planted = cookieOf((await world.logIn(goodPassword)).headers).cookie;
    const token = await world.forgetAndRead();
    const answer = await world.ask("POST", "/api/auth/reset", { cookie: planted, body: { token, password: another } });
    const { cookie: fresh } = cookieOf(answer.headers);
    expect(fresh).not.toBe(planted);
    for (const cookie of [world.cookie, planted])
      expect((await world.ask("GET", "/api/me", { cookie })).status).toBe(401);
    expect((await world.ask("GET", "/api/me", { cookie: fresh })).status).toBe(200);
    const asked = { token: apiToken, workspace: world.workspace };
    expect((await world.ask("GET", "/api/tests", asked)).status).toBe(200);
  });

  test("the password reset link is stored only as a hash, and in no log", async () => {
    const world = await worldWithRelay();
    const token = await world.forgetAndRead();
    const rows = await world.store.read.selectFrom("password_resets").selectAll().execute();
    expect(rows).toMatchObject([{ user_id: world.userId, hash: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
    await world.reset(token);
    const kept = JSON.stringify([rows, world.lines, await world.audit()]);
    for (const secret of [token, another, goodPassword]) expect(kept).not.toContain(secret);
  });

  test.each([
    ["nothing", ""],
    ["43 other characters", "A".repeat(43)],
    ["a path", "../../../etc/passwd"],
    ["a line break", `${"A".repeat(42)}\n`],
    ["an SQL pattern", "%".repeat(43)],
  ])("the password reset link is rejected with %s instead of its secret", async (_what, token) => {
    const world = await worldWithRelay();
    await world.forgetAndRead();
    expect((await world.reset(token)).status).toBe(400);
    expect((await world.logIn(goodPassword)).status).toBe(200);
  });
});

describe("a password reset", () => {
  test("after a password reset, the user gets an email with the IP and a way to undo the reset", async () => {
    const world = await worldWithRelay();
    const token = await world.forgetAndRead();
    const { headers } = await world.reset(token);
    await expect.poll(() => world.sent.length).toBe(2);
    const notice = textOf(world.sent[1]);
    expect(world.sent[1]?.rcptTo).toBe(ann.email);
    expect(notice).toMatch(/^Subject: Your Assay password was changed\r$/m);
    expect(notice).toContain("2026-11-21 06:00 UTC, from the IP address 127.0.0.1");
    expect(notice).toContain(`${site}/forgot-password`);
    await world.ask("POST", "/api/auth/password", {
      cookie: cookieOf(headers).cookie,
      body: { current: another, next: goodPassword },
    });
    await expect.poll(() => world.sent.length).toBe(3);
    expect(textOf(world.sent[2])).toMatch(/^Subject: Your Assay password was changed\r$/m);
  });

  test("the audit log has a password reset request with its IP, and the reset by the user", async () => {
    const world = await worldWithRelay();
    await world.forget("nobody@example.com");
    await world.reset(await world.forgetAndRead());
    const entries = (await world.audit("?action=password")).map(({ action, summary, address }) => ({
      action,
      summary,
      address,
    }));
    expect(entries).toEqual([
      { action: "password.reset", summary: expect.stringContaining("Ann set a new password"), address: "127.0.0.1" },
      {
        action: "password.reset-request",
        summary: expect.stringContaining("requested an email to reset the password of “Ann”"),
        address: "127.0.0.1",
      },
    ]);
  });

  test("an unreachable relay is in the log and the metrics until one message is accepted", async () => {
    const world = await worldWithRelay();
    const failing = async () =>
      /^assay_account_email_failing (\d)$/m.exec((await world.ask("GET", "/metrics")).text)?.[1];
    expect(await failing()).toBe("0");
    world.relay.failure = new TransportFailure("The relay at localhost:587 refused the connection.");
    expect((await world.forget()).status).toBe(204);
    await expect
      .poll(() => world.lines.filter(({ message }) => message === "account email not sent"))
      .toMatchObject([
        { fields: { what: "password reset", to: ann.email, problem: expect.stringContaining("refused") } },
      ]);
    expect(await failing()).toBe("1");
    world.relay.failure = null;
    await world.forgetAndRead();
    expect(await failing()).toBe("0");
  });

  test("a message that the relay rejected leaves no link and doesn't count toward the limit", async () => {
    const world = await worldWithRelay();
    world.relay.failure = new TransportFailure("The relay rejected the sender: 550 5.7.1 Not yours", {
      reply: "550 5.7.1 Not yours",
      isRecipient: false,
    });
    for (let tries = 1; tries <= 4; tries++) {
      await world.forget();
      await expect
        .poll(() => world.lines.filter(({ message }) => message === "password reset link removed").length)
        .toBe(tries);
    }
    expect(await world.store.read.selectFrom("password_resets").selectAll().execute()).toEqual([]);
    world.relay.failure = null;
    expect((await world.reset(await world.forgetAndRead())).status).toBe(200);
  });

  test("an unreachable relay changes nothing that a stranger sees", async () => {
    const road = createRelayTransport(`smtp://127.0.0.1:${await findFreePort()}`, "mx.assay.example");
    const world = await worldWithRelay(undefined, { road });
    expect((await world.forget()).status).toBe(204);
    await expect
      .poll(() => world.lines.find(({ message }) => message === "account email not sent")?.fields)
      .toMatchObject({ problem: expect.stringMatching(/relay .*(refused|connect)/i) });
  });
});

test("a member's address is visible to others, but their link is not", async () => {
  const world = await worldWithRelay();
  const bob = await addMember(world, world.workspace, { email: "bob@example.com", role: "owner" });
  await world.forgetAndRead();
  const seen = await world.ask("GET", "/api/members", { cookie: bob.cookie, workspace: world.workspace });
  expect(seen.text).not.toContain(secretIn(world.sent[0]));
});
