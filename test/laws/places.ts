// A workspace with one of everything, for laws that ask whether another can reach it.

import { sql } from "kysely";
import type { Store } from "../../src/store/store.ts";
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
  const ids = {
    testId,
    shareId: (await world.ask("POST", `/api/tests/${testId}/shares`, asked)).json.id as string,
    tokenId: row.id,
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
  ];
  const idsByPrefix: Readonly<Record<string, string>> = {
    wsp: workspace.id,
    tst: testId,
    tok: row.id,
    sdi: ids.inboxId,
    bnc: ids.bounceId,
    rpt: ids.mailReportId,
    shr: ids.shareId,
  };
  return { ...ids, workspaceId: workspace.id, token, idsByPrefix, secrets };
}

/** What stands for a value of a path, by the word before it. One that is the same everywhere is no id. */
const idsAt: Readonly<Record<string, (place: Place) => string>> = {
  "tests/:id": ({ testId }) => testId,
  "preview/:id": ({ testId }) => testId,
  "compare/:other": ({ testId }) => testId,
  "attachments/:part": () => "1",
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

/** Every row, or those of a workspace; but not when a token was used, which is noted behind the answers. */
export async function dumpDatabase({ read }: Store, workspaceId?: string): Promise<string> {
  const tables = await read.introspection.getTables();
  const dumps = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await sql`select * from ${sql.table(name)}`.execute(read);
      return rows
        .map((row) => toText(name, row))
        .filter((text) => workspaceId === undefined || text.includes(workspaceId));
    }),
  );
  return dumps.flat().join("\n");
}

function toText(table: string, row: unknown): string {
  return `${table} ${JSON.stringify(row, (key, value) => (key === "last_used_at" ? undefined : value))}`;
}
