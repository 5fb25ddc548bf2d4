// For lines that any client can cause. What is left out is counted, so a flood shows up without filling the disk.

import type { Log, LogFields } from "../../../platform/system/log.ts";

type Sparse = { readonly message: string; readonly most: number; readonly withinMs: number };

/** Logs at most so many lines in that time, then one with the number of those left out. */
export function createSparseLog(log: Log, { message, most, withinMs }: Sparse): (fields: LogFields) => void {
  let logged = 0;
  let leftOut = 0;
  const endPeriod = () => {
    if (leftOut > 0) log.info(`${message}: more lines were left out`, { count: leftOut, withinMs });
    logged = 0;
    leftOut = 0;
  };
  return (fields) => {
    if (logged === 0) setTimeout(endPeriod, withinMs).unref();
    if (logged >= most) return void leftOut++;
    logged++;
    log.info(message, fields);
  };
}
