import type { Hop } from "../../mail/headers/delivery-path.ts";
import { toRegistrableDomain } from "../../mail/headers/registrable-domain.ts";
import { defineCheck, passed, skipped } from "../check.ts";
import { isPathUnseen } from "./client.ts";

/** RFC 5321 §6.3 wants at least 100 hops to be allowed. Large receivers treat 50 as a loop. */
const loopLength = 50;
const longLength = 16;
const maxHopsShown = 3;

export const receivedPath = defineCheck({
  id: "received-path",
  helpPage: "fix-delivery-path",
  label: "Delivery path",
  owner: "mail-server",
  asks: "whether the delivery path looks normal",
  why: "Too many hops look like a mail loop. Assay measures only the last hop. The others come from headers, which can be forged.",
  refs: ["RFC 5321 §6.3", "Gmail SMTP errors"],
  needs: ["received"],
  wants: ["session"],
  passes: "The message passed through {servers} before it arrived.",
  findings: {
    loop: {
      severity: "major",
      title: "Suspected mail loop",
      says: "The message passed through {count} servers, which receivers treat as a loop.",
      fix: "Look for a forwarding rule that sends the message back.",
      gates: [{ provider: "gmail", sender: "any", reply: "554 5.4.6" }],
    },
    long: {
      severity: "minor",
      cost: 3,
      title: "Long delivery path",
      says: "The message passed through {count} servers before it arrived.",
      fix: "Shorten the relay chain.",
    },
    "unencrypted-hop": {
      helpPage: "fix-tls",
      severity: "info",
      title: "Unencrypted hop",
      says: "According to the headers, {from} sent the message to {by} without encryption.",
      fix: "Turn on TLS between these servers.",
    },
  },
  run({ received: { hops, lineCount: count }, session }) {
    if (count === 0 && isPathUnseen(session)) return skipped("no-session");
    const length =
      count >= loopLength
        ? [{ finding: "loop" as const, data: { count } }]
        : count >= longLength
          ? [{ finding: "long" as const, data: { count } }]
          : [];
    const plain = hops.flatMap(toPlainHop).slice(0, maxHopsShown);
    const found = [...length, ...plain];
    return found.length > 0 ? found : passed({ servers: toServers(hops.filter(({ trusted }) => !trusted).length) });
  },
});

function toServers(count: number): string {
  if (count === 0) return "no other server";
  return count === 1 ? "one server" : `${count} servers`;
}

/** Only hops between public hosts of two organizations count, because others can listen in on them. */
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
