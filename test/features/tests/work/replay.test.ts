// A report depends only on its evidence: replayed from the record without network, it is the same.

import { Socket as UdpSocket } from "node:dgram";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Socket as NetSocket } from "node:net";
import { afterAll, describe, expect, test } from "vitest";
import { toBlocklistZone } from "../../../../src/analyzer/dns/dnsbl.ts";
import { createZoneDns, type Zone } from "../../../../src/analyzer/dns/zone.ts";
import type { Report } from "../../../../src/analyzer/reports/report.ts";
import type { AnalysisContext } from "../../../../src/analyzer/world.ts";
import { verdictTable } from "../../../analyzer/domain-cases/verdict-table.ts";
import {
  analystFor,
  analyzeWith,
  inputOf,
  type Letter,
  receivedAt,
  toVerdict,
  zoneOf,
} from "../../../analyzer/domain-cases/verdict-world.ts";
import { evidenceOf, timeless, withNobodyToAsk } from "../../../analyzer/recorded.ts";

const alone = withNobodyToAsk(analystFor(createZoneDns({})));

function replay(letter: Letter, live: Report): Promise<Report> {
  return analyzeWith(inputOf(letter, evidenceOf(live)), alone);
}

describe("a report replayed without network equals the original", () => {
  const letters = Object.entries(verdictTable).flatMap(([group, rows]) =>
    Object.entries(rows).map(([name, [, letter]]) => [`${group}: ${name}`, letter] as const),
  );
  test.each(letters)("a report replayed without network equals the original for %s", async (_, letter) => {
    const live = await analyzeWith(inputOf(letter), analystFor(createZoneDns(zoneOf(letter))));
    const again = await replay(letter, live);
    expect(timeless(again)).toEqual(timeless(live));
    expect(live.analysis.isReplay).toBe(false);
    expect(again.analysis.isReplay).toBe(true);
  });
});

const busy: Letter = {
  ip: "8.8.8.8",
  helo: "mail.a.example",
  mailFrom: "ann@a.example",
  headers: [
    "Reply-To: help@help.example",
    "Content-Type: text/html",
    "ARC-Seal: i=1; a=rsa-sha256; d=list.example; s=arc; cv=none; b=AAAA",
    "BIMI-Selector: v=BIMI1; s=brand",
  ],
  body: '<a href="https://shop.example/x">Shop</a><img src="https://pixel.example/1.gif">\r\n',
  zone: {
    "8.8.8.8.in-addr.arpa": { PTR: ["dns.a.example", "gone.a.example"] },
    "dns.a.example": { A: ["8.8.8.8"] },
    "mail.a.example": "servfail",
    "help.example": { MX: [{ preference: 10, exchange: "mx.help.example" }] },
    "mx.help.example": { A: ["192.0.2.50"] },
    "a.example": { MX: [{ preference: 0, exchange: "mail.a.example" }], TXT: ["v=spf1 include:esp.example -all"] },
    "2.0.0.127.bl.example": { A: ["127.0.0.2"] },
    "test.bl.example": { A: ["127.0.0.2"] },
    "8.8.8.8.bl.example": { A: ["127.0.0.2"], TXT: ["seen in traps"] },
    "shop.example.bl.example": { A: ["127.0.0.2"] },
    "2.0.0.127.dead.example": "timeout",
    "default._bimi.a.example": { TXT: ["v=BIMI1; l=https://a.example/logo.svg"] },
  },
};

async function startRspamd() {
  let scans = 0;
  const server = createServer((request, response) => {
    scans++;
    request.resume();
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify({
        score: 7 + scans,
        required_score: 15,
        action: "no action",
        symbols: { URIBL: { name: "URIBL", score: 6, description: "a bad link" } },
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server, scans: () => scans };
}

const rspamd = await startRspamd();
afterAll(() => rspamd.server.close());

/** With lists and a scanner of the operator's. */
function equipped(zone: Zone): AnalysisContext {
  return analystFor(createZoneDns(zone), {
    dnsbls: ["bl.example", "dead.example"].map(toBlocklistZone),
    rspamdUrl: rspamd.url,
  });
}

test("blocklist and scanner results are replayed as recorded, even if they would differ today", async () => {
  const live = await analyzeWith(inputOf(busy), equipped(zoneOf(busy)));
  expect(live.surroundings.listings).toMatchObject({
    known: true,
    value: [
      { of: "bl.example", fact: { known: true, value: { listed: true, text: "seen in traps" } } },
      { of: "dead.example", fact: { known: false, why: "unused" } },
    ],
  });
  expect(live.surroundings.scanners).toMatchObject([
    { of: "rspamd", fact: { known: true, value: { score: 8, action: "no action" } } },
  ]);
  const again = await replay(busy, live);
  expect(timeless(again)).toEqual(timeless(live));
  expect(rspamd.scans()).toBe(1);
});

test("a replay of a replay equals the first replay", async () => {
  const live = await analyzeWith(inputOf(busy), equipped(zoneOf(busy)));
  const again = await replay(busy, await replay(busy, live));
  expect(timeless(again)).toEqual(timeless(live));
});

test("a replay opens no socket", async () => {
  const live = await analyzeWith(inputOf(busy), equipped(zoneOf(busy)));
  const sockets = [
    [NetSocket.prototype, "connect"],
    [UdpSocket.prototype, "send"],
    [UdpSocket.prototype, "bind"],
    [UdpSocket.prototype, "connect"],
  ] as const;
  const opened: string[] = [];
  const originals = sockets.map(([prototype, name]) => {
    const methods = prototype as unknown as Record<string, (...given: unknown[]) => unknown>;
    const original = methods[name] as (...given: unknown[]) => unknown;
    methods[name] = function (this: unknown, ...given) {
      opened.push(name);
      return original.apply(this, given);
    };
    return () => {
      methods[name] = original;
    };
  });
  const unplugged = { servers: [{ host: "127.0.0.1", port: 1 }] };
  const connected = analystFor(undefined, {
    dnsClient: unplugged,
    dnsbls: [toBlocklistZone("bl.example")],
    rspamdUrl: rspamd.url,
    spamdAddress: { host: "127.0.0.1", port: 1 },
  });
  try {
    const evidence = JSON.parse(JSON.stringify(live.analysis)) as Report["analysis"];
    await analyzeWith(inputOf(busy, evidence), connected);
    expect(opened).toEqual([]);
    await analyzeWith(inputOf(busy), connected);
    expect(opened).toEqual(expect.arrayContaining(["connect", "send"]));
  } finally {
    for (const restore of originals) restore();
  }
});

test("missing evidence makes the result unknown, and is never invented", async () => {
  const letter: Letter = {};
  const live = await analyzeWith(inputOf(letter), analystFor(createZoneDns(zoneOf(letter))));
  expect(toVerdict(live)).toBe("spf=pass dkim=pass dmarc=pass reject");
  const without = (name: string) => ({
    ...live.analysis,
    dns: live.analysis.dns.filter((answer) => answer.name !== name),
  });
  const verdict = async (name: string) => toVerdict(await analyzeWith(inputOf(letter, without(name)), alone));
  expect(await verdict("_dmarc.a.example")).toBe("spf=pass dkim=pass dmarc=temperror ?timeout");
  expect(await verdict("rsa1024._domainkey.a.example")).toBe(
    "spf=pass dkim=temperror:key-unknown dmarc=temperror reject",
  );
  expect(await verdict("esp.example")).toBe("spf=temperror dkim=pass dmarc=pass reject");
});

test("signatures are judged by the time of receipt, however late the replay", async () => {
  const letter: Letter = { sign: { tags: { x: `${receivedAt / 1_000 + 60}` } } };
  const live = await analyzeWith(inputOf(letter), analystFor(createZoneDns(zoneOf(letter))));
  const late = await analyzeWith(inputOf(letter, live.analysis), { ...alone, now: () => receivedAt * 2 });
  expect(toVerdict(late)).toBe("spf=pass dkim=pass dmarc=pass reject");
});
