// The lists that are on, as people see them.

import { findListRow } from "../../../analyzer/dns/dnsbl.ts";
import type { Server } from "../../../platform/server.ts";
import { countByKind } from "../rows.ts";
import { perHourOf, toTurn } from "../rules/lists.ts";
import { toProblem } from "../words.ts";
import { readWatchedLists } from "./watch.ts";

export type ShownList = {
  readonly zone: string;
  readonly list: string;
  readonly problem: string | null;
  readonly perHour: number;
  readonly lastHour: number;
  readonly everyHours: number;
};

export async function listWatched({
  store,
  config,
  system,
}: Pick<Server, "store" | "config" | "system">): Promise<readonly ShownList[]> {
  const now = system.now();
  const watched = await readWatchedLists(store.read);
  const counts = await countByKind(store.read, now);
  return config.dnsbls.flatMap(({ zone }) => {
    const row = findListRow(zone);
    if (row?.kind === "allow") return [];
    const { why = null, hour = 0, asked = 0, askedBefore = 0 } = watched[zone] ?? {};
    const perHour = perHourOf(zone);
    const most = row?.kind === "domain" ? counts.domain : Math.max(counts.ipv4, row?.ipv6 === false ? 0 : counts.ipv6);
    const passed = Math.floor(now / 3_600_000) - hour;
    return {
      zone,
      list: row?.name ?? zone,
      problem: toProblem(why),
      perHour,
      lastHour: passed === 0 ? askedBefore : passed === 1 ? asked : 0,
      everyHours: toTurn(most, perHour),
    };
  });
}
