// Sends one message, by HTTP or by email, and judges the answer.

import type { FetchOutcome } from "../../../analyzer/facts/fetch.ts";
import { inWorkspace } from "../../../platform/database/scope.ts";
import { readAlertAddress, readWorkspaceName } from "../rows/addresses.ts";
import { readEvents } from "../rows/outbox.ts";
import type { KeptEvent, WebhookKind } from "../rules/alert-event.ts";
import { renderAlertEmail } from "../rules/email.ts";
import { renderMessage } from "../rules/render.ts";
import { judgeAnswer, type Verdict } from "../rules/retries.ts";
import { toBounceWords, toUnsubscribeUrl } from "./addresses.ts";
import type { AlertDelivererOptions } from "./deliver.ts";
import { type MailOutcome, mailDeadlineMs, toMissingWords } from "./mailer.ts";
import type { DueDelivery } from "./take-due.ts";
import { openTarget, postToReceiver } from "./targets.ts";

export type Sent = {
  readonly verdict: Verdict;
  readonly httpStatus: number | null;
  /** The mail server's. */
  readonly reply: string | null;
};

type Content = { readonly events: readonly KeptEvent[]; readonly more: number };

/** `signal` aborts the request. */
export async function sendMessage(
  due: DueDelivery,
  signal: AbortSignal,
  options: AlertDelivererOptions,
): Promise<Sent> {
  const { alert, rows, eventIds } = due;
  const events = await readEvents(options.store.read, alert, eventIds);
  if (events.length < eventIds.length) options.system.log.error("an alert's event can't be read", { alert: alert.id });
  // Counts as a failed try. A message with other events only counts those that can't be read.
  if (events.length === 0) return judgeMail(failed(internal));
  const content = { events, more: Math.max(0, rows.length - events.length) };
  if (alert.kind === "email") return judgeMail(await sendByMail(due, content, signal, options));
  const outcome = await post(due, { ...content, kind: alert.kind }, signal, options);
  return {
    verdict: judgeAnswer(alert.kind, outcome, options.system.now()),
    httpStatus: outcome.ok ? outcome.status : null,
    reply: null,
  };
}

async function post(
  { alert, notice }: DueDelivery,
  { kind, ...content }: Content & { readonly kind: WebhookKind },
  signal: AbortSignal,
  { system, alertSealer, render = renderMessage, baseUrl }: AlertDelivererOptions,
): Promise<FetchOutcome> {
  try {
    const { url, ...secrets } = openTarget(alertSealer, alert);
    const told = { ...content, ...secrets, baseUrl: baseUrl(), now: system.now() };
    const request = render(kind, { ...told, ...(notice !== null && { notice }) });
    return await postToReceiver(system, { url, ...request }, signal);
  } catch (error) {
    // Our bug. Counts as a failed try, so that it is not retried forever.
    system.log.error("alert rendering failed", { alert: alert.id }, error);
    return { ok: false, failure: "unreachable", problem: internal };
  }
}

const internal = "Internal error. See the server's log.";

async function sendByMail(
  { alert, rows, eventIds, notice }: DueDelivery,
  content: Content,
  signal: AbortSignal,
  options: AlertDelivererOptions,
): Promise<MailOutcome> {
  const { store, system, mailer, baseUrl } = options;
  const scope = inWorkspace(store.read, alert.workspace_id);
  const missing = mailer.missing();
  if (missing.length > 0) return failed(toMissingWords(missing));
  const address = await readAlertAddress(scope, alert.address_id ?? "");
  // It unsubscribed a moment ago. Its alerts are off, and the next poll drops this.
  if (address?.state !== "confirmed") return failed("The address has not confirmed.");
  try {
    const unsubscribeUrl = toUnsubscribeUrl(address.id, options);
    const workspace = await readWorkspaceName(scope);
    const mail = renderAlertEmail(
      { ...content, ...(notice !== null && { notice }) },
      { baseUrl: baseUrl(), alert, workspace, unsubscribeUrl },
    );
    const messageKey = rows[0]?.id ?? eventIds[0] ?? alert.id;
    const outgoing = { ...mail, addressId: address.id, to: address.address, messageKey, unsubscribeUrl };
    const deadline = AbortSignal.timeout(mailDeadlineMs);
    const outcome = await mailer.send(scope, outgoing, AbortSignal.any([signal, deadline]));
    return outcome.ok || !outcome.isHardBounce
      ? outcome
      : { ...outcome, problem: toBounceWords(address.address, outcome.problem) };
  } catch (error) {
    system.log.error("alert email failed", { alert: alert.id }, error);
    return failed(internal);
  }
}

function failed(problem: string): MailOutcome {
  return { ok: false, problem, reply: null, isHardBounce: false };
}

function judgeMail(outcome: MailOutcome): Sent {
  const { reply } = outcome;
  if (outcome.ok) return { verdict: { means: "delivered" }, httpStatus: null, reply };
  const { problem, isHardBounce } = outcome;
  const verdict: Verdict = isHardBounce ? { means: "gone", problem } : { means: "failed", problem, holdUntil: null };
  return { verdict, httpStatus: null, reply };
}
