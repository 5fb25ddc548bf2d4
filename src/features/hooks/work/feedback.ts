// Stores what a provider reports: a row for each bounce and complaint, and the day's counts. An event counts once, however
// often the provider sends it.

import { createHash } from "node:crypto";
import type { Db } from "../../../platform/database/schema.ts";
import { inWorkspace, type Scope } from "../../../platform/database/scope.ts";
import type { Store } from "../../../platform/database/store.ts";
import { createId } from "../../../platform/ids.ts";
import type { Feature } from "../../../platform/server.ts";
import type { System } from "../../../platform/system/system.ts";
import { raiseAlert } from "../../alerts/work/raise.ts";
import { startOfDay } from "../../feedback/rules/problem.ts";
import type { FeedbackProvider } from "../../feedback/rules/providers.ts";
import { noteHookFeedback } from "../../feedback/work/note-feedback.ts";
import { findTestByMessageId } from "../../tests/rows/message-ids.ts";
import type { BouncesTable } from "../../tests/tables.ts";
import { noteBounce, toBounce, toNoticeColumns } from "../../tests/work/record-non-test.ts";
import { addVolume, findSendByMessageId, insertReported } from "../rows/feedback.ts";
import { countTaken, isRemembered, rememberEvents } from "../rows/hooks.ts";
import type { FeedbackEvent } from "../rules/hook.ts";
import { hookProviderTable } from "../rules/providers.ts";
import type { IncomingHooksTable } from "../tables.ts";

export type TakenFeedback = { readonly received: number; readonly repeated: number };

type Reported = { readonly events: readonly FeedbackEvent[]; readonly isSigned: boolean; readonly requestId: string };

type Terms = {
  readonly store: Pick<Store, "read" | "write">;
  readonly features: readonly Feature[];
  readonly system: Pick<System, "now" | "random">;
};

/** Few enough that other writes don't wait for long. */
const eventsPerWrite = 100;
const dayMs = 86_400_000;
/** Providers retry for a day. An older event, or one from the future, counts as today's. */
const oldestMs = 3 * dayMs;

export async function takeFeedback(
  hook: IncomingHooksTable,
  { events, isSigned, requestId }: Reported,
  terms: Terms,
): Promise<TakenFeedback> {
  const { store, system } = terms;
  const now = system.now();
  const name = `request ${requestId}`;
  const isRepeated = requestId !== "" && (await isRemembered(store.read, hook.id, toKey(name)));
  let received = 0;
  for (let start = 0; start === 0 || start < events.length; start += eventsPerWrite) {
    const some = events.slice(start, start + eventsPerWrite);
    received += await store.write(async (db) => {
      // Remembered with the last events, so that a request that failed before them is taken to its end when it comes again.
      // Of two equal requests at the same time, only one gets past this with its last events. The others have IDs.
      const isLast = start + eventsPerWrite >= events.length;
      const isNew = !isRepeated && (requestId === "" || !isLast || (await remember(db, hook, [name], now)));
      const fresh = isNew ? await pickNew(db, hook, some, now) : [];
      await storeEvents(db, { ...hook, isSigned }, fresh, terms);
      const counts = { now, received: fresh.length, repeated: some.length - fresh.length };
      await countTaken(db, hook.id, counts);
      return fresh.length;
    });
  }
  return { received, repeated: events.length - received };
}

/** Whether none of them was taken before. */
export async function remember(
  db: Db,
  { id }: Pick<IncomingHooksTable, "id">,
  names: readonly string[],
  now: number,
): Promise<boolean> {
  return (await rememberEvents(db, id, names.map(toKey), now)).size === names.length;
}

async function pickNew(
  db: Db,
  { id }: IncomingHooksTable,
  events: readonly FeedbackEvent[],
  now: number,
): Promise<FeedbackEvent[]> {
  const byKey = new Map(events.map((event) => [toKey(`event ${event.id}`), event]));
  const fresh = await rememberEvents(db, id, [...byKey.keys()], now);
  return [...byKey].flatMap(([key, event]) => (fresh.has(key) ? [event] : []));
}

/** Short, and the same length for any ID. */
export function toKey(name: string | Uint8Array): string {
  return createHash("sha256").update(name).digest("base64url").slice(0, 27);
}

type Source = IncomingHooksTable & { readonly isSigned: boolean };

async function storeEvents(
  db: Db,
  source: Source,
  events: readonly FeedbackEvent[],
  terms: Pick<Terms, "features" | "system">,
): Promise<void> {
  const scope = inWorkspace(db, source.workspace_id);
  const now = terms.system.now();
  const reported: Reporting[] = [];
  for (const event of events) {
    const { kind, notice, count } = event;
    if (notice === null || kind === "delivered") continue;
    const id = await report(db, scope, source, { kind, notice }, terms);
    const about = { id, kind, notice, count, at: toPlausible(event, now), domain: domainOf(event, source) };
    const by = { workspaceId: source.workspace_id, reporter: hookProviderTable[source.provider].label };
    reported.push({ ...about, ...by, authenticated: source.isSigned });
  }
  if (source.isSigned) await noteHookFeedback(db, reported, now);
  for (const volume of toVolumes(source, events, now)) await addVolume(scope, volume);
}

type Reporting = Parameters<typeof noteHookFeedback>[1][number];

/** Returns the ID of its row. */
async function report(
  db: Db,
  scope: Scope,
  source: Source,
  { kind, notice }: Pick<Reporting, "kind" | "notice">,
  terms: Pick<Terms, "features" | "system">,
): Promise<string> {
  const { system } = terms;
  const columns = toNoticeColumns(notice);
  const { original_message_id: messageId } = columns;
  const about = messageId === null ? undefined : await findTestByMessageId(scope, messageId);
  const receivedAt = system.now();
  const row: BouncesTable = {
    id: createId("bounce", receivedAt, system.random(16)),
    workspace_id: source.workspace_id,
    test_id: null,
    hook_id: source.id,
    provider: source.provider as FeedbackProvider,
    kind,
    received_at: receivedAt,
    authenticated: source.isSigned ? 1 : 0,
    send_id: messageId === null ? null : await findSendByMessageId(scope, messageId),
    related_test_id: about?.id ?? null,
    ...columns,
  };
  await insertReported(scope, row);
  if (source.isSigned) await noteBounce(db, row, terms);
  await raiseAlert(
    scope,
    { type: "email.bounce_complaint", data: { bounce: toBounce(row, hookProviderTable[source.provider].label) } },
    system,
  );
  return row.id;
}

function domainOf({ domain }: FeedbackEvent, { domain: usual }: Source): string | null {
  return domain ?? usual;
}

function toPlausible({ at }: FeedbackEvent, now: number): number {
  return at !== null && at > now - oldestMs && at <= now ? at : now;
}

const counted = { delivered: "delivered", bounce: "bounced", complaint: "complained" } as const;

function toVolumes(source: Source, events: readonly FeedbackEvent[], now: number) {
  const provider = source.provider as FeedbackProvider;
  const sums = new Map<string, Parameters<typeof addVolume>[1]>();
  for (const event of events) {
    const { kind, count } = event;
    const domain = domainOf(event, source) ?? "";
    const day = startOfDay(toPlausible(event, now));
    const key = `${day} ${domain}`;
    const none = { delivered: 0, bounced: 0, complained: 0 };
    const sum = sums.get(key) ?? { provider, domain, day, ...none };
    sums.set(key, { ...sum, [counted[kind]]: sum[counted[kind]] + count });
  }
  return [...sums.values()];
}
