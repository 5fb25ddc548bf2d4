// The Worker of provider-webhooks.md, run with a message as Cloudflare provides it, against a real server.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { startHttpWorld } from "../http/http-world.ts";
import { blocksOf, readHandbook } from "./blocks.ts";

type Worker = {
  readonly email: (
    message: {
      readonly from: string;
      readonly to: string;
      readonly raw: ReadableStream<Uint8Array>;
      readonly setReject: (reason: string) => void;
    },
    env: Readonly<Record<"WEBHOOK_URL" | "WEBHOOK_SECRET", string>>,
  ) => Promise<void>;
};

async function loadWorker(): Promise<Worker> {
  const [script = ""] = blocksOf(readHandbook("provider-webhooks"), "js");
  const folder = mkdtempSync(join(tmpdir(), "assay-worker-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "worker.mjs");
  writeFileSync(file, script);
  return (await import(pathToFileURL(file).href)).default;
}

test("the handbook's Worker signs a message, which becomes a test with every byte", async () => {
  const worker = await loadWorker();
  const world = await startHttpWorld();
  world.clock.nowMs = Date.now();
  const { id: workspace, seed_address } = await world.createWorkspace("Ours");
  const to = seed_address ?? "";
  const { token } = await world.issueToken(workspace);
  const asked = { token, workspace };
  const body = { provider: "cloudflare", purpose: "mail", label: "Worker" };
  const { url, secret } = (await world.ask("POST", "/api/incoming-hooks", { ...asked, body })).json;
  const bytes = Buffer.concat([
    Buffer.from("From: ann@sender.example\r\nSubject: Hi\r\n\r\n"),
    Buffer.from(Array.from({ length: 256 }, (_, index) => index)),
  ]);
  const rejected: string[] = [];
  const email = (raw: Buffer, key: string) =>
    worker.email(
      {
        from: "bounce@sender.example",
        to,
        raw: new Blob([new Uint8Array(raw)]).stream(),
        setReject: (reason) => rejected.push(reason),
      },
      { WEBHOOK_URL: url, WEBHOOK_SECRET: key },
    );
  await email(bytes, secret);
  const [test] = (await world.ask("GET", "/api/tests", asked)).json.items;
  expect(test).toMatchObject({ to: [to] });
  const raw = await fetch(`${world.base}/api/tests/${test.id}/raw`, {
    headers: { authorization: `Bearer ${token}`, "x-workspace-id": workspace },
  });
  expect(Buffer.from(await raw.arrayBuffer())).toEqual(bytes);
  // A sender's server tries again after an error, and gives up on a message that is too large.
  await expect(email(bytes, "whsec_AAAA")).rejects.toThrow("403");
  await email(Buffer.concat([bytes, Buffer.alloc(200_000, "x")]), secret);
  expect(rejected).toEqual(["Message too large"]);
});
