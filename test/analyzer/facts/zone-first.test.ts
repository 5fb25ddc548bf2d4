import { expect, onTestFinished, test } from "vitest";
import type { Dns } from "../../../src/analyzer/dns/answer.ts";
import { createZoneDns, type Zone } from "../../../src/analyzer/dns/zone.ts";
import { askZoneFirst } from "../../../src/analyzer/facts/zone.ts";
import { createDns } from "../../../src/platform/system/dns-client.ts";
import { type Behaviour, startDnsServer } from "../../dns-server.ts";
import { broken, counting } from "./asking.ts";

const top = { NS: ["ns1.a.test"] };
const resolved: Zone = {
  "a.test": { ...top, TXT: ["old"] },
  "ns1.a.test": { A: ["203.0.113.53"] },
  "_dmarc.a.test": { TXT: ["old policy"] },
  "b.test": { TXT: ["of another"] },
};
const own: Zone = { "a.test": { ...top, TXT: ["new"] } };

const textAt = async (dns: Dns, name: string) => {
  const { status, records } = await dns.query(name, "TXT");
  return records.length === 0 ? status : records.map((record) => record.type === "TXT" && record.parts.join(""));
};

test("a domain's mail records are queried at its own name servers, and other names at the resolver", async () => {
  const resolver = counting(createZoneDns(resolved));
  const zone = counting(createZoneDns(own));
  const opened: unknown[] = [];
  const dns = askZoneFirst("a.test", resolver, (addresses) => {
    opened.push(addresses);
    return zone;
  });
  expect(await textAt(dns, "a.test")).toEqual(["new"]);
  expect(await textAt(dns, "_dmarc.A.test")).toBe("nxdomain");
  expect(await textAt(dns, "b.test")).toEqual(["of another"]);
  await dns.query("a.test", "DS");
  expect(opened).toEqual([["203.0.113.53"]]);
  expect(zone.asked).toEqual(["a.test TXT", "_dmarc.A.test TXT"]);
  expect(resolver.asked).toContain("a.test DS");
});

test.each<[string, () => Dns | null]>([
  ["may not be asked", () => null],
  ["are silent", () => broken("timeout")],
  ["do not know the zone", () => broken("refused")],
])("the resolver is queried if the domain's name servers %s", async (_, open) => {
  const dns = askZoneFirst("a.test", createZoneDns(resolved), open);
  expect(await textAt(dns, "a.test")).toEqual(["old"]);
});

test.each<[string, Behaviour, string[] | string]>([
  ["with authority", { authoritative: true }, ["new"]],
  ["without authority", {}, "servfail"],
])("a response from a server %s counts accordingly", async (_, behaviour, expected) => {
  const server = await startDnsServer({ zone: own, behave: () => behaviour });
  onTestFinished(server.close);
  const servers = [{ host: server.address, port: server.port }];
  const dns = createDns({ servers, direct: true, maxCachedAnswers: 0, now: () => 0 });
  expect(await textAt(dns, "a.test")).toEqual(expected);
  expect(server.queries.map(({ packet }) => packet.flag_rd)).toEqual([false]);
});
