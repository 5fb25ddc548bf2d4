// From the outbox to the receivers. What was in flight when a process was killed is sent again, under the same id. One try
// a webhook at a time, and webhooks whose last try failed have fewer places than the others: however many hang, one that
// works is served at once. No delivery is ever suspect, because sending ends no process: so this is a loop of its own on
// tasks/work-loop.ts, in which what is in flight is a webhook, and each of its turns claims what is due for it.

import type { AlertKind, AlertNotice, Rendered } from "../../alerts/alert-event.ts";
import { giveUpWaiting, listWaitingAlerts, type WaitingAlert } from "../../store/alerts/outbox.ts";
import type { Store } from "../../store/store.ts";
import type { Sealer } from "../../system/secret-key.ts";
import type { System } from "../../system/system.ts";
import type { EventHub } from "../events/hub.ts";
import { createWorkLoop, type WorkLoop } from "../work-loop.ts";
import { type DueDelivery, giveBack, takeDue } from "./take-due.ts";
import { tryDelivery } from "./try-delivery.ts";

export type AlertDelivererOptions = {
  readonly store: Store;
  readonly system: Pick<System, "now" | "random" | "log" | "fetchStranger">;
  /** Of the key for alerts. */
  readonly alertSealer: Sealer;
  readonly render?: (kind: AlertKind, told: AlertNotice) => Rendered;
  /** Where the web app stands. */
  readonly baseUrl: () => string;
  readonly events: Pick<EventHub, "publish">;
  /** Names this process in claims. */
  readonly owner: string;
};

export type AlertDeliverer = Pick<WorkLoop, "start" | "kick" | "stop">;

const lookAgainMs = 1_000;
/** Tries at once, a socket each: of webhooks that work, and of those whose last try failed. */
const places = { working: 192, failing: 64 };
/** Far above the places, so that those in hand hide nobody. */
const mostInLook = 1_000;
/** Of one webhook, as long as it takes what it is sent: then others may have its place. */
const turnsInARow = 20;
/** Webhooks that are switched off, in one look; and what waits for each, in one write. */
const mostGivenUp = 16;
const givenUpAtOnce = 200;

export function createAlertDeliverer(options: AlertDelivererOptions): AlertDeliverer {
  const { store, system } = options;
  const used = { working: 0, failing: 0 };
  const taken = new Set<DueDelivery>();
  const breakOff = new AbortController();
  let isCrowded = false;
  const loop = createWorkLoop({
    look,
    every: lookAgainMs,
    log: system.log,
    words: { trouble: "alerts cannot be looked up", over: "alerts can be looked up again" },
    breakOff: async () => {
      for (const due of taken) await store.write((db) => giveBack(db, due, options));
      breakOff.abort();
    },
  });
  const { stopping } = loop;

  /** False when there was nothing to send, or it failed. */
  async function serveOnce(id: string): Promise<boolean> {
    const due = await takeDue(id, options);
    if (due === undefined) return false;
    taken.add(due);
    return await tryDelivery(due, breakOff.signal, options).finally(() => taken.delete(due));
  }

  async function serve(id: string): Promise<void> {
    for (let turn = 0; turn < turnsInARow && !stopping.aborted; turn++) if (!(await serveOnce(id))) return;
  }

  function begin({ id, failing_since }: WaitingAlert): void {
    const place = failing_since === null ? "working" : "failing";
    if (loop.find(id)) return;
    if (used[place] >= places[place]) {
      isCrowded = true;
      return;
    }
    used[place] += 1;
    const work = () =>
      serve(id).catch((error: unknown) =>
        system.log.error("an alert could not be delivered", { alert: id }, error),
      );
    void loop.begin(id, work, () => {
      used[place] -= 1;
      if (isCrowded) loop.kick();
    });
  }

  async function look(): Promise<void> {
    isCrowded = false;
    const now = system.now();
    const waiting = await listWaitingAlerts(store.read, now, mostInLook);
    if (stopping.aborted) return;
    const switchedOff = waiting.filter(({ enabled }) => enabled === 0);
    for (const alert of waiting) if (alert.enabled === 1) begin(alert);
    // After those that can be told something, and not one after the other.
    await Promise.all(switchedOff.slice(0, mostGivenUp).map((alert) => giveUp(alert, now, options)));
    if (switchedOff.length > mostGivenUp) loop.kick();
  }

  return loop;
}

/** A part of what waits for a webhook that is switched off; the next look finds more. */
async function giveUp(
  { id: alertId, workspace_id, disabled_because }: WaitingAlert,
  now: number,
  { store, events }: AlertDelivererOptions,
): Promise<void> {
  const problem = disabled_because ?? "The webhook was switched off before this was sent.";
  const ids = await store.write((db) => giveUpWaiting(db, alertId, { problem, now, limit: givenUpAtOnce }));
  for (const id of ids) events.publish(workspace_id, { type: "alert.delivery", id, alertId, status: "dead" });
}
