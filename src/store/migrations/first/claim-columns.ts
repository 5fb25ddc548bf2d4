import type { Words } from "../migration.ts";

export function claimColumns({ text, integer }: Words): string {
  return `due_at ${integer}, claimed_by ${text}, claimed_until ${integer}, attempts ${integer} not null default 0`;
}
