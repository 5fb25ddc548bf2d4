import type { Secrets } from "../../../platform/database/engine/sealed-rows.ts";
import { signingKeyPlace, signingSealing } from "./signing-keys.ts";

export const signingSecrets: Secrets = {
  name: "signingKeys",
  tables: [
    {
      table: "signing_keys",
      purpose: signingSealing,
      columns: { private_key: ({ id }) => signingKeyPlace(String(id)) },
      // It is nothing but its secret.
      without: () => null,
    },
  ],
  list: async (db) => {
    const query = db.selectFrom("signing_keys").select(["domain", "selector"]);
    const rows = await query.orderBy("domain").orderBy("selector").execute();
    return rows.map((shown) => ({
      says: `DKIM key ${shown.selector} of ${shown.domain}: create a new one, and replace its DNS record`,
      shown,
    }));
  },
};
