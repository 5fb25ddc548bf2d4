// Three processes on one PostgreSQL behind HAProxy, a webhook's receiver, and a look into the database.

import pg from "pg";
import { type Receiver, startReceiver } from "../alert-receivers.ts";
import { type Cluster, startCluster } from "../scale/cluster.ts";

export type ClusterWorld = { readonly cluster: Cluster; readonly receiver: Receiver; readonly database: pg.Client };

type Terms = { readonly command?: readonly string[]; readonly environment?: Readonly<Record<string, string>> };

/** Ends all of it after the work. */
export async function onCluster<T>(
  { command, environment }: Terms,
  work: (world: ClusterWorld) => Promise<T>,
): Promise<T> {
  const cluster = await startCluster({
    size: 3,
    database: "postgres",
    ...(command && { command }),
    // More time for each message, because three processes share the cores of one machine.
    environment: { ASSAY_ALLOW_PRIVATE_TARGETS: "127.0.0.0/8", ASSAY_ANALYSIS_BUDGET_MS: "20000", ...environment },
  });
  const receiver = await startReceiver((response) => response.writeHead(200).end());
  const database = new pg.Client({ connectionString: cluster.databaseUrl ?? "" });
  await database.connect();
  try {
    return await work({ cluster, receiver, database });
  } finally {
    await database.end();
    receiver.close();
    await cluster.stop();
  }
}
