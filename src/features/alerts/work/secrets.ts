import type { SealedRow, Secrets } from "../../../platform/database/engine/sealed-rows.ts";
import { alertSealing, alertSecretPlace } from "./targets.ts";

const bindTo = (column: Parameters<typeof alertSecretPlace>[1]) => (row: SealedRow) =>
  alertSecretPlace(String(row.id), column);

export const alertSecrets: Secrets = {
  name: "alerts",
  tables: [
    {
      table: "alerts",
      purpose: alertSealing,
      columns: { url: bindTo("url"), secret: bindTo("secret"), credentials: bindTo("credentials") },
      without: (row) => {
        const empty = { ...row, url: "", secret: null, credentials: null };
        // An email alert's address is in alert_addresses too.
        if (row.kind === "email") return empty;
        const why = "Its URL was lost with the server’s secret key. Enter it again to turn this alert on.";
        return { ...empty, enabled: 0, disabled_because: why };
      },
    },
  ],
  list: async (db) => {
    const rows = await db
      .selectFrom("alerts")
      .select(["id", "label", "kind", "url_shown as url"])
      .where("kind", "!=", "email")
      .orderBy("id")
      .execute();
    return rows.map((shown) => ({ says: `Alert “${shown.label}” (${shown.kind}, ${shown.url}): its URL`, shown }));
  },
};
