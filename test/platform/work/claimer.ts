// A process that claims due work for one second, prints what it got, and hangs.

import { openStore, type StoreLocation } from "../../../src/platform/database/open.ts";
import { claimDue } from "../../../src/platform/work/claims.ts";
import { storeSystem } from "../database/store-system.ts";

const location = JSON.parse(process.argv[2] ?? "") as StoreLocation;
const store = await openStore(location, storeSystem());
const lease = { now: Date.now(), owner: `process ${process.pid}`, leaseMs: 1_000, limit: 10 };
for (const { id, attempts } of await store.write((db) => claimDue(db, "tests", lease))) {
  console.log(id, attempts);
}
setInterval(() => {}, 1_000);
