// One message to a webhook, now and once: whoever sets it up sees whether it arrives. What the receiver wrote is never
// told, and only so many of a workspace's are on their way at once, so that it is no tool to look around with.

import { renderPing } from "../alerts/render.ts";
import { judgeAnswer } from "../alerts/retries.ts";
import { Refusal } from "../errors.ts";
import { createId } from "../ids.ts";
import type { WorkspaceStore } from "../store/scope.ts";
import type { AlertsTable } from "../store/watch-schema.ts";
import { createGates } from "../system/gates.ts";
import { openTarget } from "./alert-targets.ts";
import { type AlertTerms, requireAlert } from "./alerts.ts";
import { postToReceiver, receiverTimeoutMs } from "./post-to-receiver.ts";

export type PingOutcome = {
  readonly delivered: boolean;
  readonly status: number | null;
  readonly durationMs: number;
  readonly error: string | null;
};

export type Ping = (store: Pick<WorkspaceStore, "workspaceId" | "read">, id: string) => Promise<PingOutcome>;

const atOnce = 5;

type Terms = Pick<AlertTerms, "system" | "sealer" | "baseUrl">;

export function createPinger(terms: Terms): Ping {
  const gates = createGates(atOnce);
  return async ({ workspaceId, read }, id) => {
    const row = await requireAlert(read, id);
    if (!(await gates.enter(workspaceId, 0))) {
      const why = `${atOnce} tests of webhooks are on their way: wait for one to end.`;
      throw new Refusal("rate_limited", why, { retryAfterSeconds: receiverTimeoutMs / 1_000 });
    }
    try {
      return await sendPing(row, terms);
    } finally {
      gates.leave(workspaceId);
    }
  };
}

async function sendPing(row: AlertsTable, { system, sealer, baseUrl }: Terms): Promise<PingOutcome> {
  const now = system.now();
  const { url, secret } = openTarget(sealer, row);
  const rendered = renderPing(row.kind, {
    id: createId("event", now, system.random(16)),
    workspaceId: row.workspace_id,
    alert: { id: row.id, label: row.label },
    secret,
    baseUrl: baseUrl(),
    now,
  });
  const outcome = await postToReceiver(system, { url, ...rendered });
  const answeredAt = system.now();
  const verdict = judgeAnswer(row.kind, outcome, answeredAt);
  return {
    delivered: verdict.means === "delivered",
    status: outcome.ok ? outcome.status : null,
    durationMs: Math.max(0, answeredAt - now),
    error: verdict.means === "delivered" ? null : verdict.problem,
  };
}
