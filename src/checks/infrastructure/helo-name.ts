import { defineCheck, notApplicable, passed, skipped } from "../check.ts";
import { hostNameFor, toClient } from "./client.ts";

const fix = "Set its HELO name to a name that resolves to {ip} (Postfix: `myhostname = {host}`).";

export const heloName = defineCheck({
  id: "helo-name",
  area: "infrastructure",
  label: "HELO name",
  owner: "mail-server",
  asks: "whether the server greets with a proper name",
  why: "A wrong greeting is an old and cheap sign of a bot.",
  refs: ["RFC 5321 §2.3.5", "RFC 5321 §4.1.1.1", "RFC 5321 §4.1.3"],
  needs: ["session"],
  wants: ["helo", "ptr", "message"],
  kinds: "all",
  domain: "no",
  passes: "The server greeted as {helo}.",
  findings: {
    "not-a-name": {
      severity: "major",
      cost: 18,
      title: "HELO is not a hostname",
      says: 'The server greeted as "{helo}", which is {what} and not a public host name.',
      fix,
      gates: [{ provider: "outlook", sender: "any", may: true, reply: "550 5.7.506" }],
    },
    "address-literal": {
      severity: "minor",
      cost: 8,
      title: "HELO is an IP address",
      says: "The server greeted as {helo}, an address instead of a name.",
      fix,
    },
    impersonates: {
      severity: "critical",
      cost: 45,
      title: "HELO uses the receiver's name",
      says: "The server greeted with our own name ({helo}).",
      fix: "Set the HELO name to the sending host's own name (Postfix: `myhostname = {host}`).",
      gates: [{ provider: "outlook", sender: "any", may: true, reply: "550 5.7.506" }],
    },
    "helo-only": {
      severity: "info",
      cost: 0,
      title: "HELO instead of EHLO",
      says: "The server used the old HELO greeting, so no TLS or size check was possible.",
      fix: "Let it use EHLO.",
    },
  },
  run({ session, helo: fact, ptr, message }) {
    const client = toClient(session);
    if ("notApplicable" in client) return client;
    if (session.source === "claimed" && session.helo === null)
      return notApplicable("The message was uploaded, and nobody said how the server would greet.");
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
  "single-label": "a single word",
  local: "a name of a private network",
  "bare-ip": "an address without brackets",
  empty: "nothing",
  invalid: "no name that DNS could hold",
} as const;
