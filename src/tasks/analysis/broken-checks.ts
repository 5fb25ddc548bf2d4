// Checks that threw, which is our fault and costs nobody anything: told beside the report.

import type { OnBroken } from "../../checks/run.ts";

export type BrokenCheck = { readonly check: string; readonly why: string };

export function noteBroken(): { readonly broken: readonly BrokenCheck[]; readonly note: OnBroken } {
  const broken: BrokenCheck[] = [];
  return { broken, note: (check, error) => void broken.push({ check, why: stackOf(error) }) };
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
