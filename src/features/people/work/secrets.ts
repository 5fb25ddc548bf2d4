import type { Secrets } from "../../../platform/database/engine/sealed-rows.ts";
import { factorSealing, factorSecretPlace } from "./second-factors.ts";

/** Authenticator apps. */
export const factorSecrets: Secrets = {
  name: "apps",
  tables: [
    {
      table: "second_factors",
      purpose: factorSealing,
      columns: { secret: ({ id }) => factorSecretPlace(String(id)) },
      // They stay, because without them a password alone would log in.
      without: (row) => ({ ...row, secret: null }),
    },
  ],
  list: async (db) => {
    const rows = await db
      .selectFrom("second_factors")
      .innerJoin("users", "users.id", "second_factors.user_id")
      .select(["second_factors.name", "users.email"])
      .where("second_factors.secret", "is not", null)
      .orderBy("second_factors.id")
      .execute();
    return rows.map((shown) => ({
      says: `Authenticator app “${shown.name}” of ${shown.email}: log in with a recovery code and add it again`,
      shown,
    }));
  },
};
