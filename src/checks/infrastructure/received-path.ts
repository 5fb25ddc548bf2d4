import type { Hop } from "../../mail/headers/delivery-path.ts";
import { toRegistrableDomain } from "../../mail/headers/registrable-domain.ts";
import { defineCheck, passed } from "../check.ts";

/** RFC 5321 §6.3 asks for 100 at least; large receivers take 50 for a loop. */
const loopLength = 50;
const longLength = 16;
const maxHopsShown = 3;

export const receivedPath = defineCheck({
  id: "received-path",
  area: "infrastructure",
  label: "Delivery path",
  owner: "mail-server",
  asks: "whether the path is plausible",
  why: "Too many hops look like a loop. All but our own hop is the sender's claim.",
  refs: ["RFC 5321 §6.3", "Gmail SMTP errors"],
  needs: ["received"],
  kinds: "all",
  domain: "no",
  passes: "The message passed {servers} before it arrived here.",
  findings: {
    loop: {
      severity: "major",
      cost: 18,
      title: "Suspected mail loop",
      says: "The message passed {count} servers; receivers take that for a loop.",
      fix: "Look for a forwarding rule that sends mail back.",
      gates: [{ provider: "gmail", sender: "any", reply: "554 5.4.6" }],
    },
    long: {
      severity: "minor",
      cost: 3,
      title: "Long delivery path",
      says: "The message passed {count} servers before it arrived.",
      fix: "Shorten the relay chain.",
    },
    "unencrypted-hop": {
      severity: "info",
      cost: 0,
      title: "Unencrypted hop on the way",
      says: "{from} handed the message to {by} without encryption, by its own account.",
      fix: "Switch on TLS between them.",
    },
  },
  run({ received: { hops, lineCount: count } }) {
    const length =
      count >= loopLength
        ? [{ finding: "loop" as const, data: { count } }]
        : count >= longLength
          ? [{ finding: "long" as const, data: { count } }]
          : [];
    const plain = hops.flatMap(toPlainHop).slice(0, maxHopsShown);
    const found = [...length, ...plain];
    return found.length > 0 ? found : passed({ servers: toServers(count) });
  },
});

function toServers(count: number): string {
  if (count === 0) return "no other server";
  return count === 1 ? "one server" : `${count} servers`;
}

/** From one organisation's public host to another's: inside one of them nobody can listen but itself. */
function toPlainHop({ tls, trusted, reach, name, from, by, ip, with: protocol }: Hop) {
  const client = name ?? from;
  if (trusted || tls?.used !== false || reach !== "public") return [];
  if (client === null || by === null || !isHostName(client) || !isHostName(by)) return [];
  if (toRegistrableDomain(client.toLowerCase()) === toRegistrableDomain(by.toLowerCase())) return [];
  const data = { from: client, by };
  return [{ finding: "unencrypted-hop" as const, subject: by, data, evidence: { ip, protocol } }];
}

function isHostName(text: string): boolean {
  return /^(?:[\w-]{1,63}\.){1,20}[a-z][\w-]{1,62}$/i.test(text);
}
