import { afterEach, describe, expect, it } from "vitest";
import { toReverseName } from "../../../src/analyzer/addresses.ts";
import type { ListState } from "../../../src/analyzer/checks/infrastructure-facts.ts";
import type { Dns } from "../../../src/analyzer/dns/answer.ts";
import { toBlocklistZone } from "../../../src/analyzer/dns/dnsbl.ts";
import { createZoneDns, type Zone } from "../../../src/analyzer/dns/zone.ts";
import { gatherListings, maxListQuestions, maxTextQuestions } from "../../../src/analyzer/facts/blocklists.ts";
import { recordAnswers, replayAnswers, withinBudget } from "../../../src/analyzer/facts/dns-evidence.ts";
import { createListTests } from "../../../src/analyzer/facts/list-tests.ts";
import { createDns, type DnsClient } from "../../../src/platform/system/dns-client.ts";
import { withListKeys } from "../../../src/platform/system/real.ts";
import { startDnsServer, type TestDnsServer } from "../../dns-server.ts";

const address = "8.8.4.4";
const reversed = "4.4.8.8";
const nothing = createZoneDns({});

function tested(zone: string, kind: ListState["with"] = "ipv4"): ListState {
  return { zone, with: kind, unfit: null };
}

function from(domain: string) {
  return { domain, roles: ["from"] };
}

async function listingOf(zone: string, entries: Zone, client = address) {
  const { listings } = await gatherListings(
    { address: client, domains: [], zones: [tested(zone), tested(zone, "ipv6")] },
    createZoneDns(entries),
  );
  if (!listings.known) throw new Error(listings.why);
  return listings.value;
}

async function domainOf(domain: string, zone: string, entries: Zone) {
  const { domains } = await gatherListings(
    { address: null, domains: [from(domain)], zones: [tested(zone, "domain")] },
    createZoneDns(entries),
  );
  if (!domains.known) throw new Error(domains.why);
  return domains.value;
}

describe("an IP blocklist", () => {
  it("an IP blocklist gives the code, meaning, reason, and delisting link", async () => {
    const entries = { [`${reversed}.zen.spamhaus.org`]: { A: ["127.0.0.4", "127.0.0.11"], TXT: ["gr\xc3\xbcn\0"] } };
    expect(await listingOf("zen.spamhaus.org", entries)).toEqual([
      {
        of: "zen.spamhaus.org",
        fact: {
          known: true,
          value: {
            zone: "zen.spamhaus.org",
            class: "major",
            listed: true,
            code: "127.0.0.4",
            meaning: "XBL: hijacked or infected machine",
            text: "grün\ufffd",
            delistUrl: "https://check.spamhaus.org/",
          },
        },
      },
    ]);
  });

  it("an IP blocklist is queried with the nibbles of an IPv6 address", async () => {
    const entries = { [toReverseName("2606:4700::1", "zen.spamhaus.org")]: { A: ["127.0.0.3"] } };
    const [row] = await listingOf("zen.spamhaus.org", entries, "2606:4700::1");
    expect(row?.fact).toMatchObject({ known: true, value: { listed: true, code: "127.0.0.3" } });
  });

  it("an IP blocklist that does not list the IP gives a row without a code", async () => {
    expect((await listingOf("zen.spamhaus.org", {}))[0]?.fact).toMatchObject({
      known: true,
      value: { listed: false, code: null, meaning: null, text: null },
    });
  });

  it("an IP blocklist that the operator added has a low weight", async () => {
    const entries = { [`${reversed}.bl.own.example`]: { A: ["127.0.0.99"] } };
    expect((await listingOf("bl.own.example", entries))[0]?.fact).toMatchObject({
      value: { class: "minor", listed: true, code: "127.0.0.99", meaning: "listed", delistUrl: null },
    });
  });

  it("an IP blocklist that failed its test is not queried", async () => {
    const state: ListState = { zone: "bl.spamcop.net", with: "ipv4", unfit: "refused" };
    const unasked: Dns = { query: () => Promise.reject(new Error("asked")) };
    const { listings } = await gatherListings({ address, domains: [], zones: [state] }, unasked);
    expect(listings).toEqual({ known: true, value: [{ of: "bl.spamcop.net", fact: { known: false, why: "unused" } }] });
  });

  it("an IP blocklist whose test is running is not queried and counts as unanswered", async () => {
    const state: ListState = { zone: "bl.spamcop.net", with: "ipv4", unfit: "budget" };
    const unasked: Dns = { query: () => Promise.reject(new Error("asked")) };
    const { listings } = await gatherListings({ address, domains: [], zones: [state] }, unasked);
    expect(listings).toMatchObject({ value: [{ fact: { known: false, why: "budget" } }] });
  });
});

describe("an allowlist", () => {
  async function allowOf(code: string) {
    const entries = { [`${reversed}.list.dnswl.org`]: { A: [code] } };
    const { allows } = await gatherListings(
      { address, domains: [], zones: [tested("list.dnswl.org")] },
      createZoneDns(entries),
    );
    return allows.known ? allows.value[0]?.fact : allows;
  }

  it("an allowlist gives the trust level and the name", async () => {
    expect(await allowOf("127.0.3.2")).toEqual({
      known: true,
      value: { zone: "list.dnswl.org", listed: true, level: "medium", category: "email service providers" },
    });
  });

  it.each(["127.0.0.255", "127.0.10.3", "127.255.255.254"])(
    "an allowlist refuses the query with the code %s",
    async (code) => {
      expect(await allowOf(code)).toEqual({ known: false, why: "refused" });
    },
  );
});

describe("a domain blocklist", () => {
  it("a domain blocklist is queried with the kind of domain that it expects", async () => {
    const dbl = { "www.example.com.dbl.spamhaus.org": { A: ["127.0.1.102"] } };
    const [host] = await domainOf("www.example.com", "dbl.spamhaus.org", dbl);
    expect(host?.fact).toMatchObject({
      value: { domain: "www.example.com", roles: ["from"], class: "abused", listed: true, code: "127.0.1.102" },
    });
    const uribl = { "example.com.multi.uribl.com": { A: ["127.0.0.4"] } };
    const [registrable] = await domainOf("www.example.com", "multi.uribl.com", uribl);
    expect(registrable).toMatchObject({
      of: "example.com at multi.uribl.com",
      fact: { value: { domain: "example.com", class: "grey", listed: true } },
    });
  });

  it.each([
    ["dbl.spamhaus.org", "127.0.1.255"],
    ["multi.uribl.com", "127.0.0.1"],
    ["multi.surbl.org", "127.0.0.1"],
  ])("the domain blocklist %s refuses the query with the code %s", async (zone, code) => {
    const [row] = await domainOf("example.com", zone, { [`example.com.${zone}`]: { A: [code] } });
    expect(row?.fact).toEqual({ known: false, why: "refused" });
  });
});

describe("a blocklist query that is not possible", () => {
  const zones = [tested("bl.spamcop.net"), tested("list.dnswl.org")];

  it.each(["127.0.0.1", "10.1.2.3", "::1", "fe80::1", "100.64.0.1", "nonsense"])(
    "a blocklist query that is not possible is not sent for the non-public address %s",
    async (client) => {
      const unasked: Dns = { query: () => Promise.reject(new Error("asked")) };
      const told = await gatherListings({ address: client, domains: [], zones }, unasked);
      expect(told.listings).toEqual({ known: false, why: "not-public" });
      expect(told.allows).toEqual({ known: false, why: "not-public" });
    },
  );

  it('a blocklist query that is not possible has the reason "no session" or "no list"', async () => {
    const told = await gatherListings({ address: null, domains: [from("example.com")], zones }, nothing);
    expect(told.listings).toEqual({ known: false, why: "no-session" });
    expect(told.domains).toEqual({ known: false, why: "off" });
    const off = { known: false, why: "off" };
    expect(await gatherListings({ address, domains: [], zones: [] }, nothing)).toEqual({
      listings: off,
      allows: off,
      domains: off,
    });
  });
});

describe("a message with many domains", () => {
  const kinds = ["dbl.spamhaus.org", "multi.surbl.org", "multi.uribl.com"];
  const zones = kinds.map((zone) => tested(zone, "domain"));
  const domains = [
    ...Array.from({ length: 5_000 }, (_, index) => ({ domain: `d${index}.com`, roles: ["link"] })),
    from("example.com"),
  ];

  it("a message with many domains makes a limited number of queries, and marks the remaining domains", async () => {
    const recording = recordAnswers(createZoneDns({ "*.uribl.com": { A: ["127.0.0.2"], TXT: ["bad"] } }));
    const told = await gatherListings({ address: null, domains, zones }, recording.dns);
    expect(recording.answers().filter(({ type }) => type === "A")).toHaveLength(maxListQuestions);
    expect(recording.answers().filter(({ type }) => type === "TXT")).toHaveLength(maxTextQuestions);
    const rows = told.domains.known ? told.domains.value : [];
    expect(rows.slice(0, 3).map(({ of }) => of)).toEqual(kinds.map((zone) => `example.com at ${zone}`));
    expect(rows.at(-1)).toEqual({ of: "4981 more domains", fact: { known: false, why: "budget" } });
    expect(rows.filter(({ fact }) => !fact.known)).toHaveLength(61 - maxListQuestions);
  });
});

describe("blocklists over the network", () => {
  let server: TestDnsServer | undefined;
  let client: DnsClient | undefined;
  afterEach(async () => {
    client?.close();
    await server?.close();
  });

  const answers: Readonly<Record<string, Zone[string]>> = {
    "bl.spamcop.net": { A: ["127.0.0.2"], TXT: ["Blocked - see a page"] },
    "zen.spamhaus.org": { A: ["127.255.255.254"] },
    "xbl.spamhaus.org": { A: ["127.255.255.252"] },
    "sbl.spamhaus.org": { A: ["127.255.255.255"] },
    "psbl.surriel.com": { A: ["203.0.113.9"] },
    "bl.mailspike.net": "servfail",
    "dnsbl.dronebl.org": "refused",
    "b.barracudacentral.org": "timeout",
  };
  const questions = {
    address,
    domains: [from("example.com")],
    zones: [...Object.keys(answers).map((zone) => tested(zone)), tested("multi.uribl.com", "domain")],
  };

  it("blocklists over the network give one unknown row per failure and an identical replay, and query texts only for listings", async () => {
    const entries = Object.entries(answers).map(([zone, entry]) => [`${reversed}.${zone}`, entry]);
    server = await startDnsServer({
      zone: { ...Object.fromEntries(entries), "example.com.multi.uribl.com": { A: ["127.0.0.1"] } },
    });
    client = createDns({
      servers: [{ host: server.address, port: server.port }],
      timeoutMs: 1_000,
      totalTimeoutMs: 1_000,
      now: () => 0,
    });
    const recording = recordAnswers(client);
    const told = await gatherListings(questions, recording.dns);
    const rows = told.listings.known ? told.listings.value : [];
    const words = rows.map(({ of, fact }) => [of, fact.known ? `listed ${fact.value.text}` : fact.why]);
    expect(Object.fromEntries(words)).toEqual({
      "bl.spamcop.net": "listed Blocked - see a page",
      "zen.spamhaus.org": "refused",
      "xbl.spamhaus.org": "refused",
      "sbl.spamhaus.org": "refused",
      "psbl.surriel.com": "servfail",
      "bl.mailspike.net": "servfail",
      "dnsbl.dronebl.org": "refused",
      "b.barracudacentral.org": "timeout",
    });
    expect(told.domains).toMatchObject({ value: [{ fact: { known: false, why: "refused" } }] });
    expect(server.queries.filter(({ type }) => type === "TXT")).toHaveLength(1);
    const recorded = JSON.parse(JSON.stringify(recording.answers()));
    expect(await gatherListings(questions, replayAnswers(recorded))).toEqual(told);
  });
});

describe("a keyed blocklist", () => {
  it("a keyed blocklist is tested, queried, and replayed without storing its key", async () => {
    const zones = ["s3cr3t.zen.dq.spamhaus.net", "dead.example"].map(toBlocklistZone);
    const world = withListKeys(
      createZoneDns({
        "2.0.0.127.s3cr3t.zen.dq.spamhaus.net": { A: ["127.0.0.2"] },
        [`${reversed}.s3cr3t.zen.dq.spamhaus.net`]: { A: ["127.0.0.10"], TXT: ["asked as s3cr3t.zen"] },
      }),
      zones,
    );
    const states = await createListTests(zones, world, () => 0).states(60_000);
    const recording = recordAnswers(withinBudget(world, { maxQuestions: 2, deadlineAt: 1, now: () => 0 }));
    const told = await gatherListings({ address, domains: [], zones: states }, recording.dns);
    expect(told.listings).toMatchObject({
      value: [
        {
          of: "_key.zen.dq.spamhaus.net",
          fact: { value: { class: "policy", code: "127.0.0.10", text: "asked as ***.zen" } },
        },
        { of: "dead.example", fact: { known: false, why: "unused" } },
      ],
    });
    const kept = JSON.stringify({ told, states, answers: recording.answers() });
    expect(kept).not.toContain("s3cr3t");
    const again = JSON.parse(kept);
    const questions = { address, domains: [], zones: again.states };
    expect(await gatherListings(questions, replayAnswers(again.answers))).toEqual(told);
  });
});
