import { describe, expect, test } from "vitest";
import { openPassword } from "../../../src/features/mailboxes/work/logins.ts";
import type { MailboxTrial, TrialOutcome } from "../../../src/features/mailboxes/work/trials.ts";
import { inWorkspace } from "../../../src/platform/database/scope.ts";
import type { HttpWorldOptions } from "../../http/http-world.ts";
import { worldWithCaller } from "../../http/interface-world.ts";
import { dumpDatabase } from "../../laws/places.ts";

const wanted = {
  host: "imap.mail.example",
  port: 993,
  tls: true,
  user: "ann@mail.example",
  password: "pass word, 'quoted\"",
};

async function open({
  answers = () => ({ ok: true }),
  ...options
}: HttpWorldOptions & { answers?: (trial: MailboxTrial) => TrialOutcome | Promise<TrialOutcome> } = {}) {
  const tried: MailboxTrial[] = [];
  const tryMailbox = async (trial: MailboxTrial) => {
    tried.push(trial);
    return await answers(trial);
  };
  const world = await worldWithCaller({ tryMailbox, ...options });
  world.internet.zone = {
    "imap.mail.example": { A: ["9.9.9.9"] },
    "imap.gmail.com": { A: ["9.9.9.9"] },
    "inside.example": { A: ["9.9.9.9", "10.0.0.7"] },
  };
  const { ask, store, workspace, integrationSealer } = world;
  return {
    ...world,
    tried,
    connect: (changes: object = {}) => ask("POST", "/api/integrations/imap", { ...wanted, ...changes }),
    rows: () => inWorkspace(store.read, workspace).selectFrom("integrations").selectAll().execute(),
    passwordOf: async (id: string) => {
      const rows = await inWorkspace(store.read, workspace).selectFrom("integrations").selectAll().execute();
      const row = rows.find((each) => each.id === id);
      return row && openPassword(integrationSealer, row);
    },
  };
}

describe("a seed mailbox", () => {
  test("a seed mailbox is connected after a successful login, and scheduled for reading", async () => {
    const { connect, tried, rows, passwordOf } = await open();
    const { status, json } = await connect();
    expect(status).toBe(201);
    expect(json).toEqual({
      id: expect.stringMatching(/^int_/),
      provider: "imap",
      label: expect.any(String),
      purpose: expect.any(String),
      configured: true,
      connected: true,
      account: "ann@mail.example",
      connectedAt: "2026-11-21T06:00:00.000Z",
      status: "connecting",
      problem: null,
      statusSince: "2026-11-21T06:00:00.000Z",
      scopes: [],
      seedProvider: null,
      reads: "placement",
      server: { host: "imap.mail.example", port: 993, tls: true },
    });
    const { user, password } = wanted;
    const server = { host: "imap.mail.example", port: 993, tls: "implicit" };
    expect(tried).toEqual([{ server, login: { user, password }, searchesTabs: false }]);
    expect(await rows()).toMatchObject([{ id: json.id, due_at: expect.any(Number), claimed_by: null }]);
    expect(await passwordOf(json.id)).toEqual({ user, password });
  });

  test("a seed mailbox without implicit TLS uses STARTTLS, and never cleartext", async () => {
    const { connect, tried } = await open();
    expect((await connect({ port: 143, tls: false })).json.server).toEqual({
      host: "imap.mail.example",
      port: 143,
      tls: false,
    });
    expect(tried[0]?.server.tls).toBe("starttls");
  });

  test.each([
    [{ host: "imap.gmail.com" }, "gmail", true],
    [{ host: "IMAP.Gmail.com." }, "gmail", true],
    [{ host: "imap.gmail.com", provider: null }, null, false],
    [{ provider: "yahoo" }, "yahoo", false],
    [{ provider: "generic" }, "generic", false],
  ])("a seed mailbox connected as %j shows the placement of %j", async (changes, provider, searchesTabs) => {
    const { connect, tried } = await open();
    expect((await connect(changes)).json.seedProvider).toBe(provider);
    expect(tried[0]?.searchesTabs).toBe(searchesTabs);
  });

  test("a seed mailbox with a user name that is not an address may have a separate address", async () => {
    const { connect } = await open();
    expect((await connect({ user: "ann" })).json.account).toBe("ann");
    expect((await connect({ user: "bob", address: "Bob@Mail.example" })).json.account).toBe("bob@mail.example");
    expect((await connect({ user: "cid", address: "cid" })).json).toMatchObject({
      error: "invalid_email",
      field: "address",
    });
  });

  test.each([
    [{ ok: false, at: "password", problem: "The user name and password are refused." }, "password"],
    [{ ok: false, at: "server", problem: "The server gives no answer." }, "host"],
  ] as const)("a seed mailbox that rejects the login is not stored: %j", async (outcome, field) => {
    const { connect, rows } = await open({ answers: () => outcome });
    const { status, json } = await connect();
    expect([status, json]).toEqual([400, { error: "invalid_request", message: outcome.problem, field }]);
    expect(await rows()).toEqual([]);
  });

  test.each([
    ["host", "", "invalid_url"],
    ["host", "imap.mail.example/path", "invalid_url"],
    ["host", "ann@imap.mail.example", "invalid_url"],
    ["host", "imap.mail\r\n.example", "invalid_url"],
    ["host", 7, "invalid_url"],
    ["host", "nowhere.example", "invalid_url"],
    ["host", "inside.example", "invalid_url"],
    ["host", "127.0.0.1", "invalid_url"],
    ["host", "localhost", "invalid_url"],
    ["host", "[::1]", "invalid_url"],
    ["host", "169.254.169.254", "invalid_url"],
    ["port", 25, "invalid_request"],
    ["port", "993", "invalid_request"],
    ["port", 993.5, "invalid_request"],
    ["port", undefined, "invalid_request"],
    ["tls", "yes", "invalid_request"],
    ["tls", undefined, "invalid_request"],
    ["user", "", "invalid_request"],
    ["user", "ann\r\nA1 LOGOUT", "invalid_request"],
    ["password", "", "invalid_request"],
    ["password", "one\ntwo", "invalid_request"],
    ["password", undefined, "invalid_request"],
    ["provider", "aol", "invalid_request"],
    ["folder", "INBOX", "invalid_request"],
  ])("a seed mailbox with %s set to %j is rejected before any connection", async (field, value, error) => {
    const { connect, tried } = await open();
    const { status, json } = await connect({ [field]: value });
    expect(status).toBe(400);
    expect(json).toMatchObject({ error, field });
    expect(tried).toEqual([]);
  });

  test.each(["ann\0", "ann\ud800"])("a seed mailbox with user or password %j is rejected", async (text) => {
    const { connect, tried } = await open();
    expect((await connect({ user: text })).status).toBe(400);
    expect((await connect({ password: text })).status).toBe(400);
    expect(tried).toEqual([]);
  });

  test("a seed mailbox may be on a private network or another port if the operator allows it", async () => {
    const { connect } = await open({ privateTargets: { all: false, networks: ["127.0.0.0/8"] }, imapPorts: [10_143] });
    expect((await connect({ host: "127.0.0.1", port: 10_143 })).status).toBe(201);
    expect((await connect({ host: "10.0.0.1", port: 10_143, user: "bob" })).json.error).toBe("invalid_url");
    expect((await connect({ port: 993 })).json.field).toBe("port");
  });

  test("a seed mailbox is connected once per workspace, in any spelling and by any user", async () => {
    const { connect, tried, askAs, createWorkspace, issueToken } = await open();
    expect((await connect()).status).toBe(201);
    const { status, json } = await connect({ user: "ANN@mail.example" });
    expect([status, json.error]).toEqual([409, "conflict"]);
    expect(tried).toHaveLength(1);
    const { id: workspace } = await createWorkspace("Theirs");
    const { token } = await issueToken(workspace);
    const theirs = await askAs("POST", "/api/integrations/imap", { token, workspace, body: wanted });
    expect(theirs.status).toBe(201);
  });

  test("a seed mailbox is limited to twenty per workspace, for simultaneous requests too", async () => {
    const { connect, rows } = await open();
    for (let i = 0; i < 19; i++) expect((await connect({ user: `u${i}` })).status).toBe(201);
    const statuses = await Promise.all(["x", "y"].map(async (user) => (await connect({ user })).status));
    expect(statuses.sort()).toEqual([201, 409]);
    expect(await rows()).toHaveLength(20);
  });

  test("a seed mailbox has its password neither in the database, nor in a response, nor in the log", async () => {
    const { connect, ask, store, lines } = await open();
    const { json, text } = await connect({ password: "correct-horse" });
    const { text: changed } = await ask("PATCH", `/api/integrations/${json.id}`, { password: "battery-staple" });
    for (const told of [text, changed, await dumpDatabase(store), JSON.stringify(lines)])
      expect(told).not.toMatch(/correct-horse|battery-staple/);
  });

  test("a seed mailbox is rate limited: a workspace that connects many at once must retry later", async () => {
    const gate = Promise.withResolvers<TrialOutcome>();
    const { connect } = await open({ answers: () => gate.promise });
    const asked = Array.from({ length: 20 }, (_, i) => connect({ user: `u${i}` }));
    expect((await Promise.race(asked)).status).toBe(429);
    gate.resolve({ ok: true });
    const answers = await Promise.all(asked);
    const statuses = Map.groupBy(answers, ({ status }) => status);
    expect([...statuses.keys()].sort()).toEqual([201, 429]);
    expect(statuses.get(429)?.[0]?.headers.get("retry-after")).not.toBeNull();
  });
});

describe("the password of a seed mailbox", () => {
  test("the password of a seed mailbox is changed after a successful login, and reading resumes", async () => {
    const { connect, ask, store, workspace, tried, passwordOf, clock } = await open();
    const { json } = await connect();
    const stopped = { status: "reconnect", problem: "Refused.", due_at: null } as const;
    await store.write((db) => inWorkspace(db, workspace).updateTable("integrations").set(stopped).execute());
    clock.nowMs += 1_000;
    const answer = await ask("PATCH", `/api/integrations/${json.id}`, { password: "another" });
    expect([answer.status, answer.json]).toEqual([
      200,
      { ...json, status: "connecting", problem: null, statusSince: "2026-11-21T06:00:01.000Z" },
    ]);
    expect(tried.at(-1)?.login).toEqual({ user: wanted.user, password: "another" });
    expect(await passwordOf(json.id)).toEqual({ user: wanted.user, password: "another" });
  });

  test("the password of a seed mailbox is unchanged if the new one does not work", async () => {
    let works = true;
    const refused = { ok: false, at: "password", problem: "Refused." } as const;
    const { connect, ask, passwordOf } = await open({ answers: () => (works ? { ok: true } : refused) });
    const { json } = await connect();
    works = false;
    const answer = await ask("PATCH", `/api/integrations/${json.id}`, { password: "another" });
    expect([answer.status, answer.json.field]).toEqual([400, "password"]);
    expect((await passwordOf(json.id))?.password).toBe(wanted.password);
  });

  test("the password of a seed mailbox cannot be changed for an OAuth connection or an unknown one", async () => {
    const { connect, ask, store, workspace } = await open();
    const { json } = await connect();
    const path = `/api/integrations/${json.id}`;
    const set = (columns: { provider: "google" } | { server: null }) =>
      store.write((db) => inWorkspace(db, workspace).updateTable("integrations").set(columns).execute());
    await set({ provider: "google" });
    expect((await ask("PATCH", path, { password: "another" })).json.error).toBe("conflict");
    await set({ server: null });
    expect((await ask("PATCH", path, { password: "another" })).status).toBe(404);
    expect((await ask("PATCH", path, { password: "two\nlines" })).status).toBe(400);
  });
});

describe("the seed list", () => {
  test("the seed list has the active seed address first, then the mailboxes with their status, and a new token", async () => {
    const { connect, ask, store, workspace, clock } = await open();
    const [{ address }] = (await ask("GET", "/api/seed-inboxes")).json.items;
    const first = (await connect({ host: "imap.gmail.com", user: "Ann@Gmail.com" })).json;
    clock.nowMs += 1;
    const second = (await connect({ user: "bob" })).json;
    clock.nowMs += 1;
    const third = (await connect({ user: "cid@mail.example" })).json;
    await store.write((db) =>
      inWorkspace(db, workspace)
        .updateTable("integrations")
        .set({ status: "reconnect" })
        .where("id", "=", third.id)
        .execute(),
    );
    const { status, json } = await ask("GET", "/api/seed-list");
    expect(status).toBe(200);
    const mailbox = { kind: "mailbox", provider: null, status: "connecting" };
    expect(json.items).toEqual([
      { kind: "inbox", address, account: address, provider: null, status: "connected", integrationId: null },
      { ...mailbox, address: "ann@gmail.com", account: "Ann@Gmail.com", provider: "gmail", integrationId: first.id },
      { ...mailbox, address: null, account: "bob", integrationId: second.id },
      {
        ...mailbox,
        address: "cid@mail.example",
        account: "cid@mail.example",
        status: "reconnect",
        integrationId: third.id,
      },
    ]);
    expect(json.token).toMatch(/^assay-[a-z0-9]{20}$/);
    expect((await ask("GET", "/api/seed-list")).json.token).not.toBe(json.token);
    const { text, headers } = await ask("GET", "/api/seed-list.txt");
    expect(text).toBe(`${address}\nann@gmail.com\n`);
    expect(headers.get("content-type")).toBe("text/plain; charset=utf-8");
  });
});
