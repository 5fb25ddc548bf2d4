import { request } from "node:http";
import { expect, test } from "vitest";
import { startHttpWorld } from "./http-world.ts";

/** fetch sets Host and Origin as it likes. */
function askAs(base: string, path: string, headers: Readonly<Record<string, string>>, method = "GET") {
  return new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
    const sent = request(`${base}${path}`, { method, headers }, (answer) => {
      let text = "";
      answer.on("data", (chunk) => (text += chunk));
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    sent.on("error", reject).end();
  });
}

test("metrics are not readable by a page that uses DNS rebinding", async () => {
  const { base } = await startHttpWorld();
  const { host } = new URL(base);
  expect((await askAs(base, "/metrics", { host })).status).toBe(200);
  expect((await askAs(base, "/metrics", { host: "localhost:8080" })).status).toBe(200);
  for (const rebound of ["evil.example", `evil.example:${new URL(base).port}`, "localhost.evil.example", "local%68ost"])
    expect((await askAs(base, "/metrics", { host: rebound })).status).not.toBe(200);
});

test("with a base URL, other host names are rejected with the right address", async () => {
  const { base } = await startHttpWorld({ machine: { settings: { ASSAY_BASE_URL: "https://assay.example.com" } } });
  for (const host of ["assay.example.com", "assay.example.com:8443", "127.0.0.1:8080", "[::1]:8080", "localhost"])
    expect((await askAs(base, "/api/tests", { host })).status, host).not.toBe(403);
  for (const host of ["evil.example", "assay.example.com.evil.example", "assay.example.com%2eevil.example"]) {
    const { status, text } = await askAs(base, "/api/tests", { host });
    expect([status, text], host).toEqual([403, expect.stringContaining("https://assay.example.com")]);
  }
  // A load balancer asks by whatever name it has.
  expect((await askAs(base, "/healthz", { host: "10-0-0-7.internal" })).status).toBe(200);
});

test.each(["http://local%68ost", "http://LOCALHOST", "http://localhost:80", "http://localhost/", "http://a@localhost"])(
  "an origin that no browser sends is rejected: %s",
  async (origin) => {
    const { base } = await startHttpWorld();
    const { status } = await askAs(base, "/api/auth/login", { host: "localhost", origin }, "POST");
    expect(status).toBe(403);
  },
);

test("a page over https counts as ours only if we are known to be there", async () => {
  const logIn = async (terms: Parameters<typeof startHttpWorld>[0], headers: Record<string, string> = {}) => {
    const { base } = await startHttpWorld(terms);
    const page = { host: "assay.example.com", origin: "https://assay.example.com", ...headers };
    const { status, text } = await askAs(base, "/api/auth/login", page, "POST");
    if (status === 403) expect(text).toContain(headers.origin === undefined ? "Set ASSAY_BASE_URL to" : "Host header");
    return status;
  };
  const proxy = { "x-forwarded-for": "198.51.100.7", "x-forwarded-proto": "https" };
  expect(await logIn({})).toBe(403);
  expect(await logIn({}, { origin: "http://assay.example.com" })).not.toBe(403);
  expect(await logIn({}, proxy)).toBe(403);
  expect(await logIn({ trustedProxies: ["127.0.0.1/32"] }, proxy)).not.toBe(403);
  const settings = { ASSAY_BASE_URL: "https://assay.example.com" };
  expect(await logIn({ machine: { settings } })).not.toBe(403);
  // Proxies that leave out the port or the whole name.
  for (const host of ["assay.example.com", "127.0.0.1:8080"]) {
    const withPort = { ASSAY_BASE_URL: "https://assay.example.com:8443" };
    const headers = { ...proxy, host, origin: "https://assay.example.com:8443" };
    expect(await logIn({ machine: { settings: withPort }, trustedProxies: ["127.0.0.1/32"] }, headers)).not.toBe(403);
    expect(await logIn({ trustedProxies: ["127.0.0.1/32"] }, headers)).toBe(403);
  }
});
