import { readSeedList, readSeedListText } from "../api/seed-list.ts";
import { createBodyToken, listSeedAddresses } from "../tasks/seed-list.ts";
import { type Route, route } from "./route.ts";

export const seedListRoutes: readonly Route[] = [
  route(readSeedList, async ({ store }, { system, config }) => ({
    items: await listSeedAddresses(store.read, config.seedDomains),
    token: createBodyToken(system),
  })),

  route(readSeedListText, async ({ store }, { config }) => {
    const seen = (await listSeedAddresses(store.read, config.seedDomains)).filter(
      ({ status }) => status !== "reconnect",
    );
    const lines = seen.flatMap(({ address }) => (address === null ? [] : [`${address}\n`]));
    return new Response(lines.join(""), { headers: { "content-type": "text/plain; charset=utf-8" } });
  }),
];
