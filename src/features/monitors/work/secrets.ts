import type { Secrets } from "../../../platform/database/engine/sealed-rows.ts";
import { lostUrl, relaySealing, relayUrlPlace } from "./relays.ts";

export const relaySecrets: Secrets = {
  name: "relays",
  tables: [
    {
      table: "relays",
      purpose: relaySealing,
      columns: { url: ({ id }) => relayUrlPlace(String(id)) },
      without: (row) => ({ ...row, url: lostUrl }),
    },
  ],
  list: async (db) => {
    const rows = await db.selectFrom("relays").select(["id", "name", "url_shown as url"]).orderBy("id").execute();
    return rows.map((shown) => ({ says: `Relay “${shown.name}” (${shown.url}): its URL, with the password`, shown }));
  },
};
