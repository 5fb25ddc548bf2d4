// Our listener and store without the analysis, built from the product's own parts.
// Usage: node scripts/bench/durable-listener.ts <data directory> [how many messages may share one flush]

import { join } from "node:path";
import { createSqliteIntake } from "../../src/features/intake/rows/intake.ts";
import { createSmtpListener } from "../../src/features/intake/smtp/listener.ts";
import { receiveMessage } from "../../src/features/intake/work/receive-message.ts";
import { createRouter } from "../../src/features/intake/work/route-recipient.ts";
import { collectWithoutHelpers } from "../../src/features/server/command/serve.ts";
import { openInstallation, prepareDataDirectory } from "../../src/features/server/installation.ts";
import { keepUndoInMemory, openWriter } from "../../src/platform/database/sqlite.ts";
import { readConfig } from "../../src/platform/settings/config-reading.ts";
import { createSystem } from "../../src/platform/system/real.ts";
import { createSelfSigned } from "../../src/platform/system/self-signed.ts";

collectWithoutHelpers(); // like the product
const [dataDir = "", maxTogether = "256"] = process.argv.slice(2);
const reading = readConfig({ ...process.env, ASSAY_DATA_DIR: dataDir });
if (!reading.ok) throw new Error(reading.problems.map(({ name, problem }) => `${name} ${problem}`).join("; "));
const { config } = reading;
const system = createSystem(config, {
  write: (line) => process.stderr.write(line),
  format: "json",
  colour: false,
  level: "warn",
});
await prepareDataDirectory(dataDir);
const { store, seedAddress } = await openInstallation(config, system, []);
// A second writer next to the store's own, so that the number of writes that share a flush can be set.
const { group, database } = openWriter(join(dataDir, "assay.db"), undefined, {
  random: system.random,
  lockTries: 100,
  maxTogether: Number(maxTogether),
});
keepUndoInMemory(database);
const intake = createSqliteIntake(group);
const listener = createSmtpListener({
  config,
  hostname: "seed.example",
  log: system.log,
  now: system.now,
  tls: createSelfSigned(["seed.example"], system.now()),
  hasRoom: async () => true,
  route: createRouter({ db: store.read, config, catchAll: null, now: system.now }),
  rehearsals: null,
  receive: async (message) => void (await receiveMessage(message, intake, system)),
});
const [address] = await listener.listenOn(config.smtpListen);
console.log(JSON.stringify({ port: address?.port, recipient: seedAddress }));
