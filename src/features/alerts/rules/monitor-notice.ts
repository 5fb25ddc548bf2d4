// Describes a monitor that went down or is up again.

import type { MonitorData } from "./alert-event.ts";
import type { ChatNotice } from "./chat-notice.ts";
import { toName, toSentence, toTime } from "./notice-text.ts";

export function monitorNotice({ monitor, state, reason, lastOkAt }: MonitorData): ChatNotice {
  const isDown = state === "down";
  const says = toSentence(reason.says);
  const last = lastOkAt === null ? "It has not been OK before." : `Last OK: ${toTime(lastOkAt)}.`;
  return {
    title: `${kindNames[monitor.kind]} “${toName(monitor.name)}” is ${isDown ? "down" : "up again"}`,
    tone: isDown ? "worse" : "better",
    says: [says, ...(isDown ? [last] : [])],
    quotes: [],
    advice: isDown ? advice[monitor.kind] : "",
    short: says,
    path: `/monitors/${encodeURIComponent(monitor.id)}`,
  };
}

/** Otherwise "Backup is down" reads as if the backup were. */
const kindNames = { canary: "Canary", expected: "Expected mail" } as const;

const advice: Readonly<Record<MonitorData["monitor"]["kind"], string>> = {
  canary: "Check the relay and the path to this server.",
  expected: "Check whether the job that sends this mail ran, and whether its mail left.",
};
