import type { SealedRow, Secrets } from "../../../platform/database/engine/sealed-rows.ts";
import { hookSealing, passwordPlace, signingSecretPlace } from "./hooks.ts";

/** Emptied, but not null: a webhook without a secret would take requests of strangers. */
const emptied = (value: SealedRow[string] | undefined) => (value === null ? null : "");

export const hookSecrets: Secrets = {
  name: "hooks",
  tables: [
    {
      table: "incoming_hooks",
      purpose: hookSealing,
      columns: {
        signing_key: ({ id }) => signingSecretPlace(String(id)),
        password: ({ id }) => passwordPlace(String(id)),
      },
      without: (row, at) => {
        if (row.signing_key === null && row.password === null) return row;
        const empty = { signing_key: emptied(row.signing_key), password: emptied(row.password) };
        return { ...row, ...empty, last_problem: "lost", last_problem_at: at };
      },
    },
  ],
  list: async (db) => {
    const rows = await db
      .selectFrom("incoming_hooks")
      .select(["id", "provider", "label"])
      .where((is) => is.or([is("signing_key", "is not", null), is("password", "is not", null)]))
      .orderBy("id")
      .execute();
    return rows.map((shown) => ({
      says: `Incoming webhook “${shown.label}” (${shown.provider}): its signing key, or create a new URL or secret`,
      shown,
    }));
  },
};
