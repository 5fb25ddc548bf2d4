// What was not checked, and the notices that say so before the score. The app, shared pages, the terminal and Markdown
// use the same lists, so that they agree with each other.

import { toList, toSentence } from "./plain-words.ts";

type Skip = {
  readonly check: string;
  readonly label: string;
  readonly why: string;
  readonly says: string;
  /** Null if nothing was checked. */
  readonly lacks: string | null;
};

type FoundHere = { readonly id: string; readonly check: string; readonly severity: string };

export type UncheckedInput = {
  readonly skipped: readonly Skip[];
  /** With those of passed checks. */
  readonly findings: readonly FoundHere[];
};

type UncheckedGroup = {
  readonly why: string;
  /** A sentence without its full stop. */
  readonly says: string;
  readonly names: readonly string[];
  readonly checks: readonly string[];
};

/** By reason. A check that found an issue although something was missing is not listed. */
export function groupUnchecked({ skipped, findings }: UncheckedInput): readonly UncheckedGroup[] {
  const found = new Set(findings.flatMap(({ check, severity }) => (isIssue(severity) ? [check] : [])));
  const listed = skipped.filter(({ check, lacks }) => lacks === null || !found.has(check));
  return [...Map.groupBy(listed, ({ why }) => why)].map(([why, entries]) => ({
    why,
    says: toSentence(entries[0]?.says ?? ""),
    names: unique(entries.map(toName)),
    checks: unique(entries.map(({ check }) => check)),
  }));
}

function isIssue(severity: string): boolean {
  return severity !== "info" && severity !== "good";
}

function toName({ label, lacks }: Skip): string {
  return lacks === null ? label : `${label} (partly)`;
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)];
}

type Notice = { readonly title: string; readonly text: string };

/** Why a large part of the report is unknown, and what to do about it. */
export function toUncheckedNotices(input: UncheckedInput): readonly Notice[] {
  const groups = groupUnchecked(input);
  const namesFor = (reason: string) => groups.find(({ why }) => why === reason)?.names ?? [];
  const notices: Notice[] = [];
  if (namesFor("private-dns").length > 0)
    notices.push({
      title: "Public DNS was not checked.",
      text: "The DNS server that Assay uses does not resolve public names, so checks that need them were skipped. Set the DNS resolvers (Settings > Server, or ASSAY_DNS_SERVERS) to ones that do, then analyze the message again.",
    });
  const unseen = toUnseenServer(input);
  return unseen === null ? notices : [...notices, unseen];
}

/** The server that receivers would see is unknown. */
function toUnseenServer({ skipped, findings }: UncheckedInput): Notice | null {
  const whyOf = (name: string) => skipped.find(({ check, lacks }) => check === name && lacks === null)?.why;
  const why = whyOf("dmarc-result") ?? whyOf("ptr-record");
  const isLooped = findings.some(({ id }) => id === "source-address.looped");
  if (why === "reserved-name" && !isLooped) return forTests;
  const cause = isLooped && why !== undefined ? "looped" : why;
  if (cause !== "looped" && cause !== "not-public" && cause !== "no-session") return null;
  const names = unseenNames.filter(([check]) => whyOf(check) !== undefined).map(([, name]) => name);
  const isServerSeen = whyOf("ptr-record") === undefined;
  const told = cause === "not-public" && isServerSeen ? "may-sign" : cause;
  const title =
    whyOf("dmarc-result") === undefined
      ? "The sending server isn’t tested yet."
      : `Authentication isn’t ${isServerSeen ? "fully " : ""}tested yet.`;
  return { title, text: `${causes[told]}, so the score leaves out ${toList(names)}. ${remedies[told]}` };
}

const forTests: Notice = {
  title: "The From domain is a name for tests.",
  text: "No sender can own it, so the score leaves out what rests on its DNS records, such as SPF, DKIM, and DMARC. To test them too, send from your own domain.",
};

const unseenNames = [
  ["spf-result", "SPF"],
  ["dkim-present", "DKIM"],
  ["dmarc-result", "DMARC"],
  ["ptr-record", "reverse DNS"],
] as const;

const causes = {
  looped: "Assay sent this message to itself",
  "not-public": "The message came from your own network, not from the server that receivers will see",
  "may-sign": "Your outgoing server may still sign the message",
  "no-session": "Assay didn’t see the server that sent this message",
};

const remedies = {
  looped: "To test real delivery, send from your own service, or set `ASSAY_SEND_SMTP_URL`.",
  "not-public":
    "To test them too, set where your mail leaves for the internet (Settings → Sending → Outgoing server), or send through your outgoing server to a seed address that the internet can reach.",
  "may-sign": "To test them too, send through your outgoing server to a seed address that the internet can reach.",
  "no-session":
    "To test them too, send it to a seed address, or upload it with the sending server’s IP address, HELO name, and return path.",
};
