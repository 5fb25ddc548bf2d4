import { recordChange, recordIf } from "../../../platform/audit/rows/recording.ts";
import { createSecret, hashSecret, secretBytes } from "../../../platform/contract/secrets.ts";
import type { WorkspaceStore } from "../../../platform/database/scope.ts";
import { noSuchTest, Refusal } from "../../../platform/errors.ts";
import { createId } from "../../../platform/ids.ts";
import type { System } from "../../../platform/system/system.ts";
import { type Creator, endWith, requireStillThere } from "../../people/rows/memberships.ts";
import { lockWorkspace } from "../../people/rows/workspaces.ts";
import type { SharesTable } from "../../people/tables.ts";
import { insertShare, listShares, removeShare } from "../rows/shares.ts";
import { readTest } from "../rows/tests.ts";

export type WantedShare = Creator & {
  readonly testId: string;
  readonly expiresInDays: number;
  readonly redactBody: boolean;
};

/** Plenty for one report. Each share is a secret that opens it. */
const maxPerTest = 20;
const dayMs = 86_400_000;

/** Only this result contains the secret. */
export async function createShare(
  store: Pick<WorkspaceStore, "workspaceId" | "write">,
  system: Pick<System, "now" | "random">,
  { testId, expiresInDays, redactBody, ...creator }: WantedShare,
): Promise<{ readonly row: SharesTable; readonly secret: string }> {
  const now = system.now();
  const secret = createSecret(system.random(secretBytes));
  const row: SharesTable = {
    id: createId("share", now, system.random(16)),
    workspace_id: store.workspaceId,
    test_id: testId,
    hash: hashSecret(secret),
    redact_body: redactBody ? 1 : 0,
    created_by: creator.createdBy,
    created_with: creator.createdWith?.id ?? null,
    created_at: now,
    expires_at: endWith(creator, now + expiresInDays * dayMs),
  };
  await store.write(async (scope) => {
    await lockWorkspace(scope);
    await requireStillThere(scope, creator);
    if ((await readTest(scope, testId)) === undefined) throw noSuchTest();
    if ((await listShares(scope, testId, now)).length >= maxPerTest)
      throw new Refusal("conflict", `A test can have at most ${maxPerTest} shares. Revoke one first.`);
    await insertShare(scope, row);
    recordChange({ objectId: row.id });
  });
  return { row, secret };
}

export async function endShare(store: Pick<WorkspaceStore, "write">, id: string): Promise<void> {
  if (!(await store.write(async (scope) => recordIf(await removeShare(scope, id)))))
    throw new Refusal("not_found", "Share not found.");
}
