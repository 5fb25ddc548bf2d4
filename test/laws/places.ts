// A workspace with one of everything, for laws that ask whether another can reach it.

import { sql } from "kysely";
import { selfHostedPlans } from "../../src/accounts/plans.ts";
import { removeMembership } from "../../src/store/memberships.ts";
import { inWorkspace, storeOf } from "../../src/store/scope.ts";
import type { Store } from "../../src/store/store.ts";
import { inviteMember } from "../../src/tasks/members.ts";
import { aBounce, anAutoReply, aReport } from "../http/arrivals.ts";
import type { HttpWorld } from "../http/http-world.ts";

export type Place = Awaited<ReturnType<typeof furnish>>;

export async function furnish(world: HttpWorld, name: string) {
  // No two of anything are of one time.
  world.clock.nowMs += 1_000;
  const workspace = await world.createWorkspace(`${name}-workspace`);
  const { token, row } = await world.issueToken(workspace.id);
  const asked = { token, workspace: workspace.id };
  const firstId = async (path: string) => (await world.ask("GET", path, asked)).json.items[0].id as string;
  for (const recognised of [aBounce, aReport, anAutoReply])
    await world.receiveNoTest(workspace.id, { recognised });
  const raw = Buffer.from(`Subject: ${name} secret subject\r\n\r\nHi.\r\n`);
  const testId = await world.receive(workspace.id, `${name}-label`, raw);
  await world.analyzeAll();
  const people = await addPeople(world, workspace.id, name);
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
  };
  const secrets = [
    ...Object.values(ids),
    workspace.id,
    workspace.seed_address ?? token,
    token,
    `${name}-workspace`,
    `${name} secret subject`,
    `${name}-label`,
    ...people.secrets,
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
  };
  const { owner, member } = people;
  return { ...ids, ...people.tokens, workspaceId: workspace.id, token, owner, member, idsByPrefix, secrets };
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
    ...{ email, role: "member", createdBy: null, plans: selfHostedPlans, baseUrl: world.base },
  });
  const secrets = [
    ...[owner, member, person, leaver].flatMap(({ id, email, name }) => [id, email, name]),
    ...Object.values(tokens),
    ...[sessionId, email, link],
  ];
  return { owner, member, person, sessionId, tokens, invitationId, secrets };
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
  // A share link is for anyone who has it: shares.test.ts.
  "s/:token": () => "nothing",
  "tokens/:id": ({ tokenId }) => tokenId,
  "seed-inboxes/:id": ({ inboxId }) => inboxId,
  "bounces/:id": ({ bounceId }) => bounceId,
  "reports/:id": ({ mailReportId }) => mailReportId,
  "auto-replies/:id": ({ autoReplyId }) => autoReplyId,
};

export function idAt(where: string, place: Place): string {
  const id = idsAt[where]?.(place);
  if (id === undefined) throw new Error(`Say in idsAt which id of a workspace stands for ${where}.`);
  return id;
}

/** Every row, or those that bear something of a workspace; but not when it was last used, which is noted behind the answers. */
export async function dumpDatabase({ read }: Store, place?: Pick<Place, "secrets">): Promise<string> {
  const tables = await read.introspection.getTables();
  const dumps = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await sql`select * from ${sql.table(name)}`.execute(read);
      return rows
        .map((row) => toText(name, row))
        .filter((text) => place === undefined || place.secrets.some((secret) => text.includes(secret)));
    }),
  );
  return dumps.flat().join("\n");
}

function toText(table: string, row: unknown): string {
  const noted = ["last_used_at", ...(table === "sessions" ? ["last_seen_at", "expires_at"] : [])];
  return `${table} ${JSON.stringify(row, (key, value) => (noted.includes(key) ? undefined : value))}`;
}
