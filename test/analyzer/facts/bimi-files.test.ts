// Uses a real HTTPS server on loopback, whose certificate this process trusts.

import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { fetchBimiFiles } from "../../../src/analyzer/facts/bimi-files.ts";
import type { FetchDoor } from "../../../src/analyzer/facts/fetch.ts";
import { fetchMtaStsPolicy } from "../../../src/analyzer/facts/mta-sts-policy.ts";
import { createFetchStranger } from "../../../src/platform/system/fetch-doors.ts";
import { createSelfSigned } from "../../../src/platform/system/self-signed.ts";
import { createMarkCertificate, forServers, type Mark } from "./mark-certificate.ts";

const dayMs = 86_400_000;
const now = Date.UTC(2026, 10, 20);
const svg = '<svg xmlns="http://www.w3.org/2000/svg" version="1.2" baseProfile="tiny-ps"><title>A</title></svg>';

type Page = { readonly status?: number; readonly headers?: Record<string, string>; readonly body?: string | Buffer };

let server: Server;
let port: number;
let pages: Record<string, Page> = {};
const trusted = getCACertificates("default");
const pair = createSelfSigned(["a.example", "mta-sts.a.example"], Date.now());

beforeAll(async () => {
  setDefaultCACertificates([...trusted, pair.cert]);
  server = createServer(pair, (request, response) => {
    const { status = 200, headers = {}, body = "" } = pages[request.url ?? ""] ?? { status: 404 };
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});
beforeEach(() => {
  pages = {};
});
afterAll(() => {
  setDefaultCACertificates(trusted);
  server.closeAllConnections();
  server.close();
});

function doorAllowing(networks: readonly string[]): FetchDoor {
  const door = createFetchStranger({
    allow: { all: false, networks },
    resolveHost: async () => ({ ok: true, addresses: ["127.0.0.1"] }),
  });
  // Published URLs have no port.
  return (url, request) => door(url.replace(/^(https:\/\/[^/:]+)\//, `$1:${port}/`), request);
}
const door = doorAllowing(["127.0.0.0/8"]);

const record = {
  domain: "a.example",
  name: "default._bimi.a.example",
  l: "https://a.example/logo.svg",
  a: "https://a.example/mark.pem",
};
const fetchFiles = (changes: Partial<typeof record> = {}, through = door) =>
  fetchBimiFiles({ ...record, ...changes }, through, () => now);

const mark = (changes: Partial<Mark> = {}) =>
  createMarkCertificate({
    names: ["a.example"],
    startsAt: now - 100 * dayMs,
    endsAt: now + 200 * dayMs,
    svg,
    ...changes,
  });

test("a logo and its matching certificate are valid together", async () => {
  pages = { "/logo.svg": { body: svg }, "/mark.pem": { body: mark() } };
  expect(await fetchFiles()).toEqual({
    logo: { known: true, value: { url: record.l, status: 200, bytes: svg.length, problem: null } },
    certificate: { known: true, value: { url: record.a, fetchedAt: now, endsAt: now + 200 * dayMs, problem: null } },
  });
});

describe("a BIMI logo", () => {
  const logoOf = async (page: Page, more: Record<string, Page> = {}, through = door) => {
    pages = { "/logo.svg": page, ...more };
    return (await fetchFiles({}, through)).logo;
  };

  test("a BIMI logo may be compressed", async () => {
    expect(await logoOf({ body: gzipSync(svg) })).toMatchObject({ value: { problem: null } });
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    expect(await logoOf({ body: bomb })).toMatchObject({ value: { problem: "it cannot be decompressed" } });
  });

  test("a BIMI logo may redirect, but only to https", async () => {
    const moved = { status: 302, headers: { location: "/other.svg" } };
    expect(await logoOf(moved, { "/other.svg": { body: svg } })).toMatchObject({ value: { status: 200 } });
    const plain = { status: 301, headers: { location: "http://a.example/logo.svg" } };
    expect(await logoOf(plain)).toMatchObject({ value: { status: 301 } });
    const circle = { status: 307, headers: { location: "/logo.svg" } };
    expect(await logoOf(circle)).toMatchObject({ value: { status: 307 } });
  });

  test.each<[what: string, page: Page, told: object]>([
    ["that was removed", { status: 410 }, { value: { status: 410 } }],
    ["that is another file", { body: "<html></html>" }, { value: { problem: "it is not an SVG" } }],
    ["that is too large", { body: Buffer.alloc(300_000) }, { value: { status: 200, bytes: null } }],
    [
      "that is not text",
      { body: Buffer.from([0x1f, 0x8b, 0, 255]) },
      { value: { problem: "it cannot be decompressed" } },
    ],
  ])("a BIMI logo %s is reported", async (_, page, told) => {
    expect(await logoOf(page)).toMatchObject(told);
  });

  test.each([408, 429, 503])("a BIMI logo whose server responds with %i is unknown", async (status) => {
    expect(await logoOf({ status })).toEqual({ known: false, why: "silent" });
  });

  test("a BIMI logo at a private address is unknown and not fetched", async () => {
    expect(await logoOf({ body: svg }, {}, doorAllowing([]))).toEqual({ known: false, why: "not-public" });
  });

  test("a BIMI logo on a server without trusted TLS is reported, and unknown if the server is silent", async () => {
    expect((await fetchFiles({ l: "https://b.example/logo.svg" })).logo).toMatchObject({
      value: { status: null, problem: "the server has an untrusted certificate" },
    });
    const silent: FetchDoor = async () => ({ ok: false, failure: "timeout", problem: "No answer." });
    expect((await fetchFiles({}, silent)).logo).toEqual({ known: false, why: "silent" });
  });
});

describe("a mark certificate", () => {
  const problemOf = async (body: string, page: Page = {}, changes: Partial<typeof record> = {}) => {
    pages = { "/logo.svg": { body: svg }, "/mark.pem": { body, ...page } };
    const { certificate } = await fetchFiles(changes);
    return certificate.known ? certificate.value.problem : certificate.why;
  };

  test.each<[problem: string, body: string, page?: Page]>([
    ["it expired on 2026-11-19", mark({ endsAt: now - dayMs })],
    ["it is not valid before 2026-11-21", mark({ startsAt: now + dayMs })],
    ["it is not for this domain", mark({ names: ["b.example", "*.a.example"] })],
    ["it is not a mark certificate", mark({ purpose: forServers })],
    ["it contains a different logo", mark({ svg: svg.replace("A", "B") })],
    ["it is not a PEM certificate", "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"],
    ["it is not a PEM certificate", svg],
    ["the server returned 403", "", { status: 403 }],
    ["silent", "", { status: 500 }],
    ["silent", "", { status: 429 }],
  ])("a mark certificate has the problem: %s", async (problem, body, page = {}) => {
    expect(await problemOf(body, page)).toBe(problem);
  });

  test("a mark certificate may name the organizational domain or the record", async () => {
    const below = { domain: "news.a.example", name: "default._bimi.a.example" };
    expect(await problemOf(mark(), {}, below)).toBeNull();
    expect(await problemOf(mark({ names: ["default._bimi.a.example"] }))).toBeNull();
    expect(await problemOf(mark({ names: ["x.example", "A.Example"] }))).toBeNull();
  });

  test("a mark certificate without a readable logo is not accused of containing a different one", async () => {
    expect(await problemOf(mark({ svg: null }))).toBeNull();
  });
});

test("the MTA-STS policy includes the expiry of its host's certificate", async () => {
  const body = "version: STSv1\r\nmode: none\r\nmax_age: 86400\r\n";
  pages = { "/.well-known/mta-sts.txt": { headers: { "content-type": "text/plain" }, body } };
  const policy = await fetchMtaStsPolicy("a.example", door, () => now);
  const certificate = policy.known ? policy.value.certificate : null;
  expect(certificate?.seenAt).toBe(now);
  const years = ((certificate?.endsAt ?? 0) - (certificate?.startsAt ?? 0)) / (365.25 * dayMs);
  expect(Math.round(years)).toBe(10);
});
