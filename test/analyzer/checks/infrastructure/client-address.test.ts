import { fcrdns } from "../../../../src/analyzer/checks/infrastructure/fcrdns.ts";
import { ptrGeneric } from "../../../../src/analyzer/checks/infrastructure/ptr-generic.ts";
import { ptrRecord } from "../../../../src/analyzer/checks/infrastructure/ptr-record.ts";
import { sourceAddress } from "../../../../src/analyzer/checks/infrastructure/source-address.ts";
import { testCheck } from "../test-check.ts";
import {
  confirmed,
  dedicated,
  fromOurselves,
  fromPrivate,
  fromUpload,
  helo,
  ip,
  kind,
  letter,
  listing,
  message,
  ptr,
  session,
  shared,
  silentRow,
  viaRelay,
} from "./facts.ts";

testCheck(sourceAddress, [
  { when: "passes a public IP", facts: { session: session() } },
  {
    when: "passes a public IP behind a trusted proxy",
    facts: { session: session({ via: { how: "proxy-v2", address: "10.0.0.1" } }) },
    says: "The message came from 203.0.113.7, a public IP address.",
  },
  {
    when: "reports a private IP",
    facts: { session: fromPrivate },
    finds: ["private"],
    says: "The message came from 10.1.2.3, a private IP address, so SPF, reverse DNS, and blocklists were not checked.",
  },
  {
    when: "names the outgoing server that is assumed instead of the client",
    facts: { session: session({ connectedFrom: "127.0.0.1" }) },
    finds: ["assumed"],
    says: "The message came from 127.0.0.1. It is judged as if it came from 203.0.113.7, your workspace’s outgoing server.",
  },
  { when: "reports IPv6", facts: { session: session({ clientAddress: "2001:db8::7" }) }, finds: ["ipv6"] },
  { when: "reports that Assay sent the message to itself", facts: { session: fromOurselves }, finds: ["looped"] },
  { when: "is skipped for an upload", facts: { session: fromUpload }, outcome: "skipped" },
  {
    when: "judges an IP that an upload claims",
    facts: { session: { ...fromUpload, clientAddress: ip, isPublic: true } },
  },
  {
    when: "is skipped for a client that the relay before us does not name",
    facts: { session: { ...viaRelay, clientAddress: null, isPublic: false } },
    outcome: "skipped",
  },
]);

const many = Object.fromEntries(Array.from({ length: 14 }, (_, n) => [`mail${n}.a.example`, [ip]]));

testCheck(ptrRecord, [
  { when: "passes one reverse DNS name", facts: { session: session(), ptr: confirmed } },
  {
    when: "passes two reverse DNS names",
    facts: { session: session(), ptr: ptr({ "a.example": [], "mail.a.example": [ip] }) },
    says: "Reverse DNS for 203.0.113.7 is a.example and mail.a.example.",
  },
  {
    when: "finds an IP without a name, and suggests the HELO name",
    facts: { session: session(), ptr: ptr({}), helo: helo("out.a.example"), message },
    finds: ["missing"],
    says: "203.0.113.7 has no reverse DNS (PTR record).",
    fix: "Ask your hosting provider to set the PTR record for 203.0.113.7 to out.a.example, and make out.a.example resolve to 203.0.113.7.",
  },
  {
    when: "suggests a name in the author's domain if the HELO is not a name",
    facts: {
      session: session(),
      ptr: ptr({}),
      helo: helo("localhost", { form: "local" }),
      ...letter("ann@news.a.example"),
    },
    finds: ["missing"],
    fix: "Ask your hosting provider to set the PTR record for 203.0.113.7 to mail.a.example, and make mail.a.example resolve to 203.0.113.7.",
  },
  {
    when: "reports fourteen names",
    facts: { session: session(), ptr: ptr(many) },
    finds: ["many"],
    says: "203.0.113.7 has 14 reverse DNS names. Receivers use one of them or give up.",
  },
  {
    when: "is skipped while DNS does not answer",
    facts: { session: session() },
    unknown: { ptr: "servfail" },
    outcome: "skipped",
  },
  {
    when: "is skipped for a private IP",
    facts: { session: fromPrivate },
    unknown: { ptr: "not-public" },
    outcome: "skipped",
  },
  {
    when: "is skipped for an upload",
    facts: { session: fromUpload },
    unknown: { ptr: "no-session" },
    outcome: "skipped",
  },
]);

testCheck(fcrdns, [
  {
    when: "reports a name that resolves back to the IP",
    facts: { session: session(), ptr: confirmed },
    finds: ["confirmed"],
    says: "Reverse DNS for 203.0.113.7 is mail.a.example, which resolves back to 203.0.113.7.",
  },
  {
    when: "accepts the second of two names",
    facts: { session: session(), ptr: ptr({ "a.example": ["198.51.100.9"], "b.example": [ip] }) },
    finds: ["confirmed"],
  },
  {
    when: "finds a name that resolves elsewhere",
    facts: { session: session(), ptr: ptr({ "mail.a.example": ["198.51.100.9"] }) },
    finds: ["mismatch"],
    says: "Reverse DNS for 203.0.113.7 is mail.a.example, which resolves to 198.51.100.9, not to 203.0.113.7.",
    fix: "Publish `mail.a.example. A 203.0.113.7`, or set the PTR to a name that resolves to 203.0.113.7.",
  },
  {
    when: "finds a name that does not resolve over IPv6",
    facts: { session: session({ clientAddress: "2001:db8::7" }), ptr: ptr({ "mail.a.example": [] }) },
    finds: ["mismatch"],
    says: "Reverse DNS for 2001:db8::7 is mail.a.example, which resolves to no IPv6 address, not to 2001:db8::7.",
  },
  {
    when: "is skipped while one of the names may still resolve back",
    facts: { session: session(), ptr: ptr({ "a.example": ["198.51.100.9"], "b.example": "timeout" }) },
    outcome: "skipped",
  },
  {
    when: "leaves an IP without a name to ptr-record",
    facts: { session: session(), ptr: ptr({}) },
    outcome: "not-applicable",
  },
  {
    when: "is skipped while the reverse name is unknown",
    facts: { session: session() },
    unknown: { ptr: "timeout" },
    outcome: "skipped",
  },
  {
    when: "is skipped for mail to itself",
    facts: { session: fromOurselves },
    unknown: { ptr: "not-public" },
    outcome: "skipped",
  },
]);

const dynamic = ptr(
  { "203-0-113-7.dyn.isp.example": [ip] },
  { generic: "dynamic", pattern: "the IP address is in the name" },
);
const rented = ptr(
  { "ec2-203-0-113-7.compute.amazonaws.com": [ip] },
  { generic: "provider-default", pattern: "Amazon EC2" },
);
const onPolicyList = [listing("zen.spamhaus.org", { class: "policy", code: "127.0.0.11" })];
const notListed = [listing("zen.spamhaus.org", { class: "major", listed: false, code: null })];

testCheck(ptrGeneric, [
  { when: "passes a chosen name", facts: { session: session(), kind: kind(), ptr: confirmed } },
  {
    when: "reports a dynamic IP",
    facts: { session: session(), kind: kind(), ptr: dynamic, dnsbl: notListed, message },
    finds: ["dynamic"],
    says: "The reverse DNS name 203-0-113-7.dyn.isp.example looks like a home or dynamic connection (the IP address is in the name).",
    fix: "Have the PTR record for 203.0.113.7 set to a hostname in your domain, for example `mail.a.example`.",
  },
  {
    when: "recognizes a dynamic IP without blocklists too",
    facts: { session: session(), kind: kind(), ptr: dynamic },
    finds: ["dynamic"],
  },
  {
    when: "leaves a range on a policy blocklist to that check",
    facts: { session: session(), kind: kind(), ptr: dynamic, dnsbl: onPolicyList },
    outcome: "not-applicable",
  },
  {
    when: "does not treat a blocklist that refused as one that answered",
    facts: { session: session(), kind: kind(), ptr: dynamic, dnsbl: [silentRow("zen.spamhaus.org", "refused")] },
    finds: ["dynamic"],
  },
  {
    when: "reports a hosting provider's default name",
    facts: { session: session(), kind: kind(), ptr: rented },
    finds: ["provider-default"],
  },
  {
    when: "accepts the default name of a host that a service sends from",
    facts: { session: session(), kind: dedicated, ptr: rented },
  },
  {
    when: "does not apply to the names of a shared service",
    facts: { session: session(), kind: shared, ptr: dynamic },
    outcome: "not-applicable",
  },
  {
    when: "leaves a name that does not resolve back to fcrdns",
    facts: { session: session(), kind: kind(), ptr: ptr({ "dyn7.isp.example": [] }, { generic: "dynamic" }) },
    outcome: "not-applicable",
  },
  {
    when: "leaves an IP without a name to ptr-record",
    facts: { session: session(), kind: kind(), ptr: ptr({}) },
    outcome: "not-applicable",
  },
  {
    when: "is skipped for a private IP",
    facts: { session: fromPrivate, kind: kind() },
    unknown: { ptr: "not-public" },
    outcome: "skipped",
  },
  {
    when: "is skipped while the reverse name is unknown",
    facts: { session: session(), kind: kind() },
    unknown: { ptr: "timeout" },
    outcome: "skipped",
  },
]);
