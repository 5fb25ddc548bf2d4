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
export function groupUnchecked(input: UncheckedInput): readonly UncheckedGroup[] {
  const { skipped, findings } = input;
  const found = new Set(findings.flatMap(({ check, severity }) => (isIssue(severity) ? [check] : [])));
  const listed = skipped.filter(({ check, lacks }) => lacks === null || !found.has(check));
  const extra = toPrivateNames(input);
  const groups = [...Map.groupBy(listed, ({ why }) => why)].map(([why, entries]) => ({
    why,
    says: toSentence(entries[0]?.says ?? ""),
    names: unique([...(why === "not-public" ? extra : []), ...entries.map(toName)]),
    checks: unique(entries.map(({ check }) => check)),
  }));
  const isAdded = extra.length === 0 || groups.some(({ why }) => why === "not-public");
  return isAdded
    ? groups
    : [...groups, { why: "not-public", says: "The IP address is not public", names: extra, checks: [] }];
}

/** These checks don't apply to a private address, so they aren't counted as skipped. */
function toPrivateNames({ findings }: UncheckedInput): readonly string[] {
  if (!findings.some(({ id }) => id === "source-address.private")) return [];
  const isSpfKnown = findings.some(({ check }) => check === "spf-result");
  return [...(isSpfKnown ? [] : ["SPF"]), "Reverse DNS", "IP blocklists"];
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
      text: "The DNS server that Assay uses does not resolve public names, so checks that need them were skipped. Set ASSAY_DNS_SERVERS to a resolver that does, then analyze the message again.",
    });
  const unseen = namesFor("not-public").filter((name) => !name.endsWith(" (partly)"));
  if (unseen.length > 0)
    notices.push({
      title: "This message came from a private IP address.",
      text: `Not checked: ${toList(unseen.map(toInnerName))}. To check ${unseen.length === 1 ? "it" : "them"}, send from your outgoing mail server to a seed address that is reachable from the internet.`,
    });
  return notices;
}

/** "reverse DNS" within a sentence; acronyms keep their capitals. */
function toInnerName(name: string): string {
  return /^[A-Z][a-z]/.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name;
}
