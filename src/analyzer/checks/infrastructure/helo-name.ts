import { defineCheck, passed, skipped } from "../check.ts";
import { hostNameFor, toClient } from "./client.ts";

const fix = "Set the HELO name to a hostname that resolves to {ip} (Postfix: `myhostname = {host}`).";

export const heloName = defineCheck({
  id: "helo-name",
  helpPage: "fix-helo",
  label: "HELO name",
  owner: "mail-server",
  asks: "whether the server uses a valid HELO name",
  why: "A bad HELO name is typical of bots.",
  refs: ["RFC 5321 §2.3.5", "RFC 5321 §4.1.1.1", "RFC 5321 §4.1.3"],
  needs: ["session"],
  wants: ["helo", "ptr", "message"],
  passes: "The server used the HELO name {helo}.",
  findings: {
    "not-a-name": {
      severity: "major",
      title: "HELO is not a hostname",
      says: 'The HELO name "{helo}" is {what}, not a public hostname.',
      fix,
      gates: [{ provider: "outlook", sender: "any", may: true, reply: "550 5.7.506" }],
    },
    "address-literal": {
      severity: "minor",
      cost: 8,
      title: "HELO is an IP address",
      says: "The server used the IP address {helo} as its HELO name.",
      fix,
    },
    impersonates: {
      severity: "critical",
      title: "HELO uses the receiver's name",
      says: "The server used the receiving server's own name as its HELO name ({helo}).",
      fix: "Set the HELO name to the sending server's own hostname (Postfix: `myhostname = {host}`).",
      gates: [{ provider: "outlook", sender: "any", may: true, reply: "550 5.7.506" }],
    },
    "helo-only": {
      severity: "info",
      title: "HELO instead of EHLO",
      says: "The server used HELO instead of EHLO, which rules out TLS and size checks.",
      fix: "Configure the server to use EHLO.",
    },
  },
  run({ session, helo: fact, ptr, message }) {
    const client = toClient(session);
    if ("skipped" in client) return client;
    if (!fact.known) return skipped(fact.why);
    const { ip } = client;
    const { text: helo, form, ours } = fact.value;
    const isOld = session.conduct?.esmtp === false && /^SMTPS?$/.test(session.protocol);
    const old = isOld ? [{ finding: "helo-only" as const, data: { helo } }] : [];
    const data = { ip, helo, host: hostNameFor({ message, ptr }) };
    if (ours) return [{ finding: "impersonates", data }, ...old];
    if (form === "literal") return [{ finding: "address-literal", data }, ...old];
    if (form !== "fqdn") return [{ finding: "not-a-name", data: { ...data, what: forms[form] } }, ...old];
    return isOld ? old : passed({ helo });
  },
});

const forms = {
  "single-label": "a single label",
  local: "a private network name",
  "bare-ip": "an IP address without brackets",
  empty: "empty",
  invalid: "an invalid DNS name",
} as const;
