import type { Report } from "../reports/report.ts";

/** Whether every question of authentication was answered, whatever the answers are. */
export function isWhollyChecked({ authentication: { spf, dkim, dmarcResult, arc } }: Report): boolean {
  if (!spf.known || !dkim.known || !dmarcResult.known || !arc.known) return false;
  return [spf.value, dmarcResult.value, arc.value, ...dkim.value.signatures].every(
    ({ result }) => result !== "temperror",
  );
}
