import { afterEach, describe, expect, it } from "vitest";
import type { Zone } from "../../../src/analyzer/dns/zone.ts";
import { createDns, type DnsOptions } from "../../../src/platform/system/dns-client.ts";
import { type Behaviour, type ServedQuery, startDnsServer } from "../../dns-server.ts";

const open: { close: () => unknown }[] = [];
afterEach(async () => {
  for (const part of open.splice(0).reverse()) await part.close();
});

type Served = {
  readonly zone?: Zone;
  readonly isClosed?: boolean;
  readonly behave?: (query: ServedQuery) => Behaviour | undefined;
};

async function serve(served: Served) {
  const server = await startDnsServer(served);
  open.push(server);
  return server;
}

function ask(servers: readonly { address: string; port: number }[], options: Partial<DnsOptions> = {}) {
  const dns = createDns({
    servers: servers.map(({ address, port }) => ({ host: address, port })),
    timeoutMs: 5_000,
    doubtsAbsence: true,
    now: () => 1_000_000,
    ...options,
  });
  open.push(dns);
  return dns;
}

const corp: Zone = { "corp.test": { A: ["10.0.0.1"] } };

describe("a resolver without public names", () => {
  it("a resolver without public names is not trusted that a name does not exist", async () => {
    const dns = ask([await serve({ isClosed: true })]);
    expect(await dns.query("shop.de", "A")).toMatchObject({ status: "private", records: [] });
  });

  it("a resolver without public names is trusted about the names that it has", async () => {
    const dns = ask([await serve({ zone: corp, isClosed: true })]);
    expect(await dns.query("corp.test", "A")).toMatchObject({ status: "answered" });
    expect(await dns.query("corp.test", "MX")).toMatchObject({ status: "nodata" });
  });

  it.each(["gone.example", "a.test", "printer.local", "x.invalid"])(
    "a resolver without public names is trusted about %s, which exists nowhere on the internet",
    async (name) => {
      const server = await serve({ isClosed: true });
      expect(await ask([server]).query(name, "A")).toMatchObject({ status: "nxdomain" });
      expect(server.queries).toHaveLength(1);
    },
  );

  it("a resolver without public names is trusted about the operator's own domains, and no others", async () => {
    const dns = ask([await serve({ isClosed: true })], { trusted: ["corp.de"] });
    expect(await dns.query("corp.de", "A")).toMatchObject({ status: "nxdomain" });
    expect(await dns.query("_dmarc.mail.corp.de", "TXT")).toMatchObject({ status: "nxdomain" });
    expect(await dns.query("_dmarc.de", "TXT")).toMatchObject({ status: "nxdomain" });
    expect(await dns.query("notcorp.de", "A")).toMatchObject({ status: "private" });
    expect(await dns.query("_dmarc.orp.de", "TXT")).toMatchObject({ status: "private" });
  });

  it("a resolver without public names is not trusted that example.com does not exist", async () => {
    const dns = ask([await serve({ isClosed: true })]);
    expect(await dns.query("example.com", "A")).toMatchObject({ status: "private" });
  });

  it("a resolver without public names is tested with a public name once, for any number of unknown names", async () => {
    const server = await serve({ isClosed: true });
    const dns = ask([server]);
    await Promise.all([...Array(50).keys()].map((index) => dns.query(`a${index}.shop.de`, "A")));
    expect(server.queries.filter(({ name }) => name === "example.com")).toHaveLength(1);
  });

  it("a resolver without public names is tested again a minute later, so that a fix is noticed", async () => {
    let now = 1_000_000;
    const server = await serve({ isClosed: true });
    const dns = ask([server], { now: () => now });
    expect(await dns.query("a.shop.de", "A")).toMatchObject({ status: "private" });
    server.setZone({ "example.com": { A: ["192.0.2.1"] } });
    expect(await dns.query("b.shop.de", "A")).toMatchObject({ status: "private" });
    now += 61_000;
    expect(await dns.query("c.shop.de", "A")).toMatchObject({ status: "nxdomain" });
  });

  it("a resolver without public names does not affect another resolver's answer", async () => {
    const closed = await serve({ isClosed: true, behave: ({ name }) => (name === "a.de" ? { rcode: 5 } : {}) });
    const dns = ask([closed, await serve({})]);
    expect(await dns.query("a.de", "A")).toMatchObject({ status: "nxdomain" });
    expect(await dns.query("b.de", "A")).toMatchObject({ status: "private" });
  });
});

describe("a resolver with public names", () => {
  it("a resolver with public names is trusted, and is tested with a public name only after a missing name", async () => {
    const server = await serve({ zone: corp });
    const dns = ask([server]);
    await dns.query("corp.test", "A");
    expect(server.queries).toHaveLength(1);
    expect(await dns.query("shop.de", "A")).toMatchObject({ status: "nxdomain" });
    expect(await dns.query("shop.org", "A")).toMatchObject({ status: "nxdomain" });
    expect(server.queries.map(({ name }) => name)).toEqual(["corp.test", "shop.de", "example.com", "shop.org"]);
  });

  it("a resolver with public names is trusted while the test with a public name fails", async () => {
    const behave = ({ name }: ServedQuery) => (name === "example.com" ? { rcode: 2 } : {});
    const dns = ask([await serve({ isClosed: true, behave })]);
    expect(await dns.query("shop.de", "A")).toMatchObject({ status: "nxdomain" });
  });
});
