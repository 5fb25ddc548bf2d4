import { toTimestamp } from "../api/primitives.ts";
import { createShare, deleteShare, listShares, type Share } from "../api/shares.ts";
import { noSuchTest } from "../errors.ts";
import type { SharesTable } from "../store/schema.ts";
import { inWorkspace } from "../store/scope.ts";
import * as store from "../store/shares.ts";
import { readTest } from "../store/tests.ts";
import * as tasks from "../tasks/shares.ts";
import { type Route, route } from "./route.ts";
import { sharePageRoute } from "./share-link.ts";

export const shareRoutes: readonly Route[] = [
  route(createShare, async ({ workspaceId, caller, params: { id }, body }, { store, system, baseUrl }) => {
    const wanted = { ...body, testId: id, createdBy: caller.userId };
    const { row, secret } = await tasks.createShare(store, system, workspaceId, wanted);
    return { ...toShare(row), url: `${baseUrl()}/s/${secret}` };
  }),

  route(listShares, async ({ workspaceId, params: { id } }, { store: { read }, system }) => {
    const scope = inWorkspace(read, workspaceId);
    if ((await readTest(scope, id)) === undefined) throw noSuchTest();
    return { items: (await store.listShares(scope, id, system.now())).map(toShare) };
  }),

  route(deleteShare, async ({ workspaceId, params: { id } }, { store }) => {
    await tasks.endShare(store, workspaceId, id);
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
