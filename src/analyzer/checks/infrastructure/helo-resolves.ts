import { doors, hasOwnSession } from "../../mail/session/doors.ts";
import { defineCheck, notApplicable, passed, skipped } from "../check.ts";
import { addressType, toClient } from "./client.ts";

export const heloResolves = defineCheck({
  id: "helo-resolves",
  helpPage: "fix-helo",
  label: "HELO resolution",
  owner: "mail-server",
  asks: "whether the HELO name resolves",
  why: "Receivers cannot verify a HELO name that does not resolve.",
  refs: ["RFC 5321 §4.1.1.1"],
  needs: ["session"],
  wants: ["helo", "ptr"],
  passes: "The HELO name {helo} resolves to {ip}.",
  findings: {
    "no-address": {
      severity: "minor",
      cost: 8,
      title: "HELO name does not resolve",
      owner: "dns",
      says: "The HELO name {helo} does not resolve.",
      fix: "Publish `{helo}. {type} {ip}`.",
    },
    "other-address": {
      severity: "info",
      title: "HELO resolves to another address",
      says: "The HELO name {helo} resolves to {addresses}, not to {ip}.",
      fix: "Optional: use a HELO name that resolves to {ip}[[, such as {name}]].",
    },
  },
  run({ session, helo: fact, ptr }) {
    const client = toClient(session);
    if ("skipped" in client) return client;
    if (!hasOwnSession(session) && session.helo === null)
      return notApplicable(`${doors[session.door.kind].begins}, without the HELO name.`);
    if (!fact.known) return skipped(fact.why);
    const { ip } = client;
    const { text: helo, form, ours, addresses, isClient } = fact.value;
    if (form !== "fqdn" || ours) return notApplicable("The HELO name is not the server's own public hostname.");
    if (isClient) return passed({ helo, ip });
    const reverse = ptr.known ? ptr.value : null;
    if (reverse?.confirmed.length === 0 && reverse.names.includes(helo.toLowerCase()))
      return notApplicable("The HELO name is also the reverse DNS name, which has its own check.");
    if (!addresses.known) return skipped(addresses.why);
    const found = addresses.value;
    if (found.length === 0) return [{ finding: "no-address", data: { helo, ip, type: addressType(ip) } }];
    const name = reverse?.confirmed[0] ?? null;
    return [{ finding: "other-address", data: { helo, ip, addresses: found, name } }];
  },
});
