import type { DmarcFault } from "../../dns/dmarc.ts";
import type { Dmarc } from "../authentication-facts.ts";
import { defineCheck, type Gate, notApplicable, passed, type Raised } from "../check.ts";
import { mendDmarc, rewriteDmarc } from "./dmarc-text.ts";
import { whyNotTheAuthors } from "./policy-owner.ts";

const gates: readonly Gate[] = [
  { provider: "gmail", sender: "bulk", reply: "550 5.7.40", when: "without-policy" },
  { provider: "outlook", sender: "bulk", reply: "550 5.7.515", when: "without-policy" },
];

type Finding =
  | "unreadable"
  | "passed-over"
  | "no-policy"
  | "bad-tag"
  | "leading-space"
  | "exclusive-options"
  | "unknown-tag";

export const dmarcSyntax = defineCheck({
  id: "dmarc-syntax",
  helpPage: "fix-dmarc",
  label: "DMARC syntax",
  owner: "dns",
  asks: "whether the DMARC record is valid",
  why: "Receivers ignore a record that does not start correctly. For an invalid tag value, they use the default.",
  refs: ["RFC 9989 §4.7, §4.8, §4.10.1"],
  needs: ["dmarc"],
  wants: ["kind"],
  passes: "Every tag in the DMARC record at {name} can be parsed.",
  findings: {
    unreadable: {
      severity: "major",
      title: "Invalid DMARC record",
      says: "The record at {name} is not valid DMARC. {problem}.",
      fix: "Replace it with `{corrected}`.",
      gates,
    },
    "passed-over": {
      severity: "minor",
      cost: 8,
      title: "Invalid DMARC record ignored",
      says: "The record at {name} is not valid DMARC, so receivers use the one at {instead}. {problem}.",
      fix: "Replace it with `{corrected}`, or remove it.",
    },
    "no-policy": {
      severity: "major",
      title: "DMARC record without valid policy",
      says: "The DMARC record at {name} has no valid policy ({value}), so receivers {effect}.",
      fix: "Publish `{corrected}`.",
      gates,
    },
    "bad-tag": {
      severity: "minor",
      cost: 3,
      title: "Invalid DMARC tag value",
      says: '"{tag}={value}" at {name} is invalid, so receivers use {default}.',
      fix: "Publish `{suggestion}`.",
    },
    "leading-space": {
      severity: "minor",
      cost: 3,
      title: "Space before DMARC version",
      says: "The DMARC record at {name} begins with a space, which makes some receivers ignore it.",
      fix: "Publish `{corrected}`.",
    },
    "exclusive-options": {
      severity: "info",
      title: "Conflicting DMARC fo options",
      says: '"fo={value}" at {name} means fo=1 under RFC 7489, but receivers that follow RFC 9989 use fo=0.',
      fix: "Publish `{corrected}`.",
    },
    "unknown-tag": {
      severity: "info",
      title: "Unknown DMARC tag",
      says: '"{tag}" at {name} is not a DMARC tag, so receivers ignore it.',
      fix: "Remove the tag, or correct its name.",
    },
  },
  run({ dmarc, kind }) {
    const notTheirs = whyNotTheAuthors(dmarc.domain, kind);
    if (notTheirs !== null) return notApplicable(notTheirs);
    const { recordsAt, foundAt, faults } = dmarc;
    if (recordsAt === null) return notApplicable("There is no DMARC record.");
    if (foundAt === null && dmarc.records.length > 1)
      return notApplicable("There are several DMARC records, so receivers ignore all of them.");
    const raised = faults.flatMap((fault) => toRaised(fault, dmarc) ?? []);
    // A broken record or policy is one finding, however many faults it has.
    const once = (finding: Finding) => raised.filter((one) => one.finding === finding).slice(0, 1);
    const others = raised.filter(({ finding }) => beside.has(finding));
    const all = [...once("unreadable"), ...once("passed-over"), ...once("no-policy"), ...others];
    return all.length > 0 ? all : passed({ name: `_dmarc.${foundAt ?? recordsAt}` });
  },
});

/** Each occurrence is a separate finding. */
const beside: ReadonlySet<Finding> = new Set(["bad-tag", "unknown-tag", "leading-space", "exclusive-options"]);

function toRaised(fault: DmarcFault, dmarc: Dmarc): Raised<Finding> | null {
  switch (fault.kind) {
    case "unreadable":
    case "repeated-tag":
      return toUnreadable(fault, dmarc);
    case "no-policy":
      return toNoPolicy(fault.value, dmarc);
    case "bad-tag":
      if (fault.tag === "sp" || fault.tag === "np") return toNoPolicy(`${fault.tag}=${fault.value}`, dmarc);
      return fault.tag === null ? toStray(dmarc) : toBadTag(fault.tag, fault.value ?? "", dmarc);
    case "unknown-tag":
      return toIgnored(fault.tag ?? "", dmarc);
    case "leading-space":
      return toLeadingSpace(dmarc);
    case "exclusive-options":
      return toExclusive(fault.value ?? "", dmarc);
    // Reported by `dmarc-obsolete` and `dmarc-reports`.
    case "obsolete-tag":
    case "bad-uri":
      return null;
  }
}

/** Receivers that follow RFC 7489 still use a record with a repeated tag, so they look no further. */
function toUnreadable({ kind, value, says }: DmarcFault, dmarc: Dmarc): Raised<Finding> {
  const { recordsAt, foundAt, records } = dmarc;
  const written = records[0] ?? value ?? "";
  const name = `_dmarc.${recordsAt}`;
  const data = { name, problem: says.replace(/\.$/, ""), corrected: mendDmarc(written, recordsAt ?? dmarc.domain) };
  const evidence = { record: written };
  if (foundAt !== null && kind === "unreadable")
    return { finding: "passed-over", data: { ...data, instead: `_dmarc.${foundAt}` }, evidence };
  return { finding: "unreadable", data, holds: foundAt === null ? ["without-policy"] : [], evidence };
}

/** RFC 9989 §4.10.1: an invalid sp or np makes the policy invalid, as an invalid p does. */
function toNoPolicy(value: string | null, { foundAt, domain, record, policy }: Dmarc): Raised<Finding> {
  const text = record ?? "";
  const data = {
    name: `_dmarc.${foundAt}`,
    value: value === null ? "no p=" : value.includes("=") ? value : `p=${value}`,
    effect: policy === null ? "ignore the record" : "treat it as p=none",
    corrected: rewriteDmarc(mendDmarc(text, foundAt ?? domain), { remove: badChildren(text) }),
  };
  return { finding: "no-policy", data, holds: policy === null ? ["without-policy"] : [], evidence: { record: text } };
}

const noPolicy = String.raw`\s{0,9}=\s{0,9}(?!(?:none|quarantine|reject)\s{0,9}(?:;|$))`;
const badChild = ["sp", "np"].map((name) => ({ name, pattern: new RegExp(`;\\s{0,9}${name}${noPolicy}`, "i") }));

export function badChildren(record: string): string[] {
  return badChild.flatMap(({ name, pattern }) => (pattern.test(record) ? name : []));
}

const defaults: Readonly<Record<string, string>> = { adkim: "r", aspf: "r", t: "n", psd: "u", fo: "0" };
const choices: Readonly<Record<string, string>> = { adkim: "rs", aspf: "rs", t: "yn", psd: "ynu", fo: "01ds" };

/** Guesses the value by its first letter: `strict` means s. */
export function toMeantValue(tag: string, value: string): string {
  const [letter = ""] = value.toLowerCase();
  return letter !== "" && choices[tag]?.includes(letter) ? letter : (defaults[tag] ?? "");
}

function toBadTag(tag: string, value: string, { foundAt, record }: Dmarc): Raised<Finding> {
  const data = {
    tag,
    value,
    name: `_dmarc.${foundAt}`,
    default: `${tag}=${defaults[tag] ?? ""}`,
    suggestion: rewriteDmarc(record ?? "", { set: { [tag]: toMeantValue(tag, value) } }),
  };
  return { finding: "bad-tag", subject: tag, data, evidence: { record } };
}

function toLeadingSpace({ foundAt, recordsAt, record, records }: Dmarc): Raised<Finding> {
  const written = record ?? records[0] ?? "";
  const data = { name: `_dmarc.${foundAt ?? recordsAt}`, corrected: rewriteDmarc(written, {}) };
  return { finding: "leading-space", data, evidence: { record: written } };
}

function toExclusive(value: string, { foundAt, record }: Dmarc): Raised<Finding> {
  const corrected = rewriteDmarc(record ?? "", { set: { fo: withoutDefault(value) } });
  const data = { value, name: `_dmarc.${foundAt}`, corrected };
  return { finding: "exclusive-options", subject: "fo", data, evidence: { record } };
}

/** Drops the 0 from 0 and 1, because receivers agree only on 1, which includes 0. */
export function withoutDefault(options: string): string {
  const kept = options.toLowerCase().split(":", 5);
  return kept.filter((option) => option !== "0").join(":");
}

function toIgnored(tag: string, { foundAt, record }: Dmarc): Raised<Finding> {
  return { finding: "unknown-tag", subject: tag, data: { tag, name: `_dmarc.${foundAt}` }, evidence: { record } };
}

/** The first piece between semicolons that is not a tag. */
function toStray(dmarc: Dmarc): Raised<Finding> | null {
  const pieces = (dmarc.record ?? "").split(";").map((piece) => piece.trim());
  const stray = pieces.find((piece, index) => piece !== "" && index > 0 && !/^[a-z]\w*\s{0,9}=/i.test(piece));
  return stray === undefined ? null : toIgnored(stray.slice(0, 100), dmarc);
}
