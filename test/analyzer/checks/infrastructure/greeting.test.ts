import { known, unknown } from "../../../../src/analyzer/checks/fact.ts";
import { heloName } from "../../../../src/analyzer/checks/infrastructure/helo-name.ts";
import { heloResolves } from "../../../../src/analyzer/checks/infrastructure/helo-resolves.ts";
import { smtpConduct } from "../../../../src/analyzer/checks/infrastructure/smtp-conduct.ts";
import { tlsUsed } from "../../../../src/analyzer/checks/infrastructure/tls-used.ts";
import type { Case } from "../test-check.ts";
import { testCheck } from "../test-check.ts";
import {
  confirmed,
  fromOurselves,
  fromPrivate,
  fromUpload,
  helo,
  ip,
  letter,
  message,
  ptr,
  session,
  viaRelay,
} from "./facts.ts";

const noName = { addresses: known([]) };
const oldGreeting = session({
  protocol: "SMTP",
  tls: null,
  conduct: { esmtp: false, offered: [], declares8Bit: false, declaredSizeBytes: null },
});

const wrongGreetings = (
  [
    ["localhost", "local", "a private network name"],
    ["mailer", "single-label", "a single label"],
    ["203.0.113.7", "bare-ip", "an IP address without brackets"],
    ["", "empty", "empty"],
    ["my_host!", "invalid", "an invalid DNS name"],
  ] as const
).map(
  ([text, form, what]): Case => ({
    when: `fails a greeting that is ${what}`,
    facts: { session: session(), helo: helo(text, { form, ...noName }), ptr: confirmed },
    finds: ["not-a-name"],
    says: `The HELO name "${text}" is ${what}, not a public hostname.`,
    fix: "Set the HELO name to a hostname that resolves to 203.0.113.7 (Postfix: `myhostname = mail.a.example`).",
  }),
);

testCheck(heloName, [
  { when: "passes a host name", facts: { session: session(), helo: helo("mail.a.example") } },
  { when: "passes a name next to our own", facts: { session: session(), helo: helo("mx2.seed.example") } },
  ...wrongGreetings,
  {
    when: "reports an address literal",
    facts: { session: session(), helo: helo("[203.0.113.7]", { form: "literal", addresses: known([ip]) }) },
    finds: ["address-literal"],
    says: "The server used the IP address [203.0.113.7] as its HELO name.",
  },
  {
    when: "finds our own name",
    facts: { session: session(), helo: helo("mx.seed.example", { ours: true, ...noName }), message },
    finds: ["impersonates"],
    fix: "Set the HELO name to the sending server's own hostname (Postfix: `myhostname = mail.a.example`).",
  },
  {
    when: "reports HELO instead of EHLO",
    facts: { session: oldGreeting, helo: helo("mail.a.example") },
    finds: ["helo-only"],
  },
  {
    when: "reports HELO instead of EHLO next to an invalid name",
    facts: { session: oldGreeting, helo: helo("localhost", { form: "local", ...noName }) },
    finds: ["not-a-name", "helo-only"],
  },
  {
    when: "is skipped for a private client that uses our name",
    facts: { session: fromPrivate },
    unknown: { helo: "not-public" },
    outcome: "skipped",
  },
  {
    when: "is skipped for an upload that claims an IP and no HELO",
    facts: { session: { ...fromUpload, clientAddress: ip, isPublic: true } },
    unknown: { helo: "no-session" },
    outcome: "skipped",
  },
  {
    when: "judges the HELO that an upload claims",
    facts: {
      session: { ...fromUpload, clientAddress: ip, isPublic: true, helo: "localhost" },
      helo: helo("localhost", { form: "local", ...noName }),
    },
    finds: ["not-a-name"],
  },
  {
    when: "is skipped while the HELO is unknown",
    facts: { session: session() },
    unknown: { helo: "budget" },
    outcome: "skipped",
  },
]);

testCheck(heloResolves, [
  { when: "passes a name that resolves to the client", facts: { session: session(), helo: helo("mail.a.example") } },
  {
    when: "reports a name that does not resolve",
    facts: { session: session(), helo: helo("mail.a.example", noName) },
    finds: ["no-address"],
    fix: "Publish `mail.a.example. A 203.0.113.7`.",
  },
  {
    when: "reports a name that resolves elsewhere, and suggests a better one",
    facts: { session: session(), helo: helo("lb.a.example", { addresses: known(["198.51.100.1"]) }), ptr: confirmed },
    finds: ["other-address"],
    says: "The HELO name lb.a.example resolves to 198.51.100.1, not to 203.0.113.7.",
    fix: "Optional: use a HELO name that resolves to 203.0.113.7, such as mail.a.example.",
  },
  {
    when: "reports a name that resolves elsewhere without reverse DNS too",
    facts: { session: session(), helo: helo("lb.a.example", { addresses: known(["198.51.100.1"]) }) },
    unknown: { ptr: "timeout" },
    finds: ["other-address"],
    fix: "Optional: use a HELO name that resolves to 203.0.113.7.",
  },
  {
    when: "leaves a reverse DNS name that does not resolve back to fcrdns",
    facts: { session: session(), helo: helo("Mail.A.example", noName), ptr: ptr({ "mail.a.example": [] }) },
    outcome: "not-applicable",
  },
  {
    when: "leaves an invalid host name to helo-name",
    facts: { session: session(), helo: helo("localhost", { form: "local", ...noName }) },
    outcome: "not-applicable",
  },
  {
    when: "leaves our own name to helo-name",
    facts: { session: session(), helo: helo("mx.seed.example", { ours: true, ...noName }) },
    outcome: "not-applicable",
  },
  {
    when: "is skipped while DNS does not answer",
    facts: { session: session(), helo: helo("mail.a.example", { addresses: unknown("timeout") }) },
    outcome: "skipped",
  },
  {
    when: "is skipped while the HELO is unknown",
    facts: { session: session() },
    unknown: { helo: "timeout" },
    outcome: "skipped",
  },
  {
    when: "does not apply to an upload that claims no HELO",
    facts: { session: { ...fromUpload, clientAddress: ip, isPublic: true } },
    outcome: "not-applicable",
  },
  { when: "is skipped for a private client", facts: { session: fromPrivate }, outcome: "skipped" },
]);

const withTls = (version: string, cipher: string) => session({ tls: { version, cipher, serverName: null } });

testCheck(tlsUsed, [
  {
    when: "praises TLS 1.3",
    facts: { session: session() },
    finds: ["modern"],
    says: "The session used TLS 1.3 with TLS_AES_256_GCM_SHA384.",
  },
  {
    when: "praises TLS 1.2 with forward secrecy",
    facts: { session: withTls("TLSv1.2", "ECDHE-RSA-AES256-GCM-SHA384") },
    finds: ["modern"],
  },
  {
    when: "finds an unencrypted session",
    facts: { session: session({ tls: null, protocol: "ESMTP" }) },
    finds: ["none"],
  },
  {
    when: "finds TLS 1.0",
    facts: { session: withTls("TLSv1", "ECDHE-RSA-AES256-SHA") },
    finds: ["old-version"],
    says: "The session used TLS 1.0, which is retired.",
  },
  {
    when: "finds TLS 1.1",
    facts: { session: withTls("TLSv1.1", "ECDHE-RSA-AES256-SHA") },
    finds: ["old-version"],
    says: "The session used TLS 1.1, which is retired.",
  },
  {
    when: "reports a cipher without forward secrecy",
    facts: { session: withTls("TLSv1.2", "AES256-GCM-SHA384") },
    finds: ["weak-cipher"],
    says: "The session used AES256-GCM-SHA384, which has no forward secrecy.",
  },
  {
    when: "reports a broken cipher",
    facts: { session: withTls("TLSv1.2", "DES-CBC3-SHA") },
    finds: ["weak-cipher"],
    says: "The session used DES-CBC3-SHA, which has long been broken.",
  },
  {
    when: "reports a cipher without encryption in an old version",
    facts: { session: withTls("TLSv1", "ECDHE-RSA-NULL-SHA") },
    finds: ["old-version", "weak-cipher"],
  },
  {
    when: "does not apply to a client that was not offered TLS",
    facts: { session: oldGreeting },
    outcome: "not-applicable",
  },
  { when: "is skipped for a private network", facts: { session: { ...fromPrivate, tls: null } }, outcome: "skipped" },
  {
    when: "does not apply to the operator's own relay",
    facts: { session: { ...viaRelay, tls: null } },
    outcome: "not-applicable",
  },
  { when: "does not apply to an upload", facts: { session: fromUpload }, outcome: "not-applicable" },
]);

const { raw: eightBit } = letter("ann@a.example", "Grüße");
const { raw: sevenBit } = letter();
const declared = session({
  conduct: { esmtp: true, offered: ["8BITMIME"], declares8Bit: true, declaredSizeBytes: null },
});

testCheck(smtpConduct, [
  { when: "passes a client that waits", facts: { session: session(), raw: sevenBit } },
  { when: "passes a client that pipelines commands as offered", facts: { session: session({ pipelining: true }) } },
  {
    when: "reports a client that talks before the greeting",
    facts: { session: session({ earlyTalk: true }) },
    finds: ["early-talk"],
  },
  {
    when: "reports a command sent right after STARTTLS",
    facts: { session: session({ unawaited: [{ behind: "STARTTLS", sent: "EHLO a.example" }] }) },
    finds: ["pipelining-fault"],
    says: 'The server sent "EHLO a.example" without waiting for the reply to STARTTLS.',
  },
  {
    when: "reports a message sent right after DATA",
    facts: { session: session({ unawaited: [{ behind: "DATA", sent: null }] }) },
    finds: ["pipelining-fault"],
    says: "The server sent the message without waiting for the reply to DATA.",
  },
  { when: "reports undeclared 8-bit text", facts: { session: session(), raw: eightBit }, finds: ["undeclared-8bit"] },
  { when: "passes declared 8-bit text", facts: { session: declared, raw: eightBit } },
  { when: "passes 8-bit text if it could not be declared", facts: { session: oldGreeting, raw: eightBit } },
  { when: "ignores text that was not read", facts: { session: session() }, unknown: { raw: "parser-failed" } },
  {
    when: "does not apply to the operator's own relay",
    facts: { session: { ...viaRelay, earlyTalk: true } },
    outcome: "not-applicable",
  },
  { when: "does not apply to mail to itself", facts: { session: fromOurselves }, outcome: "not-applicable" },
  { when: "does not apply to an upload", facts: { session: fromUpload }, outcome: "not-applicable" },
]);
