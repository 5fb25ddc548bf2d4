// The code in alerts.md that verifies a webhook, run with requests as the server signs them.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSigningSecret, renderPing } from "../../src/features/alerts/rules/render.ts";
import { blocksOf, readHandbook } from "./blocks.ts";

const page = readHandbook("alerts");
const secret = createSigningSecret(new Uint8Array(32).fill(7));
const now = Date.now();

type Request = { readonly headers: Readonly<Record<string, string>>; readonly body: string };

function signed(at: number): Request {
  const alert = { id: "alr_01m8amdxm626ymf8vxnh0chjhr", label: "On call" };
  const ids = { id: "evt_01m8amdxm626ymf8vxnh0chjhr", workspaceId: "wsp_01m8amd28ehza22k64vmqw238q" };
  return renderPing("json", { ...ids, alert, secret, baseUrl: "http://127.0.0.1:8080", now: at });
}

const good = signed(now);
const forged = { ...good, body: good.body.replace("On call", "Off call") };
const stale = signed(now - 600_000);
const rotated = {
  ...good,
  headers: { ...good.headers, "webhook-signature": `v1,AAAA ${good.headers["webhook-signature"]}` },
};
const cases = [
  { name: "a request of the server", request: good, accepted: true },
  { name: "one with two signatures", request: rotated, accepted: true },
  { name: "a changed body", request: forged, accepted: false },
  { name: "an old request", request: stale, accepted: false },
];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-webhook-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function codeOf(language: string): string {
  const [code, ...others] = blocksOf(page, language);
  if (code === undefined || others.length > 0) throw new Error(`alerts.md has one block in ${language}.`);
  return code;
}

describe.each(cases)("the webhook request $name", ({ request, accepted }) => {
  test(`a webhook request is ${accepted ? "accepted" : "refused"} by the Node code`, async () => {
    const file = join(folder, "verify.mjs");
    writeFileSync(file, codeOf("js"));
    const { verify } = (await import(pathToFileURL(file).href)) as {
      verify: (secret: string, headers: object, body: string) => boolean;
    };
    expect(verify(secret, request.headers, request.body)).toBe(accepted);
  });

  test.runIf(isInstalled("python3"))(
    `a webhook request is ${accepted ? "accepted" : "refused"} by the Python code`,
    () => {
      const call = `import json, sys\nrequest = json.load(sys.stdin)\nprint(verify(request["secret"], request["headers"], request["body"].encode()))`;
      const input = JSON.stringify({ secret, ...request });
      const { stdout, stderr } = spawnSync("python3", ["-c", `${codeOf("python")}\n${call}`], {
        input,
        encoding: "utf8",
      });
      expect(`${stdout.trim()}${stderr}`).toBe(accepted ? "True" : "False");
    },
  );

  test.runIf(isInstalled("php"))(`a webhook request is ${accepted ? "accepted" : "refused"} by the PHP code`, () => {
    const call = `$r = json_decode(stream_get_contents(STDIN), true);\necho verify($r["secret"], $r["headers"], $r["body"]) ? "yes" : "no";`;
    const input = JSON.stringify({ secret, ...request });
    const code = `${codeOf("php")}\n${call}`.replace("<?php", "");
    const { stdout, stderr } = spawnSync("php", ["-r", code], { input, encoding: "utf8" });
    expect(`${stdout}${stderr}`).toBe(accepted ? "yes" : "no");
  });
});

test("the PHP and Go code signs the same bytes and compares in constant time", () => {
  expect(codeOf("php")).toContain('hash_hmac("sha256", "$id.$timestamp.$body", $key, true)');
  expect(codeOf("php")).toContain("hash_equals($expected, $given)");
  expect(codeOf("go")).toContain('mac.Write([]byte(id + "." + timestamp + "."))\n\tmac.Write(body)');
  expect(codeOf("go")).toContain("hmac.Equal(expected, []byte(given))");
});

function isInstalled(command: string): boolean {
  return spawnSync(command, ["--version"]).status === 0;
}
