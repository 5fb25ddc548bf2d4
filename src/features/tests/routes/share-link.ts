// The page that a share link opens, and the message in its frame. The contract refuses an invalid link with 400 `invalid_link`. A browser gets the same
// status with a page, because people can't use a line of JSON.

import { auditedObject } from "../../../platform/audit/rows/objects.ts";
import { toTimestamp } from "../../../platform/contract/primitives.ts";
import { hashSecret, isSecret } from "../../../platform/contract/secrets.ts";
import { noSuchTest, Refusal, statusOf } from "../../../platform/errors.ts";
import { type Route, route } from "../../../platform/route.ts";
import type { Server } from "../../../platform/server.ts";
import type { SharesTable } from "../../people/tables.ts";
import { creatorOf } from "../../people/work/callers.ts";
import type { ReportPage } from "../contract/report-page.ts";
import {
  createShare,
  deleteShare,
  listShares,
  readSharedMessage,
  readSharePage,
  type Share,
} from "../contract/shares.ts";
import { findShare, listShares as listShareRows } from "../rows/shares.ts";
import { readTest } from "../rows/tests.ts";
import * as tasks from "../work/shares.ts";
import {
  answerStrangersMessage,
  answerStrangersPage,
  readStrangersTest,
  toStrangersMail,
  toStrangersTest,
} from "./strangers.ts";

const auditedShare = auditedObject({
  kind: "share",
  table: "shares",
  columns: ["test_id", "redact_body", "expires_at"],
  toName: async ({ test_id }, db) => {
    const test = await db.selectFrom("tests").select("subject").where("id", "=", test_id).executeTakeFirst();
    return test?.subject ?? test_id;
  },
});

const invalidLink = "This link is invalid or has expired. Ask the sender for a new one.";

/** The same for an unknown and an expired link, so it reveals nothing. */
const noReport: ReportPage = {
  note: "Shared report",
  content: { shows: "notice", title: "Report not available", says: invalidLink },
  foot: [],
};

const sharePageRoute: Route = route(readSharePage, async ({ params, headers }, server) => {
  const shared = await readShared(params.token, server);
  if (shared)
    return answerStrangersPage(server, await toPage(params.token, shared, server), { title: "Shared report" });
  if (!headers.accept?.includes("text/html")) throw new Refusal("invalid_link", invalidLink);
  return answerStrangersPage(server, noReport, { title: "Report not available", status: statusOf.invalid_link });
});

const sharedMessageRoute: Route = route(readSharedMessage, async ({ params }, server) => {
  const shared = await readShared(params.token, server);
  // Without its report, it isn't known whose addresses to mask.
  if (!shared || shared.share.redact_body === 1 || shared.test.findings === null)
    throw new Refusal("invalid_link", invalidLink);
  return await answerStrangersMessage({ workspaceId: shared.share.workspace_id }, shared, server);
});

async function readShared(token: string, server: Server) {
  const share = isSecret(token) && (await findShare(server.store.read, hashSecret(token), server.system.now()));
  if (!share) return undefined;
  const found = await readStrangersTest({ workspaceId: share.workspace_id, testId: share.test_id }, server);
  return found && { share, ...found };
}

type Shared = NonNullable<Awaited<ReturnType<typeof readShared>>>;

async function toPage(token: string, shared: Shared, server: Server): Promise<ReportPage> {
  const { workspace_id: workspaceId, redact_body, expires_at } = shared.share;
  const redactsBody = redact_body === 1;
  const leftOut = redactsBody ? "The message is left out of this shared report." : null;
  return {
    note: `Shared report · ${redactsBody ? "body and recipients" : "recipients"} left out`,
    time: { says: "link expires", at: toTimestamp(expires_at) },
    mail: await toStrangersMail({ workspaceId, src: `/s/${token}/message`, leftOut }, shared, server),
    content: { shows: "share", test: toStrangersTest(shared, redactsBody) },
    foot: [`Assay ${server.version}`, "If you save this page, it works offline."],
  };
}

export const shareRoutes: readonly Route[] = [
  route(createShare, async ({ store, caller, params: { id }, body }, { system, baseUrl }) => {
    const wanted = { ...body, ...creatorOf(caller), testId: id };
    const { row, secret } = await tasks.createShare(store, system, wanted);
    return { ...toShare(row), url: `${baseUrl()}/s/${secret}` };
  }).recording({ action: "share.create", object: auditedShare }),

  route(listShares, async ({ store: { read }, params: { id } }, { system }) => {
    if ((await readTest(read, id)) === undefined) throw noSuchTest();
    return { items: (await listShareRows(read, id, system.now())).map(toShare) };
  }),

  route(deleteShare, async ({ store, params: { id } }) => {
    await tasks.endShare(store, id);
    return undefined;
  }).recording({ action: "share.revoke", object: auditedShare }),

  sharePageRoute,
  sharedMessageRoute,
];

function toShare(row: SharesTable): Share {
  return {
    id: row.id,
    testId: row.test_id,
    redactBody: row.redact_body === 1,
    createdBy: row.created_by,
    createdAt: toTimestamp(row.created_at),
    expiresAt: toTimestamp(row.expires_at),
  };
}
