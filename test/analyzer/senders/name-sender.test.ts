import { expect, test } from "vitest";
import { espRows } from "../../../src/analyzer/checks/esp.ts";
import {
  builtIn,
  nameSender,
  senderKinds,
  toProved,
  toSenderTable,
} from "../../../src/analyzer/senders/name-sender.ts";
import senderTable from "../../../src/analyzer/senders/senders.json" with { type: "json" };

const nothing = { spf: null, dkim: null, address: "203.0.113.9", host: null, network: null };
const nameOf = (evidence: Partial<typeof nothing | Record<keyof typeof nothing, string | null>>) => {
  const named = nameSender({ ...nothing, ...evidence }, "shop.example", builtIn);
  return named && [named.name, named.by];
};

test.each([
  [{ spf: "em123.u7.wl.sendgrid.net" }, "SendGrid", "spf"],
  [{ spf: "a9-31.smtp-out.amazonses.com" }, "Amazon SES", "spf"],
  [{ host: "mail-sor-f41.google.com" }, "Google", "reverse-dns"],
  [{ host: "mail-am6eur05on2082.outbound.protection.outlook.com" }, "Microsoft 365 and Outlook.com", "reverse-dns"],
  [{ dkim: "sendgrid.net" }, "SendGrid", "dkim"],
  // Many rent machines there, so the network is the sender.
  [{ host: "static.1.2.3.4.clients.your-server.de" }, "Hetzner (203.0.113.0/24)", "reverse-dns"],
  [{ spf: "bounce.invoicing.example", host: "ec2-3-4-5-6.compute-1.amazonaws.com" }, "invoicing.example", "spf"],
  [{ spf: "bounce.brand.example", host: "o7.ptr1.sendgrid.net" }, "SendGrid", "reverse-dns"],
  // A number may differ.
  [{ spf: "bounce.cmail20.com" }, "Campaign Monitor", "spf"],
  // Signatures pass through forwarders: the server names the sender, not the signature.
  [{ spf: "university.example", dkim: "sendgrid.net" }, "university.example", "spf"],
  [{ host: "lists.club.example", dkim: "sendgrid.net" }, "club.example (203.0.113.0/24)", "reverse-dns"],
  [{ host: "mail-sor-f41.google.com", dkim: "mcsv.net" }, "Google", "reverse-dns"],
  // A dedicated address with a name of the sender's own.
  [{ host: "o1.ptr.shop.example", dkim: "sendgrid.net" }, "SendGrid", "dkim"],
  [{ host: "mx.shop.example" }, "Hosts of shop.example", "reverse-dns"],
  [{ spf: "newsletter.unheard.example" }, "unheard.example", "spf"],
  // Providers make the names of their customers' machines from the addresses.
  [{ host: "ip-203-0-113-9.shop.example" }, "shop.example (203.0.113.0/24)", "reverse-dns"],
  [{ host: "pool-7.dsl.isp.example", network: "Example ISP" }, "isp.example (203.0.113.0/24)", "reverse-dns"],
  [{ network: "Example Networks Ltd" }, "Example Networks Ltd (203.0.113.0/24)", "network"],
  [{}, "203.0.113.0/24", "nothing"],
  [{ address: "2001:db8:0:1::5" }, "2001:db8:0::/48", "nothing"],
  [{ host: "sendgrid.net.evil.example" }, "evil.example (203.0.113.0/24)", "reverse-dns"],
  // Anyone can register another number.
  [{ spf: "bounce.acems999.com" }, "acems999.com", "spf"],
  [{ host: "mx1.mkt4711.com" }, "mkt4711.com (203.0.113.0/24)", "reverse-dns"],
  // Reports may have any text as a domain.
  [{ spf: "Your domain was hacked, call +1 555 0100" }, "203.0.113.0/24", "nothing"],
  [{ spf: "a b.sendgrid.net" }, "203.0.113.0/24", "nothing"],
  [{ host: "notsendgrid.net" }, "notsendgrid.net (203.0.113.0/24)", "reverse-dns"],
] as const)("names the sender of %j", (evidence, name, by) => {
  expect(nameOf(evidence)).toEqual([name, by]);
});

test("names no sender without an address and a domain that passed", () => {
  expect(nameOf({ address: null })).toBeNull();
  expect(nameOf({ address: "' or 1=1; --" })).toBeNull();
});

test("only another organization's domain that passed proves who sent, and a known one comes first", () => {
  const result = (domain: string, word = "pass") => ({ domain, result: word });
  const row = {
    spf: [result("bounce.shop.example"), result("u1.sendgrid.net", "fail")],
    dkim: [result("news.shop.example"), result("agency.example"), result("mcsv.net")],
  };
  expect(toProved(row, "shop.example")).toEqual({ spf: null, dkim: "mcsv.net" });
});

test("the operator's rows add names, and don't change built-in ones", () => {
  const table = toSenderTable([
    { name: "Twilio SendGrid", kind: "service", domains: ["sendgrid.net"], page: null },
    { name: "Our ESP", kind: "service", domains: ["esp.example"], page: null },
  ]);
  const keyOf = (spf: string) => nameSender({ ...nothing, spf }, "shop.example", table)?.key;
  expect([keyOf("u1.sendgrid.net"), keyOf("b.esp.example")]).toEqual(["service:SendGrid", "service:Our ESP"]);
});

test("the table names each domain once, with a known kind and a page over https", () => {
  const rows: readonly { name: string; kind?: string; domains?: string; page?: string }[] = senderTable;
  const services = new Set(espRows.map(({ name }) => name));
  const domains = [...rows, ...espRows].flatMap((row) => row.domains?.split(" ") ?? []);
  const perRow = (row: { domains?: string }) => new Set(row.domains?.split(" "));
  expect(rows.flatMap((row) => [...perRow(row)])).toHaveLength(new Set(rows.flatMap((row) => [...perRow(row)])).size);
  expect(
    rows.filter(({ domains: own = "" }) =>
      own.split(" ").some((one) => espRows.some((esp) => esp.domains?.split(" ").includes(one))),
    ),
  ).toEqual([]);
  expect(domains.filter((domain) => !/^[a-z\d#.-]+\.[a-z]+$/.test(domain))).toEqual([]);
  for (const { name, kind, page } of rows) {
    expect([name, kind === undefined ? services.has(name) : senderKinds.some((known) => known === kind)]).toEqual([
      name,
      true,
    ]);
    if (page !== undefined) expect(new URL(page).protocol).toBe("https:");
  }
});
