// Every event with what its message says, where it leads, and which events are about the same incident. A new event needs
// a row here, its words and data in alert-event.ts, and a place that raises it.

import type { AlertEvent, AlertEventType, KeptEvent } from "./alert-event.ts";
import {
  backupNotice,
  bounceNotice,
  type ChatNotice,
  driftNotice,
  feedbackNotice,
  listedNotice,
  monitorNotice,
  tokenNotice,
} from "./chat-notice.ts";
import { analyzedNotice, lowScoreNotice, streamNotice } from "./test-notices.ts";

type EventRow<Data> = {
  /** The words of the link to its page. */
  readonly opens: string;
  /** Methods, so that a row of one event is a row of any event. */
  notice(data: Data, kept: KeptEvent): ChatNotice;
  /** What it is about. Services that know incidents have one for each. */
  incident(data: Data): string;
  /** Ends the incident. */
  isOver?(data: Data): boolean;
  /** Affects more than one message. */
  readonly isGrave?: true;
};

type EventRows = { readonly [Type in AlertEventType]: EventRow<Extract<AlertEvent, { readonly type: Type }>["data"]> };

export const alertEvents: EventRows = {
  "domain.drift": {
    opens: "Open the domain’s report",
    notice: driftNotice,
    incident: ({ domain }) => domain.id,
    isOver: ({ kind }) => kind === "mended",
    isGrave: true,
  },
  "test.low_score": {
    opens: "Open the test’s report",
    notice: (data, { thresholdScore }) => lowScoreNotice(data, thresholdScore),
    incident: ({ test }) => test.id,
  },
  "stream.moved": {
    opens: "Open the stream",
    notice: streamNotice,
    incident: ({ stream }) => stream.id,
    isOver: ({ points }) => points > 0,
  },
  "email.bounce_complaint": {
    opens: "Open bounces and complaints",
    notice: bounceNotice,
    incident: ({ bounce }) => bounce.id,
  },
  "monitor.changed": {
    opens: "Open the monitor",
    notice: monitorNotice,
    incident: ({ monitor }) => monitor.id,
    isOver: ({ state }) => state === "up",
    isGrave: true,
  },
  "feedback.problem": {
    opens: "Open the domain’s feedback",
    notice: feedbackNotice,
    incident: ({ problem }) => problem.id,
    isOver: ({ problem }) => problem.state === "resolved",
  },
  "address.listed": {
    opens: "Open the address",
    notice: listedNotice,
    incident: ({ address, listing }) => `${address.id} ${listing.zone}`,
    isOver: ({ state }) => state === "delisted",
    isGrave: true,
  },
  "token.expiring": {
    opens: "Open the API tokens",
    notice: (data, { createdAt }) => tokenNotice(data, createdAt),
    incident: ({ token }) => token.id,
  },
  "server.backup": {
    opens: "Open the server check",
    notice: backupNotice,
    incident: ({ state }) => (state === "damaged" ? "damage" : "backup"),
    isOver: ({ state }) => state === "working",
    isGrave: true,
  },
  "test.analyzed": { opens: "Open the test’s report", notice: analyzedNotice, incident: ({ test }) => test.id },
};

export function toChatNotice(kept: KeptEvent): ChatNotice {
  return rowOf(kept).notice(kept.event.data, kept);
}

export function toIncident(kept: KeptEvent): string {
  return rowOf(kept).incident(kept.event.data);
}

export function isOver(kept: KeptEvent): boolean {
  return rowOf(kept).isOver?.(kept.event.data) ?? false;
}

function rowOf({ event }: KeptEvent): EventRow<AlertEvent["data"]> {
  return alertEvents[event.type];
}
