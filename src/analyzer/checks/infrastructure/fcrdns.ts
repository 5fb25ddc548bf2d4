import { defineCheck, notApplicable, skipped } from "../check.ts";
import { addressType, toClient } from "./client.ts";

export const fcrdns = defineCheck({
  id: "fcrdns",
  helpPage: "fix-reverse-dns",
  label: "Forward-confirmed reverse DNS",
  owner: "mail-server",
  asks: "whether reverse DNS resolves back to the sending IP",
  why: "Anyone can put any name into a PTR record. The record counts only if the name resolves back to the IP.",
  refs: ["RFC 8601 §3 (iprev)", "Gmail and Yahoo sender rules"],
  needs: ["session"],
  wants: ["ptr"],
  passes: "",
  findings: {
    mismatch: {
      severity: "critical",
      title: "Reverse DNS does not match",
      says: "Reverse DNS for {ip} is {name}, which resolves to {addresses}, not to {ip}.",
      fix: "Publish `{name}. {type} {ip}`, or set the PTR to a name that resolves to {ip}.",
      gates: [
        { provider: "gmail", sender: "any", reply: "421 4.7.0, then 550 5.7.25" },
        { provider: "yahoo", sender: "any", reply: "421 4.7.0" },
      ],
    },
    confirmed: {
      severity: "good",
      title: "Reverse DNS confirmed",
      says: "Reverse DNS for {ip} is {name}, which resolves back to {ip}.",
      fix: null,
    },
  },
  run({ session, ptr }) {
    const client = toClient(session);
    if ("skipped" in client) return client;
    if (!ptr.known) return skipped(ptr.why);
    const { ip } = client;
    const { confirmed, forward } = ptr.value;
    const [name] = confirmed;
    if (name !== undefined) return [{ finding: "confirmed", data: { ip, name } }];
    const [first] = forward;
    if (first === undefined) return notApplicable("The sending IP has no reverse DNS.");
    const silent = forward.find(({ addresses }) => !addresses.known)?.addresses;
    if (silent !== undefined && !silent.known) return skipped(silent.why);
    const found = first.addresses.known ? first.addresses.value : [];
    const type = addressType(ip);
    const addresses = found.length > 0 ? found : `no ${type === "A" ? "IPv4" : "IPv6"} address`;
    return [{ finding: "mismatch", data: { ip, name: first.name, addresses, type }, evidence: { forward } }];
  },
});
