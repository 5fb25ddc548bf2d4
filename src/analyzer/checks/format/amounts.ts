// Formats sizes, dates and counts for sentences.

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

/** `102,000`. Not toLocaleString, which is slow because it loads locale rules on each call. */
export function toCount(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3}){1,6}$)/g, ",");
}
