import { readKeyRecord } from "../../dns/dkim-key.ts";
import { parseTagList } from "../../dns/tag-list.ts";
import type { AlignedSignature, DkimKey, DkimKeyFault } from "../authentication-facts.ts";
import { defineCheck, passed, type Raised, skipped } from "../check.ts";
import { failuresOf, isOpen, keyNameOf, missedSignatures, unprovenDkimGates, unsigned } from "./signatures.ts";
import { keysInUse, type SigningKey, withoutKeyInUse } from "./signing-keys.ts";

type Finding = "missing" | "revoked" | "malformed" | "excluded" | "several";

export const dkimKey = defineCheck({
  id: "dkim-key",
  helpPage: "fix-dkim-key",
  label: "DKIM key",
  owner: "dns",
  asks: "whether the DKIM key is published and usable",
  why: "Receivers cannot verify a signature without its key.",
  refs: ["RFC 6376 §3.6.1, §3.6.2"],
  needs: ["dkimKeys"],
  wants: ["dkim", "parked"],
  passes: "A usable DKIM key is published at {names}.",
  findings: {
    missing: {
      severity: "critical",
      title: "No DKIM key published",
      says: "There is no DKIM key at {name}[[, so the {signer} signature cannot be verified]].",
      fix: "At {name}, publish the TXT or CNAME record that your email service gives you for selector {selector}.",
      gates: unprovenDkimGates,
    },
    revoked: {
      severity: "critical",
      title: "DKIM key revoked",
      says: "The DKIM key at {name} is revoked (empty p=)[[, but {signer} signed the message with it]].",
      fix: "Switch the signer to a current selector, or publish the key for {selector} again.",
      gates: unprovenDkimGates,
    },
    malformed: {
      severity: "critical",
      title: "Malformed DKIM key record",
      says: "The DKIM key record at {name} cannot be used: {problem}.",
      fix: "Publish the record that your email service gives you for selector {selector} as one line, without quotation marks or line breaks[[: `{corrected}`]].",
      gates: unprovenDkimGates,
    },
    excluded: {
      severity: "critical",
      title: "DKIM key too restrictive",
      says: "The DKIM key record at {name} does not allow this use: {problem}.",
      fix: "Remove `{tag}` from the record.",
      gates: unprovenDkimGates,
    },
    several: {
      severity: "minor",
      cost: 8,
      title: "Multiple DKIM keys per selector",
      says: "There are {count} DKIM key records at {name}. Receivers may use any of them.",
      fix: "Keep the one that matches the signer's private key.",
    },
  },
  run({ dkimKeys, dkim, parked }) {
    if (dkim.known && dkim.value.signatures.length === 0) return unsigned;
    const keys = keysInUse(dkimKeys, dkim);
    const faults = dkim.known
      ? failuresOf(dkim.value, "dkim-key").map(toFailure)
      : keys.flatMap((key) => toFault(key) ?? []);
    const found = [...faults, ...keys.flatMap(findSeveral)];
    if (found.length > 0) return found;
    if (dkim.known && missedSignatures(dkim.value).some(isOpen)) return skipped("timeout");
    const names = keys.flatMap(({ name, faults: own }) => (own.length === 0 ? name : []));
    if (names.length > 0) return passed({ names });
    return withoutKeyInUse({ dkimKeys, dkim, parked }, "No active DKIM key is known.");
  },
});

/** Several records are an issue even if the signature passes. */
function findSeveral({ name, records, faults }: SigningKey): Raised<Finding>[] {
  const isTold = faults.some(({ fault }) => fault === "several");
  return isTold
    ? [{ finding: "several", subject: name, data: { name, count: records.length }, evidence: { records } }]
    : [];
}

function toFailure(signature: AlignedSignature): Raised<Finding> {
  const { key, selector, domain: signer, why, says } = signature;
  const data = { name: keyNameOf(signature), selector, signer, problem: says };
  const tag = key === null ? null : findExcludingTag(key);
  if (why === "key-missing") return toFinding("missing", data, key);
  if (why === "key-revoked") return toFinding("revoked", data, key);
  if (why === "key-unsuitable" && tag !== null) return toFinding("excluded", { ...data, tag }, key);
  return toFinding("malformed", { ...data, corrected: key && correctKeyRecord(key) }, key);
}

const findings: Readonly<Partial<Record<DkimKeyFault, Finding>>> = {
  missing: "missing",
  revoked: "revoked",
  unreadable: "malformed",
  version: "malformed",
  type: "malformed",
  hash: "excluded",
  service: "excluded",
};

/** The first fault of a key that was found without a signed message. */
function toFault(key: SigningKey): Raised<Finding> | null {
  const [first] = key.faults.filter(({ fault }) => fault !== "several");
  const finding = first && findings[first.fault];
  if (finding === undefined) return null;
  const data = { name: key.name, selector: key.selector, problem: first?.says ?? "" };
  const tag = finding === "excluded" ? findExcludingTag(key) : null;
  return toFinding(finding, { ...data, tag, corrected: correctKeyRecord(key) }, key);
}

function toFinding(finding: Finding, data: NonNullable<Raised["data"]>, key: DkimKey | null): Raised<Finding> {
  return { finding, subject: String(data.name), data, evidence: { records: key?.records ?? [] } };
}

function findExcludingTag({ faults, hashes, services }: DkimKey): string | null {
  if (faults.some(({ fault }) => fault === "hash")) return `h=${hashes?.join(":") ?? ""}`;
  return faults.some(({ fault }) => fault === "service") ? `s=${services.join(":")}` : null;
}

/** Removes quotation marks and backslashes and puts the version first. Null if that does not make it a valid key. */
export function correctKeyRecord({ records: [record] }: DkimKey): string | null {
  const { tags } = parseTagList((record ?? "").replace(/["'\\]/g, ""));
  const find = (name: string) => tags.find((tag) => tag.name === name)?.value;
  const p = find("p")?.replace(/[^A-Za-z0-9+/=]/g, "");
  const corrected = `v=DKIM1; k=${find("k") ?? "rsa"}; p=${p ?? ""}`;
  return readKeyRecord(corrected).faults.length === 0 ? corrected : null;
}
