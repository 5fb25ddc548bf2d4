import type { Scope } from "./scope.ts";

export type DomainCounts = {
  readonly monitored: number;
  readonly failing: number;
  readonly drifted24h: number;
};

/** No domain can be monitored yet, so that every workspace has none. */
export async function countDomains(_scope: Scope): Promise<DomainCounts> {
  return { monitored: 0, failing: 0, drifted24h: 0 };
}
