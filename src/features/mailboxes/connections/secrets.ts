import type { Secrets } from "../../../platform/database/engine/sealed-rows.ts";
import { integrationSealing, oauthSecretPlace } from "../oauth/access-tokens.ts";
import { isPasswordProvider } from "../rules/list.ts";
import { mailboxSecretPlace } from "../work/logins.ts";

export const connectionSecrets: Secrets = {
  name: "connections",
  tables: [
    {
      table: "integrations",
      purpose: integrationSealing,
      columns: {
        secret: ({ id, provider }) =>
          isPasswordProvider(String(provider)) ? mailboxSecretPlace(String(id)) : oauthSecretPlace(String(id)),
      },
      without: (row, at) => {
        const problem = "Its login was lost with the server’s secret key. Connect it again.";
        return { ...row, secret: "", status: "reconnect", problem, status_since: at, due_at: null };
      },
    },
  ],
  list: async (db) => {
    const rows = await db.selectFrom("integrations").select(["id", "provider", "account"]).orderBy("id").execute();
    return rows.map((shown) => ({ says: `${shown.provider} ${shown.account}: connect it again`, shown }));
  },
  // A consent that is pending must begin again.
  beforeChange: async (db) => {
    await db.deleteFrom("oauth_states").execute();
  },
};
