import { defineCheck, passed, skipped } from "../check.ts";
import { hostNameFor, toClient } from "./client.ts";

/** Receivers look at no more (RFC 7208 §5.5 has the same limit). */
const maxNames = 10;

export const ptrRecord = defineCheck({
  id: "ptr-record",
  helpPage: "fix-reverse-dns",
  label: "Reverse DNS",
  owner: "mail-server",
  asks: "whether the sending IP has reverse DNS",
  why: "Most large providers reject or defer mail from an IP without reverse DNS.",
  refs: ["RFC 1912 §2.1", "Gmail, Yahoo, Microsoft and Apple sender rules"],
  needs: ["session"],
  wants: ["ptr", "helo", "message"],
  passes: "Reverse DNS for {ip} is {names}.",
  findings: {
    missing: {
      severity: "critical",
      title: "No reverse DNS",
      says: "{ip} has no reverse DNS (PTR record).",
      fix: "Ask your hosting provider to set the PTR record for {ip} to {host}, and make {host} resolve to {ip}.",
      gates: [
        { provider: "gmail", sender: "any", reply: "421 4.7.0, then 550 5.7.25 (over IPv6 550 5.7.1)" },
        { provider: "outlook", sender: "any", reply: "550 5.7.25" },
      ],
    },
    many: {
      severity: "minor",
      cost: 3,
      title: "Multiple reverse DNS names",
      says: "{ip} has {count} reverse DNS names. Receivers use one of them or give up.",
      fix: "Keep the one that matches the HELO name.",
    },
  },
  run({ session, ptr, helo, message }) {
    const client = toClient(session);
    if ("skipped" in client) return client;
    if (!ptr.known) return skipped(ptr.why);
    const { ip } = client;
    const { count, names } = ptr.value;
    if (count === 0) return [{ finding: "missing", data: { ip, host: hostNameFor({ message, helo }) } }];
    return count > maxNames
      ? [{ finding: "many", data: { ip, count }, evidence: { names: names.slice(0, maxNames) } }]
      : passed({ ip, names });
  },
});
