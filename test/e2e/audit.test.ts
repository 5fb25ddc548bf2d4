// The audit log over real sockets, on both databases: each action of a user, a token, and commands is recorded
// once.

import { hostname, userInfo } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { AuditEntry } from "../../src/features/audit-log/contract.ts";
import { openHttpWorld } from "../http/http-world.ts";
import { cookieOf, goodPassword } from "../http/people.ts";
import { eachDialect, type Open } from "../platform/database/each-dialect.ts";
import { insertObservations } from "../platform/database/observations.ts";
import { builtWeb } from "../web/web-world.ts";
import {
  type Actor,
  act,
  type CommandLine,
  changeConnections,
  changeLists,
  changeMonitors,
  changeServer,
  commandLine,
  type Expected,
  secretsOfConnections,
  useTests,
} from "./audited-actions.ts";

type Entry = AuditEntry & { readonly log: string };

async function openScene(open: Open, dialect: "sqlite" | "postgres") {
  const location = await open.location();
  const onPostgres = "databaseUrl" in location ? location : undefined;
  const world = await openHttpWorld({ webFiles: await builtWeb(), ...(onPostgres && { database: onPostgres }) });
  onTestFinished(() => world.close());
  const { id: workspace } = await world.createWorkspace("Ours");
  const testId = await world.receive(workspace);
  const seen = { workspaceId: workspace, testId, seenAt: world.clock.nowMs };
  await world.store.write((db) => insertObservations(db, seen, 20));
  const assay = commandLine({
    ASSAY_DATA_DIR: world.folder,
    ASSAY_SECRET_KEY: testKey,
    ASSAY_SEED_DOMAINS: "seed.example",
    ...(onPostgres && { ASSAY_DATABASE_URL: onPostgres.databaseUrl }),
  });
  return { world, workspace, assay, dialect };
}

type Scene = Awaited<ReturnType<typeof openScene>>;

const testKey = "a-secret-key-that-only-tests-have";
const newPassword = "granite velvet otter";
const both = ["workspace", "server"] as const;

/** The first owner, from the terminal's link to their own sessions. */
async function beginAsPerson({ world, assay, workspace }: Scene, expected: Expected[]) {
  const { link } = JSON.parse(await assay("setup-link", "--json"));
  expected.push({ by: "command", action: "setup.link", on: null, logs: ["server"] });
  const owner = { token: link.split("#")[1], name: "Ada", email: "ada@example.com", password: goodPassword };
  const setUp = await world.ask("POST", "/api/auth/setup", { body: owner });
  expect(setUp.status).toBe(201);
  expected.push({ by: "person", action: "setup.complete", on: "Ada", logs: both });
  const first = cookieOf(setUp.headers).cookie;
  const login = await world.ask("POST", "/api/auth/login", { body: { email: owner.email, password: owner.password } });
  expected.push({ by: "person", action: "login.success", on: null, logs: both });
  const asked = { cookie: cookieOf(login.headers).cookie, workspace };
  const person: Actor = { world, by: "person", asked, expected };
  expect((await world.ask("POST", "/api/auth/logout", { cookie: first })).status).toBe(204);
  expected.push({ by: "person", action: "login.end", on: null, logs: both });
  await act(person, "POST", "/api/auth/password", {
    action: "password.change",
    on: "Ada",
    logs: both,
    details: { secrets: ["password_hash"] },
    body: { current: goodPassword, next: newPassword },
  });
  return person;
}

async function managePeople(person: Actor, { world, workspace }: Scene): Promise<void> {
  const email = "ben@example.com";
  const invitation = await act(person, "POST", "/api/members", {
    action: "invitation.create",
    on: email,
    body: { email, role: "member" },
    details: { after: { email, role: "member" } },
  });
  await act(person, "DELETE", `/api/members/${invitation.id}`, { action: "invitation.revoke", on: email });
  const ben = await world.addPerson(workspace, "member", "Ben");
  await act(person, "PATCH", `/api/members/${ben.id}`, {
    action: "member.change",
    on: "Ben",
    body: { role: "owner" },
    details: { before: { role: "member" }, after: { role: "owner" } },
  });
  await act(person, "DELETE", `/api/members/${ben.id}`, {
    action: "member.remove",
    on: "Ben",
    details: { before: { role: "owner" } },
  });
  await act(person, "PATCH", `/api/workspaces/${workspace}`, {
    action: "workspace.change",
    on: "Ours",
    logs: both,
    body: { sendingVolume: "large" },
  });
  // The server's first workspace is the oldest.
  world.clock.nowMs += 1_000;
  const second = await act(person, "POST", "/api/workspaces", {
    action: "workspace.create",
    on: "Second",
    logs: ["server"],
    body: { name: "Second" },
  });
  await act(person, "DELETE", `/api/workspaces/${second.id}`, {
    action: "workspace.delete",
    on: "Second",
    logs: ["server"],
  });
  const { items } = (await world.ask("GET", "/api/sessions", person.asked)).json;
  expect(items).toHaveLength(1);
  const { headers } = await world.ask("POST", "/api/auth/login", {
    body: { email: "ada@example.com", password: newPassword },
  });
  person.expected.push({ by: "person", action: "login.success", on: null, logs: both });
  const other = cookieOf(headers).cookie;
  const { items: all } = (await world.ask("GET", "/api/sessions", { cookie: other })).json;
  const id = all.find(({ current }: { current: boolean }) => current).id;
  await act(person, "DELETE", `/api/sessions/${id}`, { action: "session.revoke", on: null, logs: both });
}

async function workInTerminal({ world, assay, workspace }: Scene, expected: Expected[]): Promise<void> {
  const note = (action: string, on: string | null, logs: Expected["logs"] = ["server"], details?: object) =>
    expected.push({ by: "command", action, on, logs, ...(details && { details }) });
  const token = JSON.parse(await assay("token", "create", "--name", "ci", "--json", "--workspace", workspace));
  note("token.create", "ci", ["workspace"], { after: { scope: expect.any(String) } });
  await assay("token", "revoke", token.id);
  note("token.revoke", "ci", ["workspace"]);
  await assay("workspace", "create", "From the terminal");
  note("workspace.create", "From the terminal");
  await assay("user", "emergency", "root@example.com");
  note("emergency.add", "root", both, { after: { role: "owner", workspace } });
  await assay("user", "emergency", "root@example.com", "--remove");
  note("emergency.remove", "root", both);
  await assay("user", "reset-second-factor", "root@example.com");
  note("second-factor.reset", "root", both);
  await assay("user", "reset-password", "root@example.com");
  note("password.reset-link", "root", both);
  await assay("rollups", "rebuild");
  note("rollup.rebuild", null);
  await assay("backup", join(world.folder, "copy.db"));
  note("backup.create", null, ["server"], { request: { file: join(world.folder, "copy.db") } });
}

async function readLog(assay: CommandLine): Promise<Entry[]> {
  return (await assay("audit", "export"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

function expectEntries(
  entries: readonly Entry[],
  wanted: readonly Expected[],
  actors: Readonly<Record<Expected["by"], object>>,
): void {
  expect(entries.map(({ actor, action, object }) => [actor.type, action, object?.name ?? null])).toEqual(
    wanted.map(shown),
  );
  for (const [index, { by, details = {} }] of wanted.entries()) {
    const { actor, address, details: said } = entries[index] as Entry;
    expect(actor).toEqual(actors[by]);
    expect(address).toBe(by === "command" ? null : "127.0.0.1");
    expect(said).toMatchObject(details);
  }
}

const shown = ({ by, action, on }: Pick<Expected, "by" | "action" | "on">) => [by, action, on];

eachDialect("the audit log", (open, dialect) => {
  test("the audit log contains more than a hundred actions by a user, a token, and commands once each, without a secret", async () => {
    const scene = await openScene(open, dialect);
    const { world, workspace, assay } = scene;
    const expected: Expected[] = [];
    const person = await beginAsPerson(scene, expected);
    const secrets: string[] = [...secretsOfConnections, goodPassword, newPassword, testKey];
    const made = await act(person, "POST", "/api/tokens", {
      action: "token.create",
      on: "robot",
      body: { name: "robot", scope: "admin" },
      details: { after: { name: "robot", scope: "admin" } },
    });
    secrets.push(made.token);
    const token: Actor = { world, by: "token", asked: { token: made.token, workspace }, expected };
    for (const actor of [person, token]) {
      await changeLists(actor);
      await changeConnections(actor);
      await changeMonitors(actor);
      await useTests(actor, workspace);
      await changeServer(actor);
      await act(actor, "GET", "/api/audit/export", { action: "export.audit", on: null });
    }
    await managePeople(person, scene);
    await workInTerminal(scene, expected);
    await act(person, "DELETE", `/api/tokens/${made.id}`, { action: "token.revoke", on: "robot" });
    expect(expected.length).toBeGreaterThan(100);

    const entries = await readLog(assay);
    const { email, id } = (await world.ask("GET", "/api/me", person.asked)).json.user;
    const actors = {
      person: { type: "person", id, name: "Ada", email },
      token: { type: "token", id: made.id, name: "robot", email },
      command: { type: "command", id: null, name: `${userInfo().username}@${hostname()}`, email: null },
    };
    for (const log of both) {
      const chain = log === "server" ? "server" : workspace;
      const done = entries.filter((entry) => entry.log === chain && entry.outcome === "done");
      expectEntries(
        done.filter(({ action }) => action !== "audit.start"),
        expected.filter(({ logs }) => logs.includes(log)),
        actors,
      );
    }
    const text = JSON.stringify(entries);
    for (const secret of secrets) expect(text).not.toContain(secret);
    const started = entries.filter(({ outcome }) => outcome === "started").map(({ action }) => action);
    expect(started).toEqual(["rollup.rebuild", "backup.create", "export.audit"]);
    expect(await assay("audit", "verify")).not.toContain("broken");
  });
});
