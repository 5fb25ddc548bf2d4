// Sizes, times and dates as a person reads them.

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Whole units, rounded down: `90 minutes`, `30 hours`, `10 days`. */
export function toDuration(durationMs: number): string {
  if (durationMs < 2 * hourMs) return `${Math.floor(durationMs / minuteMs)} minutes`;
  if (durationMs < 3 * dayMs) return `${Math.floor(durationMs / hourMs)} hours`;
  return `${Math.floor(durationMs / dayMs)} days`;
}

export const kilobyte = 1_024;
export const megabyte = 1_048_576;

export function toSize(bytes: number): string {
  return bytes < megabyte
    ? `${(bytes / kilobyte).toFixed(bytes < 100 * kilobyte ? 1 : 0)} KB`
    : `${(bytes / megabyte).toFixed(1)} MB`;
}

/** RFC 5322 §3.3. */
export function toMailDate(at: number): string {
  return new Date(at).toUTCString().replace("GMT", "+0000");
}

/** `102,000`; not toLocaleString, which looks its rules up each time. */
export function toCount(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3}){1,6}$)/g, ",");
}
