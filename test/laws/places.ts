// A workspace with one of everything, for laws that ask whether another can reach it.

import { createHash } from "node:crypto";
import { sql } from "kysely";
import { raiseAlert } from "../../src/features/alerts/work/raise.ts";
import { insertDomainChange } from "../../src/features/domains/rows/domain-checks.ts";
import { noteSenders } from "../../src/features/domains/rows/seen-senders.ts";
import { insertProblem } from "../../src/features/feedback/rows/problems.ts";
import { noDetail } from "../../src/features/feedback/rules/problem.ts";
import { sealOauth } from "../../src/features/mailboxes/oauth/access-tokens.ts";
import { insertIntegration } from "../../src/features/mailboxes/rows/integrations.ts";
import { createSightingRecorder } from "../../src/features/mailboxes/work/record-sightings.ts";
import { insertMonitor, insertRun } from "../../src/features/monitors/rows/monitors.ts";
import { insertListing } from "../../src/features/own-addresses/rows.ts";
import { removeMembership } from "../../src/features/people/rows/memberships.ts";
import { insertFactor } from "../../src/features/people/rows/second-factors.ts";
import { insertIdentity } from "../../src/features/people/rows/users.ts";
import { selfHostedPlans } from "../../src/features/people/rules/plans.ts";
import { inviteMember } from "../../src/features/people/work/members.ts";
import { insertUnsubscribe } from "../../src/features/unsubscribe/rows.ts";
import { inWorkspace, storeOf } from "../../src/platform/database/scope.ts";
import type { Store } from "../../src/platform/database/store.ts";
import { createId } from "../../src/platform/ids.ts";
import { aDrift } from "../features/alerts/rules/events.ts";
import { aSighting, connectMailbox } from "../features/mailboxes/work/mailbox-world.ts";
import { aCanary } from "../features/monitors/rules/a-canary.ts";
import { aBounce, anAutoReply, aReport } from "../http/arrivals.ts";
import type { Asked } from "../http/ask.ts";
import type { HttpWorld } from "../http/http-world.ts";
import { insertDomain } from "../platform/database/nouns.ts";
import { insertObservations } from "../platform/database/observations.ts";

export type Place = Awaited<ReturnType<typeof furnish>>;

export async function furnish(world: HttpWorld, name: string) {
  // No two of anything are of one time.
  world.clock.nowMs += 1_000;
  const workspace = await world.createWorkspace(`${name}-workspace`);
  const { token, row } = await world.issueToken(workspace.id);
  const asked = { token, workspace: workspace.id };
  const firstId = async (path: string) => (await world.ask("GET", path, asked)).json.items[0].id as string;
  for (const recognised of [aBounce, aReport, anAutoReply]) await world.receiveNoTest(workspace.id, { recognised });
  const raw = Buffer.from(
    `From: ann@mail.example\r\nSubject: ${name} secret subject\r\nX-Assay-Id: ${name}-mark\r\n\r\nHi.\r\n`,
  );
  const testId = await world.receive(workspace.id, `${name}-label`, raw);
  await world.analyzeAll();
  const account = `${name}-seed@mailbox.example`;
  await observe(world, { workspaceId: workspace.id, account, mark: `${name}-mark` });
  const people = await addPeople(world, workspace.id, name);
  const { domainId, changeId } = await addDomain(world, workspace.id, name);
  const alert = await addAlert(world, asked, name);
  await addObservations(world, workspace.id, testId);
  const signingKey = await addSigningKey(world, asked, name);
  await addIntegration(world, workspace.id, name);
  const mailbox = await addMailbox(world, asked, name);
  const ids = {
    testId,
    shareId: (await world.ask("POST", `/api/tests/${testId}/shares`, asked)).json.id as string,
    tokenId: row.id,
    personId: people.person.id,
    sessionId: people.sessionId,
    invitationId: people.invitationId,
    inboxId: await firstId("/api/seed-inboxes"),
    bounceId: await firstId("/api/bounces"),
    mailReportId: await firstId("/api/reports"),
    autoReplyId: await firstId("/api/auto-replies"),
    domainId,
    alertId: alert.id,
    deliveryId: await firstId(`/api/alerts/${alert.id}/deliveries`),
    changeId,
    feedbackProblemId: await addFeedbackProblem(world, workspace.id, { domainId, name }),
    signingKeyId: signingKey.id,
    integrationId: mailbox.id,
    sendId: await addSend(world, asked, name),
    kindRuleId: await addKindRule(world, asked, name),
    streamId: await firstId("/api/streams"),
    streamRuleId: await addStreamRule(world, asked, name),
    ...(await addCanary(world, asked, name)),
    incomingHookId: await addIncomingHook(world, asked, name),
    expectedId: await addExpected(world, asked, name),
    ...(await addOwnAddress(world, asked, name)),
    identityId: await addIdentity(world, people.person.id, name),
    factorId: await addFactor(world, people.person.id, name),
  };
  await addUnsubscribe(world, workspace.id, { testId, name });
  const secrets = [
    ...Object.values(ids),
    workspace.id,
    workspace.seed_address ?? token,
    token,
    `${name}-workspace`,
    `${name} secret subject`,
    `${name}-label`,
    `${name}-monitored`,
    account,
    `${name}-sample`,
    `${name}-ruled`,
    `${name}-unsubscribed`,
    `${name}-stream-rule`,
    `${name}-relay`,
    `${name}-canary`,
    `${name}-hook`,
    `${name}-sends.example`,
    `${name}-list-text`,
    `${name}-source`,
    `${name}-expected`,
    `${name}-at-issuer`,
    ...people.secrets,
    ...alert.secrets,
    ...signingKey.secrets,
    `${name}-seed@mailbox.example`,
    ...mailbox.secrets,
  ];
  const idsByPrefix: Readonly<Record<string, string>> = {
    wsp: workspace.id,
    usr: ids.personId,
    ses: ids.sessionId,
    inv: ids.invitationId,
    tst: testId,
    tok: row.id,
    sdi: ids.inboxId,
    bnc: ids.bounceId,
    rpt: ids.mailReportId,
    shr: ids.shareId,
    dom: domainId,
    alr: ids.alertId,
    dlv: ids.deliveryId,
    int: ids.integrationId,
    chg: changeId,
    fbp: ids.feedbackProblemId,
    key: ids.signingKeyId,
    snd: ids.sendId,
    knd: ids.kindRuleId,
    stm: ids.streamId,
    srl: ids.streamRuleId,
    rly: ids.relayId,
    mon: ids.monitorId,
    run: ids.runId,
    hok: ids.incomingHookId,
    own: ids.ownAddressId,
    lst: ids.addressListingId,
    idn: ids.identityId,
    sfa: ids.factorId,
  };
  const { owner, member } = people;
  return { ...ids, ...people.tokens, workspaceId: workspace.id, token, owner, member, idsByPrefix, secrets };
}

/** Begun and not confirmed, so that the person logs in without it. */
async function addFactor({ store, clock }: HttpWorld, userId: string, name: string): Promise<string> {
  const id = createId("secondFactor", clock.nowMs, createHash("sha256").update(name).digest());
  const unused = { confirmed_at: null, last_used_at: null, secret: null, last_step: null, passkey: null };
  const row = { id, user_id: userId, kind: "totp" as const, name: `${name} phone`, created_at: clock.nowMs };
  await store.write((db) => insertFactor(db, { ...row, ...unused, credential_id: null }));
  return id;
}

/** A person at an organization's issuer. */
async function addIdentity({ store, clock }: HttpWorld, userId: string, name: string): Promise<string> {
  const id = createId("identity", clock.nowMs, createHash("sha256").update(name).digest());
  const times = { created_at: clock.nowMs, last_login_at: clock.nowMs };
  const person = { issuer: "https://sso.example", subject: name, email: `${name}-at-issuer@people.example` };
  await store.write((db) => insertIdentity(db, { id, user_id: userId, ...person, ...times }));
  return id;
}

/** A request to unsubscribe, which was sent and not finished. */
async function addUnsubscribe(
  { store, clock }: HttpWorld,
  workspaceId: string,
  { testId, name }: { readonly testId: string; readonly name: string },
): Promise<void> {
  const row = {
    id: createId("unsubscribe", clock.nowMs, createHash("sha256").update(name).digest()),
    test_id: testId,
    created_at: clock.nowMs,
    created_by: null,
    method: "one-click" as const,
    target: `https://${name}-unsubscribed.example/u`,
    recipient: "anyone@seed.example",
    list_id: null,
    from_domain: null,
  };
  await storeOf(store, workspaceId).write((scope) => insertUnsubscribe(scope, row));
}

async function addKindRule(world: HttpWorld, asked: Asked, name: string): Promise<string> {
  const body = { match: "from", value: `${name}-ruled@mail.example`, kind: "bulk" };
  return (await world.ask("POST", "/api/kind-rules", { ...asked, body })).json.id;
}

async function addStreamRule(world: HttpWorld, asked: Asked, name: string): Promise<string> {
  const body = { name: `${name}-stream-rule`, sender: "nothing@nowhere.example" };
  return (await world.ask("POST", "/api/stream-rules", { ...asked, body })).json.id;
}

/** With a listing. */
async function addOwnAddress(world: HttpWorld, asked: Asked & { readonly workspace: string }, name: string) {
  const body = { values: [`${name}-sends.example`] };
  await world.ask("POST", "/api/own-addresses", { ...asked, body });
  const ownAddressId = (await world.ask("GET", "/api/own-addresses", asked)).json.items[0].id as string;
  const { nowMs } = world.clock;
  const addressListingId = createId("addressListing", nowMs, createHash("sha256").update(name).digest());
  const listing = { zone: "dbl.spamhaus.org", since: nowMs, seen_at: nowMs, until: null, misses: 0 };
  const answer = { class: "bad", code: "127.0.1.2", meaning: "spam", says: `${name}-list-text` } as const;
  const row = { id: addressListingId, address_id: ownAddressId, ...listing, ...answer };
  await world.store.write((db) => insertListing(inWorkspace(db, asked.workspace), row));
  return { ownAddressId, addressListingId };
}

/** One that is paused, with a run. Otherwise it would be sent while a law looks. */
async function addCanary(world: HttpWorld, asked: Asked & { readonly workspace: string }, name: string) {
  const url = `smtp://${name}:${name}-relay-password@${name}-relay.example:587`;
  const body = { name: `${name}-relay`, url, mailFrom: `canary@${name}.example` };
  const relayId = (await world.ask("POST", "/api/relays", { ...asked, body })).json.id as string;
  const { nowMs } = world.clock;
  const toId = (kind: "monitor" | "monitorRun") => createId(kind, nowMs, createHash("sha256").update(name).digest());
  const monitorId = toId("monitor");
  const runId = toId("monitorRun");
  await world.store.write(async (db) => {
    const scope = inWorkspace(db, asked.workspace);
    await insertMonitor(scope, {
      id: monitorId,
      kind: "canary",
      name: `${name}-canary`,
      relay_id: relayId,
      enabled: 0,
      terms: JSON.stringify(aCanary(nowMs)),
      state: "new",
      state_since: nowMs,
      problem: null,
      last_ok_at: null,
      next_at: null,
      failing: 0,
      usual: null,
      created_at: nowMs,
      due_at: null,
      claimed_by: null,
      claimed_until: null,
      attempts: 0,
    });
    await insertRun(scope, {
      id: runId,
      monitor_id: monitorId,
      began_at: nowMs,
      expected_by: nowMs,
      ended_at: nowMs,
      outcome: "ok",
      delay_ms: 1,
      test_id: null,
      send_id: null,
      accepted_at: null,
      detail: null,
    });
  });
  return { relayId, monitorId, runId };
}

async function addIncomingHook(world: HttpWorld, asked: Asked, name: string): Promise<string> {
  const body = { provider: "mailjet", purpose: "feedback", label: `${name}-hook` };
  return (await world.ask("POST", "/api/incoming-hooks", { ...asked, body })).json.id;
}

async function addExpected(world: HttpWorld, asked: Asked, name: string): Promise<string> {
  const match = { sender: "nothing@nowhere.example" };
  const body = { name: `${name}-expected`, schedule: { type: "interval", everyMinutes: 60 }, match };
  return (await world.ask("POST", "/api/monitors/expected", { ...asked, body })).json.id;
}

/** A seed mailbox that has the message of a test. */
async function observe(
  { store, system, events }: HttpWorld,
  { workspaceId, account, mark }: { workspaceId: string; account: string; mark: string },
): Promise<void> {
  const mailbox = await connectMailbox(store, { workspaceId, account });
  const { keepSightings } = createSightingRecorder({ store, system, publish: events.publish });
  await keepSightings(mailbox, [aSighting({ assayIds: [mark] })], []);
}

/** A monitored domain that was checked, drifted, and was seen to send. */
async function addDomain(world: HttpWorld, workspaceId: string, name: string) {
  const { clock, store, domainWatcher } = world;
  const toId = (kind: "domain" | "domainChange") =>
    createId(kind, clock.nowMs, createHash("sha256").update(name).digest());
  const ids = { domainId: toId("domain"), changeId: toId("domainChange") };
  const domain = `${name}-monitored.example`;
  const seen = { kind: "selector", domain, value: `${name}-selector`, fingerprint: "" } as const;
  const drift = { id: ids.changeId, domainId: ids.domainId, at: clock.nowMs, kind: "drift" } as const;
  await store.write(async (db) => {
    await insertDomain(db, { id: ids.domainId, workspaceId, domain, createdAt: clock.nowMs });
    await noteSenders(db, workspaceId, [{ ...seen, messages: 1, seenAt: clock.nowMs }]);
    await insertDomainChange(inWorkspace(db, workspaceId), { ...drift, changes: [] });
  });
  await domainWatcher.checkNow(ids.domainId, 5_000);
  return ids;
}

/** A source that its domain's reports named. */
async function addFeedbackProblem(
  { store, clock }: HttpWorld,
  workspaceId: string,
  { domainId, name }: { readonly domainId: string; readonly name: string },
): Promise<string> {
  const id = createId("feedbackProblem", clock.nowMs, createHash("sha256").update(name).digest());
  const days = { from: 0, to: 0 };
  const detail = { ...noDetail, source: `${name}-source`, passed: 1 };
  await storeOf(store, workspaceId).write((scope) =>
    insertProblem(scope, {
      id,
      domain_id: domainId,
      kind: "new-source",
      subject: `domain:${name}-source`,
      level: 0,
      opened_at: clock.nowMs,
      updated_at: clock.nowMs,
      resolved_at: null,
      resolution: null,
      evidence: JSON.stringify({ days, count: 1, total: 1, usual: null, reporters: [], detail }),
      acknowledged_at: null,
      reports: "[]",
    }),
  );
  return id;
}

/** An owner and a member who ask, somebody who is only there, who is invited, and who has left. */
async function addPeople(world: HttpWorld, workspaceId: string, name: string) {
  const owner = await world.addPerson(workspaceId, "owner", `${name}-owner`);
  const member = await world.addPerson(workspaceId, "member", `${name}-member`);
  // A person keeps only so many sessions, and this one is to stay.
  const person = await world.addPerson(workspaceId, "owner", `${name}-person`);
  const { sessionId } = await world.openSession(person.id);
  const leaver = await world.addPerson(workspaceId, "owner", `${name}-leaver`);
  const tokens = {
    membersToken: (await world.issueToken(workspaceId, null, member.id)).token,
    leaversToken: (await world.issueToken(workspaceId, null, leaver.id)).token,
  };
  await world.store.write((db) => removeMembership(inWorkspace(db, workspaceId), leaver.id));
  const email = `${name}-invited@people.example`;
  const { id: invitationId, link } = await inviteMember(storeOf(world.store, workspaceId), world.system, {
    email,
    role: "member",
    createdBy: null,
    createdWith: null,
    plans: selfHostedPlans,
    baseUrl: world.base,
    mail: null,
  });
  const secrets = [
    ...[owner, member, person, leaver].flatMap(({ id, email, name }) => [id, email, name]),
    ...Object.values(tokens),
    sessionId,
    email,
    link,
  ];
  return { owner, member, person, sessionId, tokens, invitationId, secrets };
}

/** A webhook that was told something. */
async function addAlert(world: HttpWorld, asked: Asked & { readonly workspace: string }, name: string) {
  const wanted = {
    label: `${name}-alert`,
    url: `https://${name}-receiver.example/`,
    kind: "json",
    events: ["domain.drift"],
  };
  const { json } = await world.ask("POST", "/api/alerts", { ...asked, body: wanted });
  await world.store.write((db) => raiseAlert(inWorkspace(db, asked.workspace), aDrift(), world.system));
  return { id: json.id as string, secrets: [wanted.label, wanted.url, json.secret as string] };
}

/** What a seed mailbox showed. */
async function addObservations({ store, clock }: HttpWorld, workspaceId: string, testId: string): Promise<void> {
  await store.write((db) => insertObservations(db, { workspaceId, testId, seenAt: clock.nowMs }, 20));
}

async function addSigningKey(world: HttpWorld, asked: Asked, name: string) {
  const wanted = { domain: `${name}-signing.example`, algorithm: "ed25519" };
  const { json } = await world.ask("POST", "/api/signing-keys", { ...asked, body: wanted });
  const [{ id, selector, record }] = json.items;
  return { id: id as string, secrets: [wanted.domain, selector as string, record.value as string] };
}

/** A mailbox that is connected. */
async function addIntegration(world: HttpWorld, workspaceId: string, name: string): Promise<void> {
  const id = createId("integration", world.clock.nowMs, createHash("sha256").update(name).digest());
  const secret = { accessToken: "a", refreshToken: "r", grant: name, webhookUrl: null };
  await world.store.write((db) =>
    insertIntegration(inWorkspace(db, workspaceId), {
      id,
      provider: "google",
      account: `${name}-seed@mailbox.example`,
      seed_provider: "gmail",
      connected_at: world.clock.nowMs,
      connected_by: null,
      scopes: "[]",
      server: null,
      alert_id: null,
      secret: sealOauth(world.integrationSealer, id, secret),
      expires_at: null,
      status: "connected",
      problem: null,
      status_since: world.clock.nowMs,
      due_at: null,
      claimed_by: null,
      claimed_until: null,
      attempts: 0,
    }),
  );
}

/** A seed mailbox that is read with a password. */
async function addMailbox(world: HttpWorld, asked: Asked, name: string) {
  const host = `${name}-imap.example`;
  const wanted = { host, port: 993, tls: true, user: `${name}@${host}`, password: `${name}-password` };
  const zone = world.internet.zone;
  world.internet.zone = { ...zone, [host]: { A: ["9.9.9.9"] } };
  const { json } = await world.ask("POST", "/api/integrations/imap", { ...asked, body: wanted });
  world.internet.zone = zone;
  return { id: json.id as string, secrets: [json.id as string, wanted.user, wanted.password] };
}

/** What it sent itself. */
async function addSend(world: HttpWorld, asked: Asked & { readonly workspace: string }, name: string) {
  const { json } = await world.ask("GET", "/api/seed-inboxes", asked);
  const body = { subject: `${name}-sample`, from: json.items[0].address };
  return (await world.ask("POST", "/api/tests/send-test", { ...asked, body })).json.id as string;
}

/** What stands for a value of a path, by the word before it. One that is the same everywhere is no id. */
const idsAt: Readonly<Record<string, (place: Place) => string>> = {
  "tests/:id": ({ testId }) => testId,
  "preview/:id": ({ testId }) => testId,
  "compare/:other": ({ testId }) => testId,
  "attachments/:part": () => "1",
  "workspaces/:id": ({ workspaceId }) => workspaceId,
  "members/:id": ({ personId }) => personId,
  "sessions/:id": ({ sessionId }) => sessionId,
  "shares/:id": ({ shareId }) => shareId,
  "kind-rules/:id": ({ kindRuleId }) => kindRuleId,
  "own-addresses/:id": ({ ownAddressId }) => ownAddressId,
  "streams/:id": ({ streamId }) => streamId,
  "stream-rules/:id": ({ streamRuleId }) => streamRuleId,
  "relays/:id": ({ relayId }) => relayId,
  "monitors/:id": ({ monitorId }) => monitorId,
  "canaries/:id": ({ monitorId }) => monitorId,
  "expected/:id": ({ expectedId }) => expectedId,
  // A share link is for anyone who has it: shares.test.ts.
  "s/:token": () => "nothing",
  // The link of a visitor's test is for anyone who has it: public-tests/visitor.test.ts.
  "test/:secret": () => "nothing",
  "files/:name": () => "page.js",
  "incoming-hooks/:id": ({ incomingHookId }) => incomingHookId,
  // Whoever has the URL may try: incoming-hooks.test.ts.
  "hooks/:key": () => "nothing",
  // Whoever has the mail has the right: alert-mail.test.ts.
  "undo/:undo": () => "nothing",
  "confirm/:token": () => "nothing",
  "unsubscribe/:token": () => "nothing",
  "tokens/:id": ({ tokenId }) => tokenId,
  "seed-inboxes/:id": ({ inboxId }) => inboxId,
  "bounces/:id": ({ bounceId }) => bounceId,
  "reports/:id": ({ mailReportId }) => mailReportId,
  "auto-replies/:id": ({ autoReplyId }) => autoReplyId,
  "domains/:id": ({ domainId }) => domainId,
  "feedback-problems/:id": ({ feedbackProblemId }) => feedbackProblemId,
  "integrations/:id": ({ integrationId }) => integrationId,
  "alerts/:id": ({ alertId }) => alertId,
  "signing-keys/:id": ({ signingKeyId }) => signingKeyId,
  // The server's own, the same everywhere.
  "server-settings/:name": () => "ASSAY_RETENTION_DAYS",
  "blocklists/:zone": () => "bl.spamcop.net",
  // A provider is the same everywhere.
  "integrations/:provider": () => "google",
  "sends/:id": ({ sendId }) => sendId,
  "identities/:id": ({ identityId }) => identityId,
  "second-factors/:id": ({ factorId }) => factorId,
  // The server's own: features/oidc/routes.test.ts and oidc-attacks.test.ts.
  "oidc/:issuer": () => "nothing",
  "deliveries/:deliveryId": ({ deliveryId }) => deliveryId,
};

export function idAt(where: string, place: Place): string {
  const id = idsAt[where]?.(place);
  if (id === undefined) throw new Error(`Say in idsAt which id of a workspace stands for ${where}.`);
  return id;
}

/** Every row, or those that bear something of a workspace; but not when it was last used, which is noted behind the answers. */
export async function dumpDatabase({ read }: Store, place?: Pick<Place, "secrets">): Promise<string> {
  const rows = await readRows(read);
  return rows.filter((text) => place === undefined || place.secrets.some((secret) => text.includes(secret))).join("\n");
}

type Dump = { readonly version: number; readonly rows: readonly string[] };
const lastDumps = new WeakMap<Store["read"], Dump>();

/** Read again only when somebody has written since, because it is looked at thousands of times. */
async function readRows(read: Store["read"]): Promise<readonly string[]> {
  const [now] = (await sql<{ data_version: number }>`pragma data_version`.execute(read)).rows;
  const version = now?.data_version ?? Number.NaN;
  const last = lastDumps.get(read);
  if (last?.version === version) return last.rows;
  const tables = await listTables(read);
  const dumps = await Promise.all(
    tables.map(async (name) => {
      const { rows } = await sql<object>`select * from ${sql.table(name)}`.execute(read);
      return rows.map((row) => toText(name, row));
    }),
  );
  const dump = { version, rows: dumps.flat() };
  lastDumps.set(read, dump);
  return dump.rows;
}

/** Asked once of each database, because each time costs more than all that the tables hold. */
const tablesOf = new WeakMap<Store["read"], Promise<readonly string[]>>();

function listTables(read: Store["read"]): Promise<readonly string[]> {
  const known = tablesOf.get(read) ?? read.introspection.getTables().then((all) => all.map(({ name }) => name));
  tablesOf.set(read, known);
  return known;
}

function toText(table: string, row: object): string {
  const noted = ["last_used_at", "last_used_address", ...(table === "sessions" ? ["last_seen_at", "expires_at"] : [])];
  const values = Object.entries(row).filter(([column]) => !noted.includes(column));
  return `${table} ${values.map(([column, value]) => `${column}=${valueToText(value)}`).join("\0")}`;
}

/** Much faster than a number for each byte. */
function valueToText(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : JSON.stringify(value);
}
