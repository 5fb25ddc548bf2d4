import { readSeedList, readSeedListText } from "../api/seed-list.ts";
import { createBodyToken, listSeedAddresses } from "../tasks/seed-list.ts";
import { type Route, route } from "./route.ts";

export const seedListRoutes: readonly Route[] = [
  route(readSeedList, async ({ store }, { system }) => ({
    items: await listSeedAddresses(store.read),
    token: createBodyToken(system),
  })),

  route(readSeedListText, async ({ store }) => {
    const seen = (await listSeedAddresses(store.read)).filter(({ status }) => status !== "reconnect");
    const lines = seen.flatMap(({ address }) => (address === null ? [] : [`${address}\n`]));
    return new Response(lines.join(""), { headers: { "content-type": "text/plain; charset=utf-8" } });
  }),
];
