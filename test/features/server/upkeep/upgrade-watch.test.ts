// What people and mail servers get while the database is upgraded.

import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { isOpen } from "../../../../scripts/ports.ts";
import { createUpgradeWatch } from "../../../../src/features/server/upkeep/upgrade-watch.ts";
import type { UpgradePlan, UpgradeWatch } from "../../../../src/platform/database/migrations/upgrade.ts";
import { createSelfSigned } from "../../../../src/platform/system/self-signed.ts";
import { temporaryFolder } from "../../../platform/database/temporary.ts";
import { testSystem } from "../../../test-system.ts";

const plan: UpgradePlan = {
  steps: [
    { name: "copy", expectedMs: 2_000 },
    { name: "0099-later", expectedMs: 130_000 },
  ],
  expectedMs: 132_000,
  tests: 1_000_000,
};

let watch: UpgradeWatch;
afterEach(() => watch.end(true));

async function begin(config: Partial<Parameters<typeof createUpgradeWatch>[0]> = {}) {
  const system = testSystem();
  const listen = { httpHost: "127.0.0.1", httpPort: 0, smtpListen: [{ host: "127.0.0.1", port: 0 }] };
  watch = createUpgradeWatch(
    { ...listen, httpTlsCert: null, httpTlsKey: null, smtpHostname: "mx.example", ...config },
    system,
  );
  await watch.begin(plan);
  const told = system.logged.find(({ message }) => message.startsWith("ports answer"));
  return { logged: system.logged, http: Number(told?.fields.http), smtp: Number(told?.fields.smtp) };
}

async function greeting(port: number): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let said = "";
  socket.on("data", (chunk: Buffer) => {
    said += chunk;
  });
  await once(socket, "close");
  return said;
}

test("during an upgrade, a browser gets a page, an API client a 503 with Retry-After, and a mail server a 421", async () => {
  const { http, smtp } = await begin();
  const base = `http://127.0.0.1:${http}`;
  const answer = await fetch(`${base}/api/tests`, { method: "POST", body: "{}" });
  expect(answer.status).toBe(503);
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(60);
  expect(await answer.json()).toEqual({
    error: "overloaded",
    message: "Assay is being upgraded. It will be back in about 3 minutes.",
  });
  const page = await fetch(`${base}/tests?<b>`, { headers: { accept: "text/html" } });
  expect(page.status).toBe(503);
  expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(await page.text()).toContain("<h1>Assay is being upgraded</h1>");
  expect(await greeting(smtp)).toBe("421 4.3.2 mx.example Assay is being upgraded. Try again in a few minutes.\r\n");
});

test("during an upgrade, the server is alive but not ready", async () => {
  const { http } = await begin();
  const alive = await fetch(`http://127.0.0.1:${http}/healthz`);
  expect([alive.status, await alive.json()]).toEqual([200, { status: "ok" }]);
  expect((await fetch(`http://127.0.0.1:${http}/readyz`)).status).toBe(503);
});

test("the log names each upgrade step and its expected duration, and both ports are free at the end", async () => {
  const { logged, http, smtp } = await begin();
  watch.step("0099-later");
  watch.step("of another process");
  expect(logged.filter(({ message }) => message === "upgrade step").map(({ fields }) => fields)).toEqual([
    { step: "0099-later", of: "2/2", expected: "about 3 minutes" },
  ]);
  await watch.end(true);
  expect(logged.at(-1)).toMatchObject({ level: "info", message: "the database was upgraded" });
  expect([await isOpen(http), await isOpen(smtp)]).toEqual([false, false]);
});

test("with a certificate, upgrade responses use HTTPS, and with an unreadable one there are none", async () => {
  const folder = temporaryFolder();
  const { cert, key } = createSelfSigned(["localhost"], testSystem().now());
  const files = { httpTlsCert: join(folder, "cert.pem"), httpTlsKey: join(folder, "key.pem") };
  writeFileSync(files.httpTlsCert, cert);
  writeFileSync(files.httpTlsKey, key);
  const { http } = await begin(files);
  await expect(fetch(`http://127.0.0.1:${http}/`)).rejects.toThrow();
  await watch.end(true);
  const broken = await begin({ ...files, httpTlsKey: join(folder, "gone.pem") });
  expect(broken.http).toBe(0);
});

test("a failed upgrade is not reported as completed", async () => {
  const { logged } = await begin();
  await watch.end(false);
  expect(logged.at(-1)).toMatchObject({ level: "error", message: expect.stringContaining("failed") });
});
