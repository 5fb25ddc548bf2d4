import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { loadIssuers } from "../../../../src/features/oidc/work/load-issuers.ts";

function writeFiles(files: Readonly<Record<string, string>>): (name: string) => string {
  const folder = mkdtempSync(join(tmpdir(), "assay-oidc-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return (name) => join(folder, name);
}

const toFile = (clientSecretFile: string) =>
  JSON.stringify({
    issuers: {
      company: {
        issuer: "https://sso.example.com",
        clientId: "assay",
        clientSecretFile,
        roles: [{ when: "everyone", role: "member" }],
      },
    },
  });

test("a client's secret can be in a separate file", async () => {
  expect(await loadIssuers(null)).toEqual([]);
  const at = writeFiles({ secret: "s3cret\n", empty: "\n" });
  writeFileSync(at("good.json"), toFile(at("secret")));
  expect(await loadIssuers(at("good.json"))).toMatchObject([{ name: "company", clientSecret: "s3cret" }]);
  writeFileSync(at("bad.json"), toFile(at("empty")));
  await expect(loadIssuers(at("bad.json"))).rejects.toThrow(/"clientSecretFile" of issuer "company" is empty/);
});

test("an invalid issuers file keeps the server from starting", async () => {
  const at = writeFiles({ "bad.json": '{"issuers": {"company": 1}}' });
  const refused = (text: RegExp) =>
    expect.objectContaining({ message: expect.stringMatching(text), details: { needsOperator: true } });
  await expect(loadIssuers(at("none.json"))).rejects.toEqual(refused(/file not found/));
  await expect(loadIssuers(at("bad.json"))).rejects.toEqual(refused(/has errors:\n {2}issuer "company": it is not/));
});
