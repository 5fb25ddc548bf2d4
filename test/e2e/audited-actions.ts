// Actions of a person, a token, and commands, each with what the audit log must say about it.

import { expect } from "vitest";
import { run } from "../../src/commands.ts";
import type { Asked } from "../http/ask.ts";
import type { HttpWorld } from "../http/http-world.ts";
import { testTerminal } from "../platform/cli/terminal.ts";

export type Expected = {
  readonly by: "person" | "token" | "command";
  readonly action: string;
  /** The object's name. */
  readonly on: string | null;
  readonly logs: readonly ("workspace" | "server")[];
  /** What its details must contain. */
  readonly details?: object;
};

export type Actor = {
  readonly world: HttpWorld;
  readonly by: "person" | "token";
  readonly asked: Asked;
  readonly expected: Expected[];
};

type Step = Omit<Expected, "by" | "logs"> & { readonly logs?: Expected["logs"]; readonly body?: object };

/** Does it, and notes what must be recorded. */
export async function act(actor: Actor, method: string, path: string, step: Step) {
  const { body, ...of } = step;
  const answer = await actor.world.ask(method, path, { ...actor.asked, ...(body === undefined ? {} : { body }) });
  expect([method, path, answer.status, answer.status < 300 ? "" : answer.text]).toEqual([
    method,
    path,
    answer.status,
    "",
  ]);
  actor.expected.push({ logs: ["workspace"], ...of, by: actor.by });
  return answer.json;
}

export async function changeLists(actor: Actor): Promise<void> {
  const { by } = actor;
  const domain = `${by}.example`;
  const created = await act(actor, "POST", "/api/domains", {
    action: "domain.create",
    on: domain,
    body: { domain },
    details: { after: { domain, dkim_selector: null } },
  });
  const at = `/api/domains/${created.id}`;
  await act(actor, "PATCH", at, {
    action: "domain.change",
    on: domain,
    body: { dkimSelector: "s2" },
    details: { before: { dkim_selector: null }, after: { dkim_selector: "s2" } },
  });
  await act(actor, "DELETE", at, {
    action: "domain.delete",
    on: domain,
    details: { before: { domain, dkim_selector: "s2" } },
  });
  const rule = `Stream of ${by}`;
  const stream = await act(actor, "POST", "/api/stream-rules", {
    action: "stream-rule.create",
    on: rule,
    body: { name: rule, label: "x" },
  });
  await act(actor, "DELETE", `/api/stream-rules/${stream.id}`, { action: "stream-rule.delete", on: rule });
  const kind = await act(actor, "POST", "/api/kind-rules", {
    action: "kind-rule.create",
    on: `news-${by}`,
    details: { after: { kind: "bulk" } },
    body: { match: "label", value: `news-${by}`, kind: "bulk" },
  });
  await act(actor, "DELETE", `/api/kind-rules/${kind.id}`, { action: "kind-rule.delete", on: `news-${by}` });
  const address = `${by}-flow@seed.example`;
  const inbox = await act(actor, "POST", "/api/seed-inboxes", {
    action: "inbox.create",
    on: address,
    body: { localPart: `${by}-flow`, label: "Flow" },
  });
  await act(actor, "PATCH", `/api/seed-inboxes/${inbox.id}`, {
    action: "inbox.change",
    on: address,
    body: { label: "Welcome" },
    details: { before: { label: "Flow" }, after: { label: "Welcome" } },
  });
  await act(actor, "DELETE", `/api/seed-inboxes/${inbox.id}`, { action: "inbox.delete", on: address });
}

/** None of these may be in the log. */
export const secretsOfConnections = ["xyzSECRETxyz", "otherSECRET", "hunter2", "mailbox-password"];

export async function changeConnections(actor: Actor): Promise<void> {
  const { by, world } = actor;
  const slack = "https://hooks.slack.com/services/T000/B000/";
  const alert = await act(actor, "POST", "/api/alerts", {
    action: "alert.create",
    on: `Alert of ${by}`,
    details: { secrets: expect.arrayContaining(["url"]) },
    body: {
      label: `Alert of ${by}`,
      url: `${slack}xyzSECRETxyz`,
      kind: "slack",
      events: ["test.low_score"],
      thresholdScore: 60,
    },
  });
  const at = `/api/alerts/${alert.id}`;
  await act(actor, "PATCH", at, {
    action: "alert.change",
    on: `Alert of ${by}`,
    body: { thresholdScore: 70 },
    details: { before: { threshold_score: 60 }, after: { threshold_score: 70 } },
  });
  await act(actor, "PATCH", at, {
    action: "alert.change",
    on: `Alert of ${by}`,
    body: { url: `${slack}otherSECRET` },
    details: { secrets: ["url"] },
  });
  await act(actor, "DELETE", at, { action: "alert.delete", on: `Alert of ${by}` });
  const relay = await act(actor, "POST", "/api/relays", {
    action: "relay.create",
    on: `Relay of ${by}`,
    details: { after: { host: "relay.example:587" } },
    body: { name: `Relay of ${by}`, url: "smtp://user:hunter2@relay.example:587", mailFrom: "a@b.example" },
  });
  await act(actor, "PATCH", `/api/relays/${relay.id}`, {
    action: "relay.change",
    on: `Relay of ${by}`,
    body: { mailFrom: "c@b.example" },
    details: { before: { mail_from: "a@b.example" }, after: { mail_from: "c@b.example" } },
  });
  await act(actor, "DELETE", `/api/relays/${relay.id}`, { action: "relay.delete", on: `Relay of ${by}` });
  const hook = await act(actor, "POST", "/api/incoming-hooks", {
    action: "hook.create",
    on: `Hook of ${by}`,
    body: { provider: "mailjet", purpose: "feedback", label: `Hook of ${by}` },
  });
  await act(actor, "PATCH", `/api/incoming-hooks/${hook.id}`, {
    action: "hook.change",
    on: `Hook of ${by}`,
    body: { label: "Renamed" },
    details: { before: { label: `Hook of ${by}` }, after: { label: "Renamed" } },
  });
  await act(actor, "DELETE", `/api/incoming-hooks/${hook.id}`, { action: "hook.delete", on: "Renamed" });
  const keys = await act(actor, "POST", "/api/signing-keys", {
    action: "signing-key.create",
    on: expect.stringContaining(`${by}-signing.example`),
    body: { domain: `${by}-signing.example`, algorithm: "ed25519" },
  });
  await act(actor, "DELETE", `/api/signing-keys/${keys.items[0].id}`, {
    action: "signing-key.delete",
    on: expect.stringContaining(`${by}-signing.example`),
  });
  const host = `${by}-imap.example`;
  world.internet.zone = { ...world.internet.zone, [host]: { A: ["9.9.9.9"] } };
  const user = `seed@${host}`;
  const login = { host, port: 993, tls: true, user, password: `mailbox-password-${by}` };
  const named = expect.stringContaining(user);
  const mailbox = await act(actor, "POST", "/api/integrations/imap", {
    action: "connection.create",
    on: named,
    body: login,
    details: { secrets: ["secret"] },
  });
  await act(actor, "PATCH", `/api/integrations/${mailbox.id}`, {
    action: "connection.change",
    on: named,
    body: { password: `mailbox-password-2-${by}` },
    details: { secrets: ["secret"] },
  });
  await act(actor, "DELETE", `/api/integrations/${mailbox.id}`, { action: "connection.delete", on: named });
}

export async function changeMonitors(actor: Actor): Promise<void> {
  const name = `Backup of ${actor.by}`;
  const match = { sender: "backup@nowhere.example" };
  const { id } = await act(actor, "POST", "/api/monitors/expected", {
    action: "monitor.create",
    on: name,
    body: { name, schedule: { type: "interval", everyMinutes: 60 }, match },
  });
  const at = `/api/monitors/${id}`;
  const change = { action: "monitor.change", on: name, body: { graceMinutes: 45 } };
  await act(actor, "PATCH", `/api/monitors/expected/${id}`, change);
  await act(actor, "DELETE", at, { action: "monitor.delete", on: name });
}

export async function useTests(actor: Actor, workspaceId: string): Promise<void> {
  const { world, by } = actor;
  const receive = (subject: string) =>
    world.receive(workspaceId, null, Buffer.from(`From: a@b.example\r\nSubject: ${subject}\r\n\r\nHi.\r\n`));
  const [one, two] = [await receive(`One of ${by}`), await receive(`Two of ${by}`)];
  await world.analyzeAll();
  const at = `/api/tests/${one}`;
  const on = `One of ${by}`;
  await act(actor, "GET", `${at}/raw`, { action: "export.message", on });
  await act(actor, "GET", `${at}/report.html`, { action: "export.report", on });
  await act(actor, "GET", "/api/tests/export.csv?limit=5", {
    action: "export.tests",
    on: null,
    details: { request: { limit: 5 } },
  });
  await act(actor, "POST", `${at}/reanalyze`, { action: "test.reanalyze", on });
  const share = await act(actor, "POST", `${at}/shares`, {
    action: "share.create",
    on,
    body: { expiresInDays: 7, redactBody: true },
  });
  await act(actor, "DELETE", `/api/shares/${share.id}`, { action: "share.revoke", on });
  const removal = await act(actor, "POST", "/api/tests/delete", {
    action: "test.bulk-delete",
    on: null,
    body: { ids: [two], undoable: true },
    details: { request: { ids: [two], undoable: true } },
  });
  await act(actor, "POST", "/api/tests/restore", { action: "test.restore", on: null, body: { undo: removal.undo } });
  await act(actor, "DELETE", at, { action: "test.delete", on });
}

export async function changeServer(actor: Actor): Promise<void> {
  const days = actor.by === "person" ? "365" : "300";
  await act(actor, "PATCH", "/api/server-settings/ASSAY_RETENTION_DAYS", {
    action: "setting.change",
    on: null,
    logs: ["server"],
    body: { value: days },
  });
  await act(actor, "PUT", "/api/blocklists/bl.spamcop.net", {
    action: "blocklist.add",
    on: null,
    logs: ["server"],
    body: {},
  });
  await act(actor, "DELETE", "/api/blocklists/bl.spamcop.net", {
    action: "blocklist.remove",
    on: null,
    logs: ["server"],
  });
}

export type CommandLine = (...argv: string[]) => Promise<string>;

export function commandLine(settings: Readonly<Record<string, string>>): CommandLine {
  return async (...argv) => {
    const terminal = testTerminal({ ...settings });
    const exitCode = await run(argv, terminal);
    expect([argv, exitCode, exitCode === 0 ? "" : terminal.complaints()]).toEqual([argv, 0, ""]);
    return terminal.output();
  };
}
