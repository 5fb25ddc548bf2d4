// Own addresses in a workspace with an alert, and lists on a DNS server of our own.

import { expect } from "vitest";
import type { Zone } from "../../../src/analyzer/dns/zone.ts";
import type { ListedData } from "../../../src/features/alerts/rules/alert-event.ts";
import { createWatchChore } from "../../../src/features/own-addresses/work/watch.ts";
import { createDns } from "../../../src/platform/system/dns-client.ts";
import { serveOrThrow } from "../../../src/platform/work/serve-row.ts";
import { type ServedQuery, startDnsServer } from "../../dns-server.ts";
import { startHttpWorld } from "../../http/http-world.ts";

const never = new AbortController().signal;

export const zones = [
  "bl.spamcop.net",
  "zen.spamhaus.org",
  "dbl.spamhaus.org",
  "psbl.surriel.com",
  "bl.blocklist.de",
] as const;
const mapped = `0.0.0.f.7.f.f.f.f.${"0.".repeat(20)}`;
export const v6 = "2001:db8::25";
export const v6Name = `5.2.${"0.".repeat(22)}8.b.d.0.1.0.0.2`;

/** What works, without a listing. */
export const tests: Zone = {
  ...Object.fromEntries(zones.map((zone) => [`2.0.0.127.${zone}`, { A: ["127.0.0.2"] }])),
  [`2.0.0.${mapped}zen.spamhaus.org`]: { A: ["127.0.0.2"] },
  "dbltest.com.dbl.spamhaus.org": { A: ["127.0.1.2"] },
};
export async function openWatched(
  lists: readonly string[],
  behave?: (query: ServedQuery) => { drop: boolean } | undefined,
) {
  const world = await startHttpWorld();
  const server = await startDnsServer({ zone: tests, isClosed: true, ...(behave && { behave }) });
  const dns = createDns({
    servers: [{ host: server.address, port: server.port }],
    // Short only where queries are dropped. Otherwise a busy machine would drop some.
    timeoutMs: behave ? 40 : 2_000,
    totalTimeoutMs: behave ? 60 : 4_000,
    maxCachedAnswers: 0,
    now: world.system.now,
  });
  world.parts.defer(async () => {
    dns.close();
    await server.close();
  });
  const { id: workspace } = await world.createWorkspace("Shop");
  const { token } = await world.issueToken(workspace);
  const asked = { token, workspace };
  const alert = { label: "Ops", kind: "json", url: "https://hooks.example/x", events: ["address.listed"] };
  expect((await world.ask("POST", "/api/alerts", { ...asked, body: alert })).status).toBe(201);
  const dnsbls = lists.map((zone) => ({ zone, asked: zone }));
  Object.assign(world.config, { dnsbls });
  const chore = createWatchChore({ ...world, uncachedDns: dns });
  return {
    ...world,
    server,
    asked,
    add: async (values: readonly string[]) => {
      const answer = await world.ask("POST", "/api/own-addresses", { ...asked, body: { values } });
      expect(answer.status, answer.text).toBe(201);
    },
    run: () => chore.run(never, serveOrThrow),
    list: async (query = "") => (await world.ask("GET", `/api/own-addresses${query}`, asked)).json,
    told: async () => {
      const events = await world.store.read.selectFrom("alert_events").selectAll().orderBy("id").execute();
      return events.map(({ payload, created_at }) => ({ at: created_at, ...(JSON.parse(payload) as ListedData) }));
    },
  };
}
