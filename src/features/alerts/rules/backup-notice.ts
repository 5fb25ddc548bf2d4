// Says that scheduled backups fail, or work again, or that only a backup helps.

import type { BackupData } from "./alert-event.ts";
import type { ChatNotice } from "./chat-notice.ts";
import { toSentence } from "./notice-text.ts";

const titles = {
  failing: "The server’s backup failed",
  working: "The server’s backups work again",
  damaged: "The server’s database is damaged",
};
const advice = {
  failing: "Check the place in ASSAY_BACKUP_TO and the free disk space, or run assay backup.",
  working: "",
  damaged: "Stop Assay, restore your newest backup with assay restore, and start it again.",
};

export function backupNotice({ state, problem, lastGoodAt, nextTryAt }: BackupData): ChatNotice {
  const last = lastGoodAt === null ? "There is no verified backup." : `Last verified backup: ${toTime(lastGoodAt)}.`;
  const trouble = problem === null ? [] : [toSentence(problem)];
  const next = state === "failing" ? [`The next try is at ${toTime(nextTryAt)}.`] : [];
  return {
    title: titles[state],
    tone: state === "working" ? "better" : "worse",
    says: [...trouble, last, ...next],
    quotes: [],
    advice: advice[state],
    short: trouble[0] ?? last,
    path: "/settings/server-check",
  };
}

/** As in "2026-11-21 06:19 UTC". */
function toTime(timestamp: string): string {
  return `${timestamp.slice(0, 16).replace("T", " ")} UTC`;
}
