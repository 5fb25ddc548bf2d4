// Sends one test message to an alert's receiver and reports whether it arrived. The body of an HTTP response is not
// reported and tries per workspace are limited, so it cannot be used to scan networks.

import { createLimiters } from "../../../analyzer/facts/limiter.ts";
import type { WorkspaceStore } from "../../../platform/database/scope.ts";
import { Refusal } from "../../../platform/errors.ts";
import { createId } from "../../../platform/ids.ts";
import type { Sealer } from "../../../platform/system/secret-key.ts";
import type { System } from "../../../platform/system/system.ts";
import type { AlertsTable } from "../../domains/tables.ts";
import { readAlertAddress, readWorkspaceName } from "../rows/addresses.ts";
import { renderPingEmail } from "../rules/email.ts";
import { renderPing } from "../rules/render.ts";
import { judgeAnswer } from "../rules/retries.ts";
import { toUnsubscribeUrl } from "./addresses.ts";
import { countMail } from "./mail-limits.ts";
import { type AlertMailer, mailDeadlineMs, requireMailer } from "./mailer.ts";
import { openTarget, postToReceiver, receiverTimeoutMs } from "./targets.ts";

type PingOutcome = {
  readonly delivered: boolean;
  /** HTTP status. */
  readonly status: number | null;
  readonly smtpReply: string | null;
  readonly durationMs: number;
  readonly error: string | null;
};

export type PingTerms = {
  readonly system: Pick<System, "now" | "random" | "fetchStranger">;
  readonly sealer: Sealer;
  readonly mailer: AlertMailer;
  readonly baseUrl: () => string;
};

const atOnce = 5;

export function createPinger(terms: PingTerms) {
  const gates = createLimiters(atOnce);
  return async ({ workspaceId, read, write }: WorkspaceStore, row: AlertsTable) => {
    if (!(await gates.enter(workspaceId, 0))) {
      const why = `${atOnce} webhook tests are already running. Wait for one to finish.`;
      throw new Refusal("rate_limited", why, { retryAfterSeconds: receiverTimeoutMs / 1_000 });
    }
    try {
      return row.kind === "email"
        ? await pingByMail({ read, write }, row, terms)
        : await pingByHttp(row, row.kind, terms);
    } finally {
      gates.leave(workspaceId);
    }
  };
}

async function pingByHttp(
  row: AlertsTable,
  kind: Exclude<AlertsTable["kind"], "email">,
  { system, sealer, baseUrl }: PingTerms,
): Promise<PingOutcome> {
  const now = system.now();
  const { url, secret, preset } = openTarget(sealer, row);
  const rendered = renderPing(kind, {
    id: createId("event", now, system.random(16)),
    workspaceId: row.workspace_id,
    alert: { id: row.id, label: row.label },
    secret,
    preset,
    baseUrl: baseUrl(),
    now,
  });
  const outcome = await postToReceiver(system, { url, ...rendered });
  const answeredAt = system.now();
  const verdict = judgeAnswer(kind, outcome, answeredAt);
  return {
    delivered: verdict.means === "delivered",
    status: outcome.ok ? outcome.status : null,
    smtpReply: null,
    durationMs: Math.max(0, answeredAt - now),
    error: verdict.means === "delivered" ? null : verdict.problem,
  };
}

async function pingByMail(
  { read, write }: Pick<WorkspaceStore, "read" | "write">,
  row: AlertsTable,
  terms: PingTerms,
): Promise<PingOutcome> {
  const { system, mailer, baseUrl } = terms;
  requireMailer(mailer);
  const address = await readAlertAddress(read, row.address_id ?? "");
  if (address?.state !== "confirmed")
    throw new Refusal("conflict", "The address has not confirmed yet, so nothing can be sent to it.");
  await write((scope) => countMail(scope, "test", address.address, system));
  const began = system.now();
  const unsubscribeUrl = toUnsubscribeUrl(address.id, terms);
  const workspace = await readWorkspaceName(read);
  const mail = renderPingEmail({ baseUrl: baseUrl(), alert: row, workspace, unsubscribeUrl });
  const messageKey = createId("delivery", began, system.random(16));
  const outgoing = { ...mail, addressId: address.id, to: address.address, messageKey, unsubscribeUrl };
  const outcome = await mailer.send(read, outgoing, AbortSignal.timeout(mailDeadlineMs));
  return {
    delivered: outcome.ok,
    status: null,
    smtpReply: outcome.reply,
    durationMs: Math.max(0, system.now() - began),
    error: outcome.ok ? null : outcome.problem,
  };
}
