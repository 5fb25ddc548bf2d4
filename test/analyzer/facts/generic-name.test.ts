import { expect, test } from "vitest";
import { judgeName } from "../../../src/analyzer/facts/generic-name.ts";
import { accessLineWords, providerDefaults } from "../../../src/analyzer/facts/generic-name-table.ts";

const rows = [...accessLineWords, ...providerDefaults];
const client = "203.0.113.7";
const stranger = "198.51.100.250";

test.each(rows.flatMap((row) => row.fires.map((name) => ({ name, ...row }))))(
  "the host name $name is generic: $says",
  ({ name, kind, says }) => {
    expect(judgeName(name, stranger)).toEqual({ kind, pattern: says });
  },
);

test.each(rows.flatMap((row) => row.quiet.map((name) => ({ name }))))(
  "the host name $name is not generic",
  ({ name }) => {
    expect(judgeName(name, stranger)).toBeNull();
  },
);

test.each([
  ["203-0-113-7.isp.example", client, "dynamic"],
  ["7.113.0.203.isp.example", client, "dynamic"],
  ["h203.0.113.7.isp.example", client, "dynamic"],
  ["x203000113007x.isp.example", client, "dynamic"],
  ["pcb007107.isp.example", client, "dynamic"],
  ["113-0-203.isp.example", client, "dynamic"],
  ["198-51-100-8.isp.example", client, "dynamic"],
  ["static-203-0-113-7.isp.example", client, "provider-default"],
  ["203-0-113-7.rev.host.example", client, "provider-default"],
  ["2001-db8--7.isp.example", "2001:db8::7", "dynamic"],
  ["2001-db8-0-0-0-0-0-7.isp.example", "2001:db8::7", "dynamic"],
  ["20010db8000000000000000000000007.isp.example", "2001:db8::7", "dynamic"],
  ["7.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.isp.example", "2001:db8::7", "dynamic"],
])("the IP address is part of the name %s", (name, address, kind) => {
  expect(judgeName(name, address)).toEqual({ kind, pattern: "the IP address is in the name" });
});

test.each([
  ["mail-203-0-113-7.esp.example", client],
  ["o1.ptr7.esp.example", client],
  ["mta12-203-0-113-7.esp.example", client],
  ["smtp203-0-113-7.esp.example", client],
  ["out-7.dyn.a.example", client],
  ["a8-31.smtp-out.amazonses.com", "54.240.8.31"],
  ["mail-am0eur05on2104.outbound.protection.outlook.com", "2a01:111:f403::7"],
  ["mail.a.example", client],
  ["six.a.example", "2001:db8::7"],
  ["web3.a.example", client],
  ["dyn.example", client],
])("%s is a mail server's name", (name, address) => {
  expect(judgeName(name, address)).toBeNull();
});
