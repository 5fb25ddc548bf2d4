// A setting that is changed in the app while mail is analyzed in another thread.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runProgram, startAssay } from "../../scripts/assay-process.ts";
import { sendMail } from "../../scripts/smtp-client.ts";
import { startDnsServer } from "../dns-server.ts";
import { testProgram } from "../program.ts";

test("a new message is checked against a blocklist that was just turned on", async () => {
  const folder = mkdtempSync(join(tmpdir(), "assay-settings-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const dns = await startDnsServer({
    zone: {
      "sender.example": { A: ["192.0.2.1"] },
      "test.multi.surbl.org": { A: ["127.0.0.254"] },
      "sender.example.multi.surbl.org": { A: ["127.0.0.8"] },
    },
  });
  onTestFinished(() => dns.close());
  const program = { dataDir: join(folder, "data"), command: await testProgram(), environment: dns.settings };
  const server = await startAssay(program);
  onTestFinished(async () => void (await server.end("SIGTERM")));
  const run = async (...args: string[]) => JSON.parse((await runProgram(program, [...args, "--json"])).stdout);
  const [{ id: workspace } = { id: "" }] = (await run("workspace", "list")) as { id: string }[];
  const { token } = (await run("token", "create", "--name", "ci")) as { token: string };
  const headers = { authorization: `Bearer ${token}`, "x-workspace-id": workspace };
  const call = (path: string, init: RequestInit = {}) =>
    fetch(server.http + path, { ...init, headers: { ...headers, "content-type": "application/json" } });
  const { items } = (await (await call("/api/seed-inboxes")).json()) as { items: { address: string }[] };
  const to = [items[0]?.address ?? ""];

  const analyze = async (subject: string) => {
    const body = `From: Ann <ann@sender.example>\r\nSubject: ${subject}\r\n\r\nHello.\r\n`;
    await sendMail(server.smtp, { from: "ann@sender.example", to, body });
    for (;;) {
      const list = (await (await call(`/api/tests?q=${subject}`)).json()) as {
        items: { id: string; status: string }[];
      };
      const [first] = list.items;
      if (first?.status === "analyzed") {
        const report = (await (await call(`/api/tests/${first.id}`)).json()) as {
          findings: { check: string; severity: string }[];
        };
        return report.findings.filter(({ check }) => check === "domain-blocklist").map((each) => each.severity);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  expect(await analyze("before")).toEqual([]);
  const turnedOn = await call("/api/blocklists/multi.surbl.org", { method: "PUT", body: "{}" });
  expect(turnedOn.status).toBe(204);
  expect(await analyze("after")).toEqual(["critical"]);
});
