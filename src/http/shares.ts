import { toTimestamp } from "../api/primitives.ts";
import { createShare, deleteShare, listShares, type Share } from "../api/shares.ts";
import { noSuchTest } from "../errors.ts";
import type { SharesTable } from "../store/schema.ts";
import { listShares as listShareRows } from "../store/shares.ts";
import { readTest } from "../store/tests.ts";
import * as tasks from "../tasks/shares.ts";
import { type Route, route } from "./route.ts";
import { sharePageRoute } from "./share-link.ts";

export const shareRoutes: readonly Route[] = [
  route(createShare, async ({ store, caller, params: { id }, body }, { system, baseUrl }) => {
    const wanted = { ...body, testId: id, createdBy: caller.userId };
    const { row, secret } = await tasks.createShare(store, system, wanted);
    return { ...toShare(row), url: `${baseUrl()}/s/${secret}` };
  }),

  route(listShares, async ({ store: { read }, params: { id } }, { system }) => {
    if ((await readTest(read, id)) === undefined) throw noSuchTest();
    return { items: (await listShareRows(read, id, system.now())).map(toShare) };
  }),

  route(deleteShare, async ({ store, params: { id } }) => {
    await tasks.endShare(store, id);
    return undefined;
  }),

  sharePageRoute,
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
