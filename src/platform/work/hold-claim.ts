import type { Store } from "../database/store.ts";
import type { System } from "../system/system.ts";
import { extendClaim, type Ticket } from "./claims.ts";

type Held = {
  readonly store: Pick<Store, "writeRelaxed">;
  readonly system: Pick<System, "now">;
  readonly leaseMs: number;
};

/** Extends a claim while `work` runs. On a busy machine it may take longer than any lease that ends soon after a crash. */
export async function holdClaim<T>(
  table: Parameters<typeof extendClaim>[1],
  ticket: Ticket,
  { store, system, leaseMs }: Held,
  work: () => Promise<T>,
): Promise<T> {
  const extend = () => store.writeRelaxed((db) => extendClaim(db, table, ticket, system.now() + leaseMs));
  // A failing database is reported by the loop that claimed.
  const extending = setInterval(() => void extend().catch(() => {}), leaseMs / 3).unref();
  return await work().finally(() => clearInterval(extending));
}
