import { describe, expect, test } from "vitest";
import { routeRecipient } from "../../../../src/features/intake/work/route-recipient.ts";
import { listMembers } from "../../../../src/features/people/rows/memberships.ts";
import { changePlan, listWorkspaces } from "../../../../src/features/people/rows/workspaces.ts";
import { parsePlans } from "../../../../src/features/people/rules/plans.ts";
import { removeWorkspaces } from "../../../../src/features/people/work/workspaces.ts";
import { createAnalysisWatch } from "../../../../src/features/rehearsal/work/analysis-watch.ts";
import { createJudge, judgeBounds } from "../../../../src/features/rehearsal/work/judge.ts";
import { inWorkspace } from "../../../../src/platform/database/scope.ts";
import { newRsaKey, toKeyRecord } from "../../../analyzer/mail/signing/sign.ts";
import { addMember } from "../../../http/add-member.ts";
import { startHttpWorld } from "../../../http/http-world.ts";

const senderKey = newRsaKey(2_048);

async function worldWithCaller() {
  const world = await startHttpWorld();
  const workspace = await world.createWorkspace("Ours");
  const { token, row } = await world.issueToken(workspace.id);
  return { ...world, workspace, token, row };
}

test("GET /api/workspaces lists only the caller's workspaces", async () => {
  const { ask, token, workspace, createWorkspace } = await worldWithCaller();
  await createWorkspace("Theirs");
  const { json } = await ask("GET", "/api/workspaces", { token });
  expect(json.items).toEqual([
    {
      id: workspace.id,
      name: "Ours",
      plan: "self-hosted",
      seedAddress: workspace.seed_address,
      sendingVolume: null,
      outgoingServer: null,
      learned: null,
      rehearsal: null,
      requiresSecondFactor: false,
      createdAt: "2026-11-21T06:00:00.000Z",
    },
  ]);
});

test("POST /api/workspaces creates a workspace with an active seed address", async () => {
  const { ask, owner } = await worldWithOwner();
  const asked = { cookie: owner.cookie, body: { name: "Second" } };
  const { status, json } = await ask("POST", "/api/workspaces", asked);
  expect(status).toBe(201);
  expect(json.name).toBe("Second");
  expect(json.seedAddress).toMatch(/^[a-z0-9]{10}@seed\.example$/);
});

test.each([[{}], [{ name: "  " }]])("POST /api/workspaces with %j returns missing_name", async (body) => {
  const { ask, owner } = await worldWithOwner();
  const { json } = await ask("POST", "/api/workspaces", { cookie: owner.cookie, body });
  expect(json).toMatchObject({ error: "missing_name", field: "name" });
});

test("GET /api/me returns the caller and their workspaces", async () => {
  const { ask, token, workspace, row } = await worldWithCaller();
  const { json } = await ask("GET", "/api/me", { token });
  expect(json).toEqual({
    via: "token",
    user: null,
    token: { id: row.id, name: "a token", expiresAt: null, scope: "full", label: null },
    workspaces: [
      {
        id: workspace.id,
        name: "Ours",
        role: "owner",
        plan: "self-hosted",
        seedAddress: workspace.seed_address,
        sendingVolume: null,
        outgoingServer: null,
        learned: null,
        rehearsal: null,
        requiresSecondFactor: false,
        createdAt: "2026-11-21T06:00:00.000Z",
      },
    ],
  });
});

/** The server's first workspace, and another with an owner and a member. */
async function worldWithOwner() {
  const world = await startHttpWorld();
  const first = await world.createWorkspace("First");
  world.clock.nowMs += 1;
  const { id: workspace, seed_address } = await world.createWorkspace("Ours");
  const owner = await addMember(world, workspace, { email: "ann@example.com", role: "owner" });
  const member = await addMember(world, workspace, { email: "bob@example.com", role: "member" });
  return { ...world, first, workspace, seedAddress: seed_address ?? "", owner, member };
}

test("POST /api/workspaces makes its creator the owner and only member", async () => {
  const { ask, owner, store } = await worldWithOwner();
  const { json } = await ask("POST", "/api/workspaces", { cookie: owner.cookie, body: { name: "Second" } });
  const members = await listMembers(inWorkspace(store.read, json.id));
  expect(members).toMatchObject([{ user_id: owner.userId, role: "owner" }]);
});

test("PATCH /api/workspaces/:id renames a workspace for its owner", async () => {
  const { ask, owner, workspace } = await worldWithOwner();
  const path = `/api/workspaces/${workspace}`;
  const { status, json } = await ask("PATCH", path, { token: owner.token, body: { name: " Better " } });
  expect(status).toBe(200);
  expect(json).toMatchObject({ id: workspace, name: "Better" });
  expect((await ask("GET", "/api/workspaces", { token: owner.token })).json.items).toEqual([json]);
});

test.each([
  { slope: 0.1 },
  { intercept: 5 },
  { brierBefore: 1.1 },
  { spam: 0 },
  { wanted: 1.5 },
  { at: 1 },
  { slope: undefined },
])("PATCH /api/workspaces/:id refuses a learned line with %j", async (wrong) => {
  const { ask, owner, workspace } = await worldWithOwner();
  const line = { slope: 1, intercept: 0, spam: 20, wanted: 20, brierBefore: 0.2, brierAfter: 0.1 };
  const path = `/api/workspaces/${workspace}`;
  const send = (learned: object) => ask("PATCH", path, { token: owner.token, body: { learned } });
  expect(await send({ ...line, ...wrong })).toMatchObject({ status: 400 });
  expect(await send(line)).toMatchObject({ status: 200, json: { learned: line } });
});

describe("the sending volume of a workspace", () => {
  const newsletter = Buffer.from(
    [
      "From: News <news@sender.example>",
      "To: bob@mail.example",
      "Subject: The autumn catalogue",
      "Date: Sat, 21 Nov 2026 05:59:58 +0000",
      "Message-ID: <1@sender.example>",
      "MIME-Version: 1.0",
      "List-Unsubscribe: <https://sender.example/u/1>",
      "Content-Type: text/html; charset=utf-8",
      "",
      '<p>New books.</p><p><a href="https://sender.example/u/1">Unsubscribe</a></p>',
      "",
    ].join("\r\n"),
  );

  async function worldWithNewsletter() {
    const world = await worldWithCaller();
    const { token, workspace, clock } = world;
    const ask = (method: string, path: string, body?: object) =>
      world.ask(method, path, { token, workspace: workspace.id, ...(body && { body }) });
    world.internet.zone = {
      "sender.example": { TXT: ["v=spf1 ip4:192.0.2.1 -all"], A: ["192.0.2.1"] },
      "1.2.0.192.in-addr.arpa": { PTR: ["sender.example"] },
    };
    await ask("POST", "/api/kind-rules", { match: "from-domain", value: "sender.example", kind: "bulk" });
    const receive = async () => {
      clock.nowMs += 1_000;
      const id = await world.receive(workspace.id, null, newsletter);
      await world.analyzeAll();
      return (await ask("GET", `/api/tests/${id}`)).json;
    };
    const say = (sendingVolume: unknown) => ask("PATCH", `/api/workspaces/${workspace.id}`, { sendingVolume });
    const upload = () =>
      world.ask("POST", "/api/tests/upload", {
        token,
        workspace: workspace.id,
        body: newsletter,
        headers: { "content-type": "message/rfc822" },
      });
    return { ...world, ask, receive, say, upload };
  }

  const hasLarge = ({ placement_results }: { placement_results: { predicted: { if_large: unknown } }[] }) =>
    placement_results.some(({ predicted }) => predicted.if_large !== null);
  const isRejected = ({ placement_results }: { placement_results: { folder: string }[] }) =>
    placement_results.some(({ folder }) => folder === "rejected");

  test("the sending volume of a workspace decides which rules apply to new mail, and changes no earlier report", async () => {
    const { ask, receive, say } = await worldWithNewsletter();
    const before = await receive();
    expect(before.sending_volume).toBeNull();
    expect(hasLarge(before)).toBe(true);
    expect(await say("small")).toMatchObject({ status: 200, json: { name: "Ours", sendingVolume: "small" } });
    const small = await receive();
    expect(small.sending_volume).toBe("small");
    expect([hasLarge(small), isRejected(small)]).toEqual([false, false]);
    expect(small.composite).toBeGreaterThanOrEqual(before.composite);
    await say("large");
    const large = await receive();
    expect(large.sending_volume).toBe("large");
    expect([hasLarge(large), isRejected(large)]).toEqual([false, true]);
    expect((await ask("GET", `/api/tests/${small.id}`)).json.sending_volume).toBe("small");
    const again = await ask("POST", `/api/tests/${small.id}/reanalyze?dns=recorded`);
    expect(again.json.sending_volume).toBe("large");
    expect(isRejected(again.json)).toBe(true);
  });

  test("the sending volume of a workspace is used for uploads, and a what-if uses that of its report", async () => {
    const { ask, receive, say, upload, analyzeAll } = await worldWithNewsletter();
    const before = await receive();
    await say("small");
    const { status, json } = await upload();
    expect(status).toBe(201);
    await analyzeAll();
    expect((await ask("GET", `/api/tests/${json.id}`)).json.sending_volume).toBe("small");
    const records = [{ name: "_dmarc.sender.example", type: "TXT", values: ["v=DMARC1; p=none"] }];
    const imagined = await ask("POST", `/api/tests/${before.id}/what-if`, { records });
    expect(imagined).toMatchObject({ status: 200, json: { sending_volume: null } });
  });

  test("the sending volume of a workspace can be unknown, which keeps both predictions, and can be removed", async () => {
    const { ask, receive, say } = await worldWithNewsletter();
    expect((await say("unsure")).json.sendingVolume).toBe("unsure");
    const test = await receive();
    expect(test.sending_volume).toBeNull();
    expect(hasLarge(test)).toBe(true);
    expect((await say(null)).json.sendingVolume).toBeNull();
    expect((await ask("GET", "/api/me")).json.workspaces[0]).toMatchObject({ sendingVolume: null });
  });

  test.each([["huge"], [5_000]])("the sending volume of a workspace is rejected as %j", async (sendingVolume) => {
    const { say } = await worldWithNewsletter();
    expect(await say(sendingVolume)).toMatchObject({
      status: 400,
      json: { error: "invalid_request", field: "sendingVolume" },
    });
  });

  test("the sending volume of a workspace cannot be changed by an empty body, but together with the name", async () => {
    const { ask, workspace } = await worldWithNewsletter();
    const path = `/api/workspaces/${workspace.id}`;
    expect(await ask("PATCH", path, {})).toMatchObject({
      status: 400,
      json: { error: "missing_name", message: '"name" or another field is required.' },
    });
    expect((await ask("PATCH", path, { name: "News", sendingVolume: "large" })).json).toMatchObject({
      name: "News",
      sendingVolume: "large",
    });
  });

  test("the sending volume of a workspace is set by an owner and readable by a member", async () => {
    const { ask, member, workspace } = await worldWithOwner();
    const asked = { token: member.token, body: { sendingVolume: "small" } };
    expect((await ask("PATCH", `/api/workspaces/${workspace}`, asked)).status).toBe(403);
    const { json } = await ask("GET", "/api/workspaces", { token: member.token });
    expect(json.items).toMatchObject([{ sendingVolume: null }]);
  });
});

describe("the outgoing server of a workspace", () => {
  const zone = {
    "sender.example": { MX: [{ preference: 10, exchange: "mx.sender.example" }], TXT: ["v=spf1 ip4:192.0.2.7 -all"] },
    "mx.sender.example": { A: ["192.0.2.7"] },
    "_dmarc.sender.example": { TXT: ["v=DMARC1; p=reject"] },
    "out.sender.example": { A: ["192.0.2.7"] },
    "7.2.0.192.in-addr.arpa": { PTR: ["out.sender.example"] },
    "s1._domainkey.sender.example": { TXT: [toKeyRecord(senderKey)] },
  };
  const message = Buffer.from(
    "From: Ann <ann@sender.example>\r\nTo: anyone@seed.example\r\nSubject: Lunch\r\nDate: Sat, 21 Nov 2026 06:00:00 +0000\r\nMessage-ID: <1@sender.example>\r\n\r\nLunch at noon?\r\n",
  );
  const declared = { host: "192.0.2.7", domain: "sender.example", selector: "s1" };

  async function worldAtHome() {
    const world = await startHttpWorld();
    world.internet.zone = zone;
    const [ours, theirs] = [await world.createWorkspace("Ours"), await world.createWorkspace("Theirs")];
    const { token } = await world.issueToken(ours.id);
    const other = await world.issueToken(theirs.id);
    const set = (outgoingServer: unknown, asked: object = { token }) =>
      world.ask("PATCH", `/api/workspaces/${ours.id}`, { ...asked, body: { outgoingServer } });
    const send = async (workspace = ours.id, clientAddress = "127.0.0.1") => {
      const id = await world.receive(workspace, null, message, { clientAddress, helo: "laptop" });
      await world.analyzeAll();
      const asked = { token: workspace === ours.id ? token : other.token, workspace };
      return { id, test: (await world.ask("GET", `/api/tests/${id}`, asked)).json };
    };
    const rehearse = (testId: string) =>
      createJudge({
        store: world.store,
        watch: createAnalysisWatch(),
        reanalyze: async () => {},
        now: () => world.clock.nowMs,
        bounds: judgeBounds,
      })({ workspaceId: ours.id, testId, receiver: "gmail", clientAddress: "127.0.0.1", answered: 0, isAgain: false });
    return { ...world, ours, theirs, token, set, send, rehearse };
  }

  test("the outgoing server of a workspace gives complete tests of the workspace's own mail until it is removed", async () => {
    const { set, send, theirs } = await worldAtHome();
    expect((await send()).test).toMatchObject({ spf: null, dmarc: null, grade: null });
    expect(await set(declared)).toMatchObject({ status: 200, json: { outgoingServer: declared } });
    const { test } = await send();
    expect(test).toMatchObject({ spf: "pass", dkim: "pass", dmarc: "pass", grade: expect.any(String) });
    expect(test.authentication).toMatchObject({
      spf: { assumed: true },
      dkim: [{ assumed: true }],
      dmarc: { assumed: true },
      assumed: { ...declared, address: "192.0.2.7" },
    });
    expect(test.transport).toMatchObject({ client_address: "127.0.0.1", reverse_name: null });
    expect((await send(theirs.id)).test).toMatchObject({ spf: null, authentication: { assumed: null } });
    expect((await set(null)).json.outgoingServer).toBeNull();
    expect((await send()).test.authentication.assumed).toBeNull();
  });

  test("the outgoing server of a workspace is stored with each report, and later changes need new DNS queries", async () => {
    const { set, send, ask, token, ours } = await worldAtHome();
    await set(declared);
    const { id, test } = await send();
    await set(null);
    const reanalyze = (dns: string) =>
      ask("POST", `/api/tests/${id}/reanalyze?dns=${dns}`, { token, workspace: ours.id });
    expect((await reanalyze("recorded")).json).toMatchObject({
      composite: test.composite,
      authentication: { assumed: test.authentication.assumed },
    });
    expect((await reanalyze("live")).json.authentication.assumed).toBeNull();
  });

  test("the outgoing server of a workspace lets a rehearsal predict Gmail's reply and name its assumptions", async () => {
    const { set, send, rehearse } = await worldAtHome();
    const open = await rehearse((await send()).id);
    expect(open.says).toContain("can't be checked from this computer");
    await set(declared);
    const sure = await rehearse((await send()).id);
    expect(sure).toMatchObject({ status: { code: 250 }, doubt: null });
    expect(sure.says).toBe(
      "Assay rehearsal of Gmail: accepted. Assumed: your mail leaves from 192.0.2.7 and is signed by sender.example with selector s1.",
    );
    await set({ ...declared, host: "192.0.2.99", selector: "gone" });
    const rejected = await rehearse((await send()).id);
    expect(rejected.status.code).toBeGreaterThanOrEqual(400);
    expect(rejected.says).toContain("Assumed: your mail leaves from 192.0.2.99");
  });

  test.each([
    ["127.0.0.1", "host"],
    ["10.1.2.3", "host"],
    ["fd00::1", "host"],
    ["localhost", "host"],
    ["not a name", "host"],
    ["x".repeat(301), "host"],
    ["_dmarc.sender.example", "host"],
    ["s1._domainkey.sender.example", "host"],
  ])("the outgoing server of a workspace is rejected with the host %s", async (host, field) => {
    const { set } = await worldAtHome();
    expect(await set({ ...declared, host })).toMatchObject({
      status: 400,
      json: { error: "invalid_request", field: `outgoingServer.${field}` },
    });
  });

  test.each([
    [{ domain: "sender.example" }, "selector"],
    [{ selector: "s1" }, "domain"],
    [{ domain: "com", selector: "s1" }, "domain"],
    [{ domain: "_dmarc.sender.example", selector: "s1" }, "domain"],
    [{ domain: "sender.example", selector: "s 1" }, "selector"],
    [{}, "host"],
  ])("the outgoing server of a workspace is rejected as %j", async (typed, field) => {
    const { set } = await worldAtHome();
    expect(await set(typed)).toMatchObject({
      status: 400,
      json: { error: "invalid_request", field: `outgoingServer.${field}` },
    });
  });

  test("the outgoing server of a workspace says what to enter instead of the name of a DNS record", async () => {
    const { set } = await worldAtHome();
    const record = "s1._domainkey.sender.example";
    const { json: host } = await set({ host: record });
    expect(host.message).toBe(`${record} is the name of a DNS record. Enter the server's host name or IP address.`);
    const { json: domain } = await set({ domain: record, selector: "s1" });
    expect(domain.message).toBe(`${record} is the name of a DNS record. Enter its domain, sender.example.`);
  });

  test("the outgoing server of a workspace is ignored if an imported file had an invalid one", async () => {
    const { store, ask, send, ours, token } = await worldAtHome();
    for (const outgoing of ['"x"', "{", "[]", '{"host":1}', '{"host":"10.0.0.1"}', '{"domain":"a.example"}']) {
      await store.write((db) => db.updateTable("workspaces").set({ outgoing }).where("id", "=", ours.id).execute());
      const me = await ask("GET", "/api/me", { token });
      expect([outgoing, me.status, me.json.workspaces?.[0].outgoingServer]).toEqual([outgoing, 200, null]);
      expect((await send()).test).toMatchObject({ status: "analyzed", authentication: { assumed: null } });
    }
  });

  test("the outgoing server of a workspace is accepted as people type it", async () => {
    const { set } = await worldAtHome();
    const typed = { host: "Mail.Sender.Example.", domain: "Sender.example", selector: "s1._domainkey.sender.example" };
    expect((await set(typed)).json.outgoingServer).toEqual({
      host: "mail.sender.example",
      domain: "sender.example",
      selector: "s1",
    });
    expect((await set({ host: "[2001:DB8::7]" })).json.outgoingServer).toEqual({
      host: "2001:db8::7",
      domain: null,
      selector: null,
    });
  });
});

test.each(["PATCH", "DELETE"])("%s /api/workspaces/:id requires an owner", async (method) => {
  const { ask, member, workspace } = await worldWithOwner();
  const { status } = await ask(method, `/api/workspaces/${workspace}`, {
    token: member.token,
    ...(method === "PATCH" && { body: { name: "Mine" } }),
  });
  expect(status).toBe(403);
});

describe("DELETE /api/workspaces/:id", () => {
  test("DELETE /api/workspaces/:id closes the workspace to everyone immediately", async () => {
    const { ask, owner, member, workspace, store } = await worldWithOwner();
    expect((await ask("DELETE", `/api/workspaces/${workspace}`, { cookie: owner.cookie })).status).toBe(204);
    for (const { token } of [owner, member])
      expect((await ask("GET", "/api/tests", { token, workspace })).status).toBe(403);
    expect((await listWorkspaces(store.read)).map(({ name }) => name)).toEqual(["First"]);
  });

  test("DELETE /api/workspaces/:id rejects mail to its addresses, and gives them to no other workspace", async () => {
    const { ask, owner, workspace, seedAddress, first, issueToken, store, clock } = await worldWithOwner();
    await ask("DELETE", `/api/workspaces/${workspace}`, { cookie: owner.cookie });
    const table = {
      db: store.read,
      config: { seedDomains: ["seed.example"] },
      catchAll: first.id,
      now: () => clock.nowMs,
    };
    expect(await routeRecipient(seedAddress, table)).toEqual({ outcome: "unknown" });
    const { token } = await issueToken(first.id);
    const body = { localPart: seedAddress.split("@")[0] };
    const { status } = await ask("POST", "/api/seed-inboxes", { token, workspace: first.id, body });
    expect(status).toBe(409);
  });

  test("DELETE /api/workspaces/:id is rejected for the server's first workspace, which has the reserved addresses", async () => {
    const { ask, first, addPerson } = await worldWithOwner();
    const { cookie } = await addPerson(first.id, "owner");
    const { status, json } = await ask("DELETE", `/api/workspaces/${first.id}`, { cookie });
    expect(status).toBe(409);
    expect(json.message).toContain("first workspace");
  });

  test("DELETE /api/workspaces/:id leaves no data after the cleanup has run", async () => {
    const { ask, owner, workspace, receive, store, system } = await worldWithOwner();
    for (let n = 0; n < 3; n++) await receive(workspace);
    await ask("DELETE", `/api/workspaces/${workspace}`, { cookie: owner.cookie });
    await removeWorkspaces(store, system);
    const left = [
      ...(await store.read.selectFrom("tests").select("id").execute()),
      ...(await store.read.selectFrom("raw_messages").select("test_id").execute()),
      ...(await store.read.selectFrom("workspaces").select("id").where("id", "=", workspace).execute()),
    ];
    expect(left).toEqual([]);
  });
});

describe("the number of workspaces", () => {
  async function worldWithPlans(plans: object) {
    const reading = parsePlans(JSON.stringify({ plans, default: "free" }));
    if (!reading.ok) throw new Error(reading.problems.join());
    const world = await startHttpWorld({ plans: reading.plans });
    await world.createWorkspace("First");
    world.clock.nowMs += 1;
    const { id: workspace } = await world.createWorkspace("Ours");
    const ann = await addMember(world, workspace, { email: "ann@example.com", role: "owner" });
    const create = (cookie = ann.cookie) => {
      world.clock.nowMs += 1;
      return world.ask("POST", "/api/workspaces", { cookie, body: { name: "Another" } });
    };
    return { ...world, workspace, ann, create };
  }

  test("the number of workspaces is one in a plan with a limit, so that no limit can be bypassed", async () => {
    const { create } = await worldWithPlans({ free: { testsPerMonth: 5 } });
    expect((await create()).json).toEqual({
      error: "plan_limit",
      message:
        "The free plan's limit for workspaces, including those deleted this month has been reached (workspaces: 1).",
    });
  });

  test("the number of workspaces includes those of the same origin by any creator, and deleted ones until the end of the month", async () => {
    const { create, ask, ann, clock, workspace, ...world } = await worldWithPlans({
      free: { testsPerMonth: 5, workspaces: 3 },
    });
    const second = (await create()).json.id;
    const bob = await addMember(world, second, { email: "bob@example.com", role: "owner" });
    expect((await create(bob.cookie)).status).toBe(201);
    for (const { cookie } of [ann, bob]) expect((await create(cookie)).status).toBe(402);
    const { use } = (await ask("GET", "/api/billing", { cookie: ann.cookie, workspace })).json;
    expect(use.workspaces).toBe(3);
    expect((await ask("DELETE", `/api/workspaces/${second}`, { cookie: ann.cookie })).status).toBe(204);
    expect((await create()).status).toBe(402);
    clock.nowMs = Date.UTC(2026, 11, 1);
    expect((await create()).status).toBe(201);
    expect((await create()).status).toBe(402);
  });

  test("the number of workspaces isn't exceeded by simultaneous requests", async () => {
    const { create } = await worldWithPlans({ free: { workspaces: 2 } });
    const answers = await Promise.all([create(), create(), create()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 402, 402]);
  });

  test("the number of workspaces follows the most generous plan among the user's workspaces", async () => {
    const { create, store, workspace } = await worldWithPlans({ free: { domains: 1 }, firm: {} });
    expect((await create()).status).toBe(402);
    await store.write((db) => changePlan(inWorkspace(db, workspace), "firm"));
    for (let made = 0; made < 3; made++) expect((await create()).status).toBe(201);
  });

  test("the number of workspaces is unlimited without a limit in the plan", async () => {
    const { create } = await worldWithPlans({ free: {} });
    for (let made = 0; made < 3; made++) expect((await create()).status).toBe(201);
  });
});
