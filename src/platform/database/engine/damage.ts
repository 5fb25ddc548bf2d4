// Names a damaged database as the reason, because only a restore helps then.

import { Refusal } from "../../errors.ts";

/** SQLSTATE class XX is "internal error". Only these two say that stored data is damaged (PostgreSQL, appendix A). */
const damageStates: ReadonlySet<unknown> = new Set(["XX001", "XX002"]);

export function isPostgresDamage(error: unknown): error is Error {
  return error instanceof Error && "code" in error && damageStates.has(error.code);
}

export function damagedPostgres({ message }: Error): Refusal {
  return new Refusal(
    "overloaded",
    `The PostgreSQL database is damaged (${message}). Stop Assay, restore your newest backup with assay restore, and start it again. The damaged tables are kept in another schema.`,
    { needsOperator: true, isDamaged: true },
  );
}

export function isDamage(error: unknown): boolean {
  return error instanceof Refusal && error.details.isDamaged === true;
}
