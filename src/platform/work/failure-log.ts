// Many jobs that fail for the same reason, as with a damaged table, would fill the disk with log lines.

import type { LogFields } from "../system/log.ts";
import type { System } from "../system/system.ts";

type FailureLog = { readonly failed: (fields: LogFields, error: unknown) => void; readonly worked: () => void };

/** A table that is damaged in one place fails now and then, so one success isn't the end of it. */
const quietMs = 60_000;

/** Logs the first failure and counts the others. Says so once when it works again. */
export function createFailureLog(
  { now, log }: Pick<System, "now" | "log">,
  words: { readonly trouble: string; readonly over: string },
): FailureLog {
  let failures = 0;
  let lastAt = 0;
  return {
    failed: (fields, error) => {
      if (failures === 0) log.error(words.trouble, fields, error);
      failures += 1;
      lastAt = now();
    },
    worked: () => {
      if (failures === 0 || now() - lastAt < quietMs) return;
      log.info(words.over, { failures });
      failures = 0;
    },
  };
}
