import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { recordFailures } from "../../../src/features/audit-log/work/failures.ts";
import { updatePassword } from "../../../src/features/people/rows/users.ts";
import { createPasswordHasher } from "../../../src/features/people/work/password-hasher.ts";
import { listEntries } from "../../../src/platform/audit/rows/log.ts";
import { verifyChain } from "../../../src/platform/audit/rows/verify.ts";
import { serverChain } from "../../../src/platform/audit/rules/entry.ts";
import { serveOrThrow } from "../../../src/platform/work/serve-row.ts";
import { type HttpWorld, startHttpWorld } from "../../http/http-world.ts";
import { cookieOf, goodPassword, invitationToken } from "../../http/people.ts";

type Entry = {
  readonly action: string;
  readonly summary: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly [more: string]: unknown;
};

async function worldWithOwner() {
  const world = await startHttpWorld();
  const { id: workspace } = await world.createWorkspace("Ours");
  const owner = await world.addPerson(workspace, "owner", "Ada");
  const asked = { cookie: owner.cookie, workspace };
  const log = async (query = ""): Promise<Entry[]> => (await world.ask("GET", `/api/audit${query}`, asked)).json.items;
  return { ...world, workspace, ada: owner, asked, log };
}

async function setPassword({ store }: HttpWorld, userId: string): Promise<void> {
  const hasher = createPasswordHasher(randomBytes, { memoryKib: 64, passes: 1, lanes: 1 });
  const hash = await hasher.hash(goodPassword);
  await store.write((db) => updatePassword(db, userId, hash));
}

describe("the audit log", () => {
  test("the audit log contains each of a hundred actions by a person and tokens once, with actor and IP", async () => {
    const { ask, asked, log, ada, workspace, issueToken, store } = await worldWithOwner();
    const { token, row } = await issueToken(workspace, null, ada.id);
    const expected: string[] = [];
    for (let number = 0; number < 25; number++) {
      const asPerson = number % 2 === 0;
      const by = asPerson ? asked : { token, workspace };
      const who = asPerson ? "Ada" : "The token “a token”";
      // No token manages tokens.
      const [path, body, created, removed] = asPerson
        ? ["tokens", { name: `ci-${number}` }, `created the token “ci-${number}”`, `revoked the token “ci-${number}”`]
        : [
            "kind-rules",
            { match: "label", value: `k-${number}`, kind: "bulk" },
            `created a message type rule for “k-${number}”`,
            `deleted the message type rule for “k-${number}”`,
          ];
      const first = await ask("POST", `/api/${path}`, { ...by, body });
      const rule = await ask("POST", "/api/stream-rules", { ...by, body: { name: `r-${number}`, label: "x" } });
      await ask("DELETE", `/api/${path}/${first.json.id}`, by);
      await ask("DELETE", `/api/stream-rules/${rule.json.id}`, by);
      expected.push(
        `${who} ${created}`,
        `${who} created the stream rule “r-${number}”`,
        `${who} ${removed}`,
        `${who} deleted the stream rule “r-${number}”`,
      );
    }
    const newest = await log("?limit=100");
    expect(newest.map(({ summary }) => summary).reverse()).toEqual(expected);
    expect(newest[0]).toMatchObject({
      actor: { type: "person", id: ada.id, name: "Ada", email: ada.email },
      object: { kind: "stream-rule", name: "r-24" },
      address: "127.0.0.1",
      details: { before: { name: "r-24", label: "x" } },
    });
    expect(newest[4]).toMatchObject({ actor: { type: "token", id: row.id, email: ada.email } });
    expect(await verifyChain({ db: store.read, chain: workspace })).toMatchObject({ entries: 100, broken: null });
  });

  test("the audit log contains the changed fields, and never a secret", async () => {
    const { ask, asked, log } = await worldWithOwner();
    const secretPart = "T000/B000/xyzSECRETxyz";
    const body = {
      label: "Ops",
      url: `https://hooks.slack.com/services/${secretPart}`,
      kind: "slack",
      events: ["test.low_score"],
      thresholdScore: 60,
    };
    const { json } = await ask("POST", "/api/alerts", { ...asked, body });
    await ask("PATCH", `/api/alerts/${json.id}`, { ...asked, body: { thresholdScore: 70 } });
    await ask("PATCH", `/api/alerts/${json.id}`, {
      ...asked,
      body: { url: "https://hooks.slack.com/services/T000/B000/otherSECRET" },
    });
    const relay = { name: "Relay", url: "smtp://user:hunter2@relay.example:587", mailFrom: "a@b.example" };
    expect((await ask("POST", "/api/relays", { ...asked, body: relay })).status).toBe(201);
    const entries = await log();
    expect(JSON.stringify(entries)).not.toMatch(/SECRET|hunter2|user:/);
    const changes = entries.filter(({ action }) => action === "alert.change").map(({ details }) => details);
    expect(changes).toEqual([
      { secrets: ["url"] },
      { before: { threshold_score: 60 }, after: { threshold_score: 70 } },
    ]);
    expect(entries.at(-1)).toMatchObject({
      summary: "Ada created the alert “Ops”",
      details: { after: { host: "hooks.slack.com" }, secrets: ["url"] },
    });
  });

  test("the audit log omits rejected actions, and marks later failures as failed", async () => {
    const { ask, asked, log, ada } = await worldWithOwner();
    expect((await ask("DELETE", `/api/members/${ada.id}`, asked)).status).toBe(409);
    expect((await ask("POST", "/api/tokens", { ...asked, body: { name: "" } })).status).toBe(400);
    expect((await ask("DELETE", "/api/tokens/tok_00000000000000000000000000", asked)).status).toBe(404);
    expect((await ask("GET", "/api/tests/tst_00000000000000000000000000/raw", asked)).status).toBe(404);
    expect(await log()).toEqual([]);
  });

  test("the audit log is visible only to its owners, and the server's log only to owners of the first workspace", async () => {
    const { ask, asked, createWorkspace, addPerson, workspace, log, clock } = await worldWithOwner();
    clock.nowMs += 1_000;
    const { id: other } = await createWorkspace("Others");
    const theirs = { cookie: (await addPerson(other, "owner", "Eve")).cookie, workspace: other };
    const member = { cookie: (await addPerson(workspace, "member")).cookie, workspace };
    await ask("POST", "/api/tokens", { ...asked, body: { name: "ours-only" } });
    await ask("POST", "/api/tokens", { ...theirs, body: { name: "theirs-only" } });
    expect(JSON.stringify(await log())).not.toContain("theirs-only");
    expect((await ask("GET", "/api/audit/export", theirs)).text).not.toContain("ours-only");
    for (const path of ["/api/audit", "/api/audit/export"]) {
      expect((await ask("GET", path, member)).status).toBe(403);
      expect((await ask("GET", `${path}?log=server`, theirs)).status).toBe(403);
      expect((await ask("GET", `${path}?log=server`, asked)).status).toBe(200);
    }
  });

  test("the audit log keeps filters across pages", async () => {
    const { ask, asked, log } = await worldWithOwner();
    for (const name of ["a", "b\n[31m", "c"]) await ask("POST", "/api/tokens", { ...asked, body: { name } });
    const page = (await ask("GET", "/api/audit?limit=2", asked)).json;
    expect(page).toMatchObject({ total: 3, totalIsExact: true, next: "2" });
    const rest = (await ask("GET", `/api/audit?limit=2&cursor=${page.next}`, asked)).json;
    expect(rest).toMatchObject({ items: [{ number: 1 }], next: null });
    expect(await log("?action=token&object=c&actor=ada")).toHaveLength(1);
    expect(await log("?action=login")).toEqual([]);
    expect((await ask("GET", "/api/audit?action=nothing", asked)).status).toBe(400);
    const { text } = await ask("GET", "/api/audit/export", asked);
    const lines = text.trim().split("\n");
    expect(lines).toHaveLength(4);
    expect(lines.map((line) => JSON.parse(line).action).at(-1)).toBe("export.audit");
  });
});

describe("logins in the audit log", () => {
  test("logins are in the server's log and those of the person's workspaces, with logout and password change", async () => {
    const world = await worldWithOwner();
    const { ask, asked, ada, workspace, store, openSession } = world;
    await setPassword(world, ada.id);
    const body = { email: ada.email, password: goodPassword };
    const { headers } = await ask("POST", "/api/auth/login", { body });
    const { cookie } = cookieOf(headers);
    const change = { current: goodPassword, next: "granite velvet otter" };
    expect((await ask("POST", "/api/auth/password", { cookie, body: change })).status).toBe(204);
    await ask("POST", "/api/auth/logout", { cookie });
    await ask("POST", "/api/auth/logout", {});
    const expected = ["Ada logged in", "Ada changed the password of “Ada”", "Ada logged out"];
    // The change ended the first session.
    const again = { ...asked, cookie: (await openSession(ada.id)).cookie };
    const { json, text } = await ask("GET", "/api/audit", again);
    expect(json.items.map(({ summary }: Entry) => summary).reverse()).toEqual(expected);
    expect(text).not.toMatch(/granite|tundra/);
    const server = await listEntries({ db: store.read, chain: serverChain }, {}, { limit: 10 });
    expect(server.map(({ action }) => action).reverse()).toEqual([
      "audit.start",
      "login.success",
      "password.change",
      "login.end",
    ]);
    expect((await verifyChain({ db: store.read, chain: workspace })).broken).toBeNull();
  });

  test("failed logins at an invitation are recorded like others", async () => {
    const world = await worldWithOwner();
    const { ask, log, ada, store, clock, system, workspace } = world;
    await setPassword(world, ada.id);
    const { id: other } = await world.createWorkspace("Other");
    const token = await invitationToken(world, { workspaceId: other, email: ada.email });
    const body = { token, password: "wrong password" };
    for (const _time of [1, 2]) expect((await ask("POST", "/api/auth/invite/accept", { body })).status).toBe(401);
    clock.nowMs += 60_000;
    await recordFailures({ store, system }, serveOrThrow);
    expect(await log()).toMatchObject([
      { summary: `Someone failed to log in as “${ada.email}” (2 times)`, address: "127.0.0.1" },
    ]);
    expect((await verifyChain({ db: store.read, chain: workspace })).broken).toBeNull();
  });

  test("failed logins are one entry per account and minute, with a limit", async () => {
    const world = await worldWithOwner();
    const { ask, log, ada, store, clock, system } = world;
    const tryOut = (email: string, times: number) =>
      Promise.all(
        Array.from({ length: times }, () =>
          ask("POST", "/api/auth/login", { body: { email, password: "wrong password" } }),
        ),
      );
    await tryOut(ada.email, 5);
    for (let number = 0; number < 20; number++) await tryOut(`no-${number}@one.example`, 1);
    clock.nowMs += 60_000;
    await recordFailures({ store, system }, serveOrThrow);
    await recordFailures({ store, system }, serveOrThrow);
    expect(await log()).toMatchObject([
      {
        summary: `Someone failed to log in as “${ada.email}” (5 times)`,
        action: "login.failure",
        times: 5,
        address: "127.0.0.1",
      },
    ]);
    const server = await listEntries({ db: store.read, chain: serverChain }, { action: "login" }, { limit: 100 });
    expect(server).toHaveLength(12);
    expect(server.reduce((sum, { times }) => sum + times, 0)).toBe(25);
    expect(server).toContainEqual(expect.objectContaining({ object_name: "several accounts", times: 10 }));
  });
});

describe("a deleted workspace", () => {
  test("a deleted workspace keeps its log, and its deletion is in the server's log too", async () => {
    const { ask, asked, store, ada, clock } = await worldWithOwner();
    clock.nowMs += 1_000;
    const { json } = await ask("POST", "/api/workspaces", { ...asked, body: { name: "Second" } });
    await ask("DELETE", `/api/workspaces/${json.id}`, asked);
    const own = await listEntries({ db: store.read, chain: json.id }, {}, { limit: 10 });
    expect(own.map(({ action, object_name, actor_id }) => [action, object_name, actor_id])).toEqual([
      ["workspace.delete", "Second", ada.id],
      ["workspace.create", "Second", ada.id],
    ]);
    const server = await listEntries({ db: store.read, chain: serverChain }, { action: "workspace" }, { limit: 9 });
    expect(server).toHaveLength(2);
  });
});
