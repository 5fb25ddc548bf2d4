import { expect, test } from "vitest";
import { createZoneDns, type Zone } from "../../../src/analyzer/dns/zone.ts";
import { gatherHelo } from "../../../src/analyzer/facts/helo.ts";
import { broken, counting, troubles } from "./asking.ts";

const receiver = { names: ["mx.seed.example"], addresses: ["192.0.2.25"] };
const session = (helo: string | null, clientAddress: string | null = "203.0.113.7") =>
  ({ door: { kind: "smtp" }, helo, clientAddress }) as const;
const gather = (helo: string | null, zone: Zone = {}, clientAddress?: string) =>
  gatherHelo(session(helo, clientAddress), receiver, createZoneDns(zone));

test.each([
  ["mail.a.example", "fqdn"],
  ["MAIL-1.a.example", "fqdn"],
  ["xn--bcher-kva.example", "fqdn"],
  ["mailserver", "single-label"],
  ["localhost", "local"],
  ["LOCALHOST", "local"],
  ["localhost.localdomain", "local"],
  ["nas.lan", "local"],
  ["dc1.corp.internal", "local"],
  ["printer.local", "local"],
  ["box.home.arpa", "local"],
  ["[203.0.113.7]", "literal"],
  ["[IPv6:2001:db8::7]", "literal"],
  ["203.0.113.7", "bare-ip"],
  ["2001:db8::7", "bare-ip"],
  ["", "empty"],
  ["[203.0.113.777]", "invalid"],
  ["[2001:db8::7]", "invalid"],
  ["my_host.a.example", "invalid"],
  ["-mail.a.example", "invalid"],
  ["mail..example", "invalid"],
  ["mail.a.example.", "invalid"],
  ["mail a.example", "invalid"],
  ["1.2.3.4.5", "invalid"],
  ["bücher.example", "invalid"],
  ["x\0.a.example", "invalid"],
  [`${"x".repeat(64)}.example`, "invalid"],
  ["y.".repeat(100_000), "invalid"],
] as const)("the HELO %j is %s", async (helo, form) => {
  const fact = await gather(helo, { "mail.a.example": { A: ["203.0.113.7"] } });
  expect(fact).toMatchObject({ known: true, value: { form } });
  expect(JSON.stringify(fact).length).toBeLessThan(1_000);
});

test("a client that sent no HELO has an empty greeting", async () => {
  expect(await gather(null)).toMatchObject({ known: true, value: { text: "", form: "empty" } });
});

test("the HELO name's addresses of both families are listed, with a match for the client", async () => {
  const zone = { "mail.a.example": { A: ["203.0.113.7"], AAAA: ["2001:db8::7"] } };
  expect(await gather("mail.a.example", zone)).toMatchObject({
    value: { addresses: { known: true, value: ["203.0.113.7", "2001:db8::7"] }, isClient: true, ours: false },
  });
  expect(await gather("mail.a.example", zone, "198.51.100.1")).toMatchObject({ value: { isClient: false } });
});

test("a HELO name that does not exist has no address", async () => {
  expect(await gather("gone.a.example")).toMatchObject({ value: { addresses: { known: true, value: [] } } });
});

test("an address of the client's family is enough", async () => {
  const zone = { "mail.a.example": { A: ["203.0.113.7"], AAAA: "timeout" } } as const;
  expect(await gather("mail.a.example", zone)).toMatchObject({
    value: { addresses: { known: true, value: ["203.0.113.7"] }, isClient: true },
  });
});

test("a HELO name is unknown if one family does not answer and the other is empty", async () => {
  expect(await gather("mail.a.example", { "mail.a.example": { A: [], AAAA: "timeout" } })).toMatchObject({
    value: { addresses: { known: false, why: "timeout" }, isClient: false },
  });
  expect(await gather("mail.a.example", { "mail.a.example": { A: "servfail", AAAA: ["2001:db8::7"] } })).toMatchObject({
    value: { addresses: { known: false, why: "servfail" } },
  });
});

test.each(troubles)("a %s keeps the form of the HELO and makes its addresses unknown", async (status, why) => {
  expect(await gatherHelo(session("mail.a.example"), receiver, broken(status))).toMatchObject({
    value: { form: "fqdn", addresses: { known: false, why } },
  });
});

test.each(["mx.seed.example", "MX.Seed.Example", "192.0.2.25", "[192.0.2.25]"])("%s is our own name", async (helo) => {
  expect(await gather(helo)).toMatchObject({ value: { ours: true } });
});

test.each(["mail.seed.example", "seed.example", "[192.0.2.26]"])("%s is not our own name", async (helo) => {
  expect(await gather(helo)).toMatchObject({ value: { ours: false } });
});

test("only a HELO that is a host name is looked up", async () => {
  const dns = counting(createZoneDns({}));
  for (const helo of ["localhost", "host", "[203.0.113.7]", "203.0.113.7", "", "a_b.example"])
    await gatherHelo(session(helo), receiver, dns);
  expect(dns.asked).toEqual([]);
});

test("a private client or an upload without HELO has an unknown greeting", async () => {
  expect(await gather("mail.a.example", {}, "10.0.0.1")).toEqual({ known: false, why: "not-public" });
  const upload = { door: { kind: "upload" }, helo: null, clientAddress: "203.0.113.7" } as const;
  expect(await gatherHelo(upload, receiver, createZoneDns({}))).toEqual({ known: false, why: "no-session" });
  expect(await gatherHelo({ ...upload, clientAddress: null }, receiver, createZoneDns({}))).toEqual({
    known: false,
    why: "no-session",
  });
});
