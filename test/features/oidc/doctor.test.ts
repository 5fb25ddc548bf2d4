import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { FetchDoor, FetchOutcome } from "../../../src/analyzer/facts/fetch.ts";
import { examineLoginProviders } from "../../../src/features/oidc/doctor.ts";
import { readConfig } from "../../../src/platform/settings/config-reading.ts";
import { createFetchOperator } from "../../../src/platform/system/fetch-doors.ts";
import { createSelfSigned } from "../../../src/platform/system/self-signed.ts";
import { toIssuer } from "../../http/oidc-world.ts";
import { startOrganization, startStrange } from "../../oidc-issuer.ts";
import { testSystem } from "../../test-system.ts";

type World = {
  readonly issuers: object | string;
  readonly settings?: Readonly<Record<string, string>>;
  readonly fetchOperator?: FetchDoor;
  readonly now?: () => number;
};

async function examine({
  issuers,
  settings,
  now = Date.now,
  fetchOperator = createFetchOperator(),
}: World): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "assay-doctor-oidc-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "oidc.json");
  writeFileSync(file, typeof issuers === "string" ? issuers : JSON.stringify({ issuers }));
  const reading = readConfig({
    ASSAY_DATA_DIR: folder,
    ASSAY_OIDC: file,
    ASSAY_BASE_URL: "https://assay.example",
    ...settings,
  });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  const system = { ...testSystem(), fetchOperator, now };
  const rows = await examineLoginProviders({
    config: reading.config,
    system,
    hostName: "mx.example",
    probes: undefined as never,
  });
  return [rows].flat().map(({ state, label, says, fix = "" }) => `${state}: ${label}: ${says} → ${fix}`);
}

test("a working login provider is shown with the redirect URI that it needs", async () => {
  const { url } = await startOrganization();
  expect(await examine({ issuers: { company: toIssuer(url) } })).toEqual([
    `green: Login provider Example Inc.: ${url} responds, its clock agrees, and it has 1 key. Its redirect URI is https://assay.example/api/oidc/company/callback → `,
  ]);
});

test("a login provider that is down doesn't hide a working one, and the result says what still works", async () => {
  const [dead, alive] = [await startOrganization(), await startOrganization()];
  dead.stop();
  const issuers = { a: toIssuer(dead.url, { label: "Dead" }), b: toIssuer(alive.url) };
  const [first, second] = await examine({ issuers });
  expect(first).toMatch(
    /^red: Login provider Dead: .* refused the connection\. .* → Check that the provider is running.*Passwords still work\.$/,
  );
  expect(second).toMatch(/^green/);
  const [strict] = await examine({ issuers, settings: { ASSAY_LOGIN: "oidc" } });
  expect(strict).toContain("only emergency accounts can log in: assay user emergency");
});

test("an invalid, incomplete, or wrong login provider is named with a fix", async () => {
  const strange = await startStrange();
  const issuers = { company: toIssuer(strange.url) };
  const look = async (metadata: object) => {
    strange.next.metadata = metadata;
    return (await examine({ issuers })).join();
  };
  expect(await look({})).toMatch(/^green/);
  expect(await look({ issuer: "https://evil.example\u001b[2J" })).toMatch(
    /^red: .* calls itself "https:\/\/evil\.example\\+u001b\[2J", .* → Set "issuer"/,
  );
  expect(await look({ token_endpoint: undefined })).toMatch(/^red: .* has no token_endpoint, /);
  expect(await look({ jwks_uri: `${strange.url}/nothing` })).toMatch(
    /^red: .* has no keys at .*\/nothing".* → Ask the provider/,
  );
  const [wrong] = await examine({ issuers: { company: toIssuer(`${strange.url}/realms/x`) } });
  expect(wrong).toMatch(
    /^red: .*\/realms\/x\/\.well-known\/openid-configuration was answered with 404, .* → Set "issuer"/,
  );
});

test("a clock difference of more than a minute is a problem, unless the response was cached", async () => {
  const { url } = await startOrganization();
  const issuers = { company: toIssuer(url) };
  const [ahead] = await examine({ issuers, now: () => Date.now() + 300_000 });
  expect(ahead).toMatch(/^red: .* differ by 5 minutes, so logins are refused\. → Turn on time synchronization/);
  const cached: FetchDoor = async (...asked) => {
    const outcome = await createFetchOperator()(...asked);
    const date = new Date(Date.now() - 600_000).toUTCString();
    return outcome.ok ? { ...outcome, headers: { ...outcome.headers, date, age: "600" } } : outcome;
  };
  expect(await examine({ issuers, fetchOperator: cached })).toEqual([expect.stringMatching(/^green/)]);
});

test("an untrusted or expired certificate is named", async () => {
  const server = createServer(await createSelfSigned(["localhost"], Date.now()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const issuer = `https://localhost:${(server.address() as AddressInfo).port}`;
  const issuers = { company: toIssuer(issuer) };
  const [untrusted] = await examine({ issuers });
  expect(untrusted).toMatch(/^red: .* does not have a trusted TLS certificate .* → Renew or fix/);
  const problem = "localhost does not have a trusted TLS certificate (CERT_HAS_EXPIRED).";
  const outcome: FetchOutcome = { ok: false, failure: "tls", problem };
  const [expired] = await examine({ issuers, fetchOperator: async () => outcome });
  expect(expired).toMatch(/: The certificate of localhost:\d+ has expired\. .* → Renew or fix/);
});

test("each request is limited to a few seconds and bytes", async () => {
  const asked: Parameters<FetchDoor>[1][] = [];
  const fetchOperator: FetchDoor = async (_url, request) => {
    asked.push(request);
    return { ok: false, failure: "timeout", problem: "sso.example did not respond within 4 s." };
  };
  const issuers = { company: toIssuer("https://sso.example") };
  expect(await examine({ issuers, fetchOperator })).toEqual([expect.stringContaining("did not respond")]);
  expect(asked).toEqual([{ timeoutMs: 4_000, maxBytes: 262_144 }]);
});

test("a missing or unencrypted base URL, an invalid file, and an unused file are named", async () => {
  const { url } = await startOrganization();
  const issuers = { company: toIssuer(url) };
  const look = (settings: Readonly<Record<string, string>>) => examine({ issuers, settings });
  expect((await look({ ASSAY_BASE_URL: "" }))[0]).toMatch(/^red: Login callback: ASSAY_BASE_URL is not set/);
  expect((await look({ ASSAY_BASE_URL: "http://assay.example" }))[0]).toMatch(
    /^red: Login callback: ASSAY_BASE_URL is http:\/\/assay\.example, without https\./,
  );
  expect(await look({ ASSAY_BASE_URL: "http://127.0.0.1:8080" })).toHaveLength(1);
  expect(await look({ ASSAY_LOGIN: "password" })).toEqual([expect.stringMatching(/^grey: .* is not used/)]);
  expect(await examine({ issuers: "{" })).toEqual([
    expect.stringMatching(/^red: .*is not a JSON object.* → Fix the file\./s),
  ]);
});
