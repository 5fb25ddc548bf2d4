import type { Log, LogFields } from "../../src/platform/system/log.ts";

export type LogLine = {
  readonly level: string;
  readonly message: string;
  readonly fields: LogFields;
  readonly cause?: unknown;
};

/** Keeps what is logged, for tests to look at. */
export function createListLog(lines: LogLine[]): Log {
  const at =
    (level: string) =>
    (message: string, fields: LogFields = {}, cause?: unknown) => {
      lines.push({ level, message, fields, cause });
    };
  const log: Log = { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error"), with: () => log };
  return log;
}
