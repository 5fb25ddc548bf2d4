// Says that scheduled backups fail, or work again, or that only a backup helps.

import type { BackupData } from "./alert-event.ts";
import type { ChatNotice } from "./chat-notice.ts";
import { toSentence } from "./notice-text.ts";

export function backupNotice({ state, problem, lastGoodAt, nextTryAt }: BackupData): ChatNotice {
  const isFailing = state === "failing";
  const last = lastGoodAt === null ? "There is no verified backup." : `Last verified backup: ${toTime(lastGoodAt)}.`;
  if (state === "damaged")
    return {
      title: "The server’s database is damaged",
      tone: "worse",
      says: [toSentence(problem ?? ""), last],
      quotes: [],
      advice: "Stop Assay, restore your newest backup with assay restore, and start it again.",
      short: toSentence(problem ?? ""),
      path: "/doctor",
    };
  return {
    title: isFailing ? "The server’s backup failed" : "The server’s backups work again",
    tone: isFailing ? "worse" : "better",
    says: isFailing ? [toSentence(problem ?? ""), last, `The next try is at ${toTime(nextTryAt)}.`] : [last],
    quotes: [],
    advice: isFailing ? "Check the place in ASSAY_BACKUP_TO and the free disk space, or run assay backup." : "",
    short: isFailing ? toSentence(problem ?? "") : last,
    path: "/doctor",
  };
}

/** As in "2026-11-21 06:19 UTC". */
function toTime(timestamp: string): string {
  return `${timestamp.slice(0, 16).replace("T", " ")} UTC`;
}
