import type { Secrets } from "../../../platform/database/engine/sealed-rows.ts";
import { removeSessionsOfOthers } from "../rows.ts";
import { idTokenPlace, refreshTokenPlace } from "./session-secrets.ts";
import { loginSealing } from "./tickets.ts";

export const loginSecrets: Secrets = {
  name: "sessions",
  tables: [
    {
      table: "session_logins",
      purpose: loginSealing,
      columns: {
        refresh_token: ({ id }) => refreshTokenPlace(String(id)),
        id_token: ({ id }) => idTokenPlace(String(id)),
      },
      without: () => null,
    },
  ],
  // They can't be checked at their issuer any more.
  beforeLoss: (db) => removeSessionsOfOthers(db, []),
};
