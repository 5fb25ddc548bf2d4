/** Only paths on this server: exactly one slash at the start. */
export function toReturnPath(next: string | null): string {
  return next !== null && /^\/(?![/\\])[^\\\s]*$/.test(next) ? next : "/";
}
