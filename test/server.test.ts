import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findFreePorts, isOpen } from "../scripts/ports.ts";
import { openInstallation } from "../src/features/server/installation.ts";
import { readConfig } from "../src/platform/settings/config-reading.ts";
import { createSystem } from "../src/platform/system/real.ts";
import { createApp } from "../src/server.ts";

test.each(["web", "mail"])("a server whose %s port is in use closes the mail port that it opened", async (taken) => {
  const folder = mkdtempSync(join(tmpdir(), "assay-server-"));
  const [web = 0, mail = 0, second = 0] = await findFreePorts(3);
  const other = createServer().listen(taken === "web" ? web : second, "127.0.0.1");
  const reading = readConfig({
    ASSAY_DATA_DIR: folder,
    ASSAY_HTTP_PORT: `${web}`,
    ASSAY_SMTP_LISTEN: `127.0.0.1:${mail},127.0.0.1:${second}`,
  });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  const system = createSystem(reading.config, { write() {}, format: "text", level: "error" });
  try {
    await expect(createApp(reading.config, system).start()).rejects.toThrow("it is in use");
    expect(await isOpen(mail)).toBe(false);
  } finally {
    other.close();
    await system.close();
    rmSync(folder, { recursive: true });
  }
});

test("a server whose saved mail ports are not all free opens the others", async () => {
  const folder = mkdtempSync(join(tmpdir(), "assay-server-"));
  const [web = 0, mail = 0, second = 0] = await findFreePorts(3);
  const other = createServer().listen(second, "127.0.0.1");
  const reading = readConfig({ ASSAY_DATA_DIR: folder, ASSAY_HTTP_PORT: `${web}` });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  const system = createSystem(reading.config, { write() {}, format: "text", level: "error" });
  const app = createApp(reading.config, system);
  try {
    const { store, serverSettings } = await openInstallation(reading.config, system, []);
    await serverSettings.change("smtpListen", `127.0.0.1:${second},127.0.0.1:${mail}`);
    await store.close();
    expect((await app.start()).smtp).toEqual([`127.0.0.1:${mail}`]);
  } finally {
    other.close();
    await app.stop();
    await system.close();
    rmSync(folder, { recursive: true });
  }
});
