// Takes the requests of providers: finds the webhook, limits what a request may cost, verifies it, and stores what it
// brings. Every refusal is counted on the webhook and logged without any content of the request.

import { hashSecret, isSecret } from "../../../platform/contract/secrets.ts";
import { overloaded, Refusal, type RefusalCode } from "../../../platform/errors.ts";
import type { Feature } from "../../../platform/server.ts";
import type { Sealer } from "../../../platform/system/secret-key.ts";
import type { System } from "../../../platform/system/system.ts";
import type { Publish } from "../../events/work/hub.ts";
import type { IntakeRoom } from "../../server/readiness/room.ts";
import { countRefused, countTaken, findHook } from "../rows/hooks.ts";
import { type HookContent, type HookProblem, hookProblems, isSame } from "../rules/hook.ts";
import { hookProviderTable } from "../rules/providers.ts";
import type { IncomingHooksTable } from "../tables.ts";
import { takeFeedback } from "./feedback.ts";
import { openHook } from "./hooks.ts";
import { type MailTerms, takeMail } from "./mail.ts";
import { createSnsRequests, type SnsRequests } from "./sns-requests.ts";

type IncomingRequest = {
  readonly clientAddress: string;
  /** `name` in lower case. */
  readonly header: (name: string) => string | null;
  /** Null if the sender did not declare the length. */
  readonly saidBytes: number | null;
  readonly read: (limitBytes: number) => Promise<Uint8Array>;
};

type HookAnswer = { readonly received: number; readonly repeated: number; readonly ignored: number };

/** Throws a Refusal. `key`: the secret in the URL. */
export type ReceiveHook = (key: string, request: IncomingRequest) => Promise<HookAnswer>;

type ReceiverTerms = MailTerms & {
  readonly features: readonly Feature[];
  readonly system: Pick<System, "now" | "random" | "log" | "fetchStranger">;
  readonly sealer: Sealer;
  readonly hasRoom: IntakeRoom;
  readonly maxMessageBytes: number;
  /** Throws if there are too many requests. */
  readonly limitAddress: (address: string) => void;
  readonly limitHook: (id: string) => void;
  readonly onReceived: () => void;
  readonly publish: Publish;
};

const maxInFlight = 24;
/** As for uploads. A single request is always read, whatever size the settings allow. */
const maxBytesInFlight = 134_217_728;

export function createHookReceiver(terms: ReceiverTerms): ReceiveHook {
  const { store, system } = terms;
  const sns = createSnsRequests(system);
  let inFlight = 0;
  let bytesInFlight = 0;
  return async (key, request) => {
    terms.limitAddress(request.clientAddress);
    const hook = isSecret(key) ? await findHook(store.read, hashSecret(key)) : undefined;
    if (hook === undefined) throw new Refusal("not_found", "No incoming webhook has this URL.");
    terms.limitHook(hook.id);
    const limitBytes = toLimit(hook, terms.maxMessageBytes);
    const mostBytes = Math.min(request.saidBytes ?? limitBytes, limitBytes);
    const isFull = inFlight >= maxInFlight || (inFlight > 0 && bytesInFlight + mostBytes > maxBytesInFlight);
    if (isFull) throw overloaded("Too many webhooks are being received");
    inFlight += 1;
    bytesInFlight += mostBytes;
    try {
      if (!(await terms.hasRoom(hook.workspace_id))) throw overloaded("The backlog is full or disk space is low");
      return await receive(hook, request, limitBytes, { ...terms, sns });
    } finally {
      inFlight -= 1;
      bytesInFlight -= mostBytes;
    }
  };
}

type Receiving = ReceiverTerms & { readonly sns: SnsRequests };

async function receive(
  hook: IncomingHooksTable,
  { header, read }: IncomingRequest,
  limitBytes: number,
  terms: Receiving,
): Promise<HookAnswer> {
  const { signingKey, authorization, isLost } = openHook(terms.sealer, hook);
  if (isLost) throw await refused(hook, "lost", terms);
  if (authorization !== null && !isSame(header("authorization") ?? "", authorization))
    throw await refused(hook, "wrong_password", terms);
  const body = await read(limitBytes).catch(async (cause: unknown) => {
    const isTooLarge = cause instanceof Refusal && cause.code === "payload_too_large";
    throw isTooLarge ? await refused(hook, "too_large", terms) : cause;
  });
  const reading = await hookProviderTable[hook.provider].read(
    {
      purpose: hook.purpose,
      body: Buffer.from(body.buffer, body.byteOffset, body.byteLength),
      contentType: header("content-type") ?? "",
      header,
      nowMs: terms.system.now(),
      signingKey,
      topicArn: hook.topic_arn,
    },
    terms.sns,
  );
  if (!reading.ok) throw await refused(hook, reading.problem, terms);
  const { content, isSigned, requestId } = reading;
  const answer = await take(hook, content, { isSigned, requestId }, terms);
  terms.publish(hook.workspace_id, { type: "incoming-hook.received", id: hook.id });
  return answer;
}

type Proof = { readonly isSigned: boolean; readonly requestId: string };

async function take(
  hook: IncomingHooksTable,
  content: HookContent,
  { isSigned, requestId }: Proof,
  terms: Receiving,
): Promise<HookAnswer> {
  const { store, system, sns } = terms;
  if (content.kind === "confirmation") {
    if (!(await sns.confirm(content.url))) throw await refused(hook, "not_confirmed", terms);
    const now = system.now();
    await store.write((db) => countTaken(db, hook.id, { now, received: 0, repeated: 0 }));
    system.log.info("subscription of an incoming webhook confirmed", { hook: hook.id });
    return { received: 0, repeated: 0, ignored: 1 };
  }
  if (content.kind === "feedback") {
    const { events, ignored } = content;
    return { ...(await takeFeedback(hook, { events, isSigned, requestId }, terms)), ignored };
  }
  const { mail } = content;
  if (mail.raw.length === 0) throw await refused(hook, "not_raw", terms);
  if (mail.raw.length > terms.maxMessageBytes) throw await refused(hook, "too_large", terms);
  const taken = await takeMail(hook, mail, requestId, terms).catch(async (cause: unknown) => {
    const isOverPlan = cause instanceof Refusal && cause.code === "plan_limit";
    throw isOverPlan ? await refused(hook, "plan_limit", terms) : cause;
  });
  if (taken === null) throw await refused(hook, "no_recipient", terms);
  if (taken.received > 0) terms.onReceived();
  return { ...taken, ignored: 0 };
}

const mebibyte = 1_048_576;

function toLimit({ purpose, provider }: IncomingHooksTable, maxMessageBytes: number): number {
  const { mail } = hookProviderTable[provider];
  return purpose === "feedback" ? 4 * mebibyte : (mail?.growth ?? 0) * maxMessageBytes + mebibyte;
}

const codes: Readonly<Partial<Record<HookProblem, RefusalCode>>> = {
  bad_signature: "forbidden",
  no_signature: "forbidden",
  too_old: "forbidden",
  wrong_password: "forbidden",
  wrong_topic: "forbidden",
  no_key: "conflict",
  lost: "conflict",
  no_certificate: "overloaded",
  not_confirmed: "overloaded",
  wrong_type: "unsupported_media_type",
  too_many: "payload_too_large",
  too_large: "payload_too_large",
  plan_limit: "plan_limit",
};

/** Counts it. Returns what to throw. */
async function refused(hook: IncomingHooksTable, problem: HookProblem, terms: Receiving): Promise<Refusal> {
  const { store, system } = terms;
  const { id, provider, workspace_id } = hook;
  system.log.warn("incoming webhook refused", { hook: id, workspace: workspace_id, provider, problem });
  await store.write((db) => countRefused(db, id, { now: system.now(), problem }));
  const code = codes[problem] ?? "invalid_request";
  const details = code === "overloaded" ? { retryAfterSeconds: 60 } : {};
  return new Refusal(code, hookProblems[problem], details);
}
