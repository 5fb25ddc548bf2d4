import type { AlignedSignature } from "../authentication-facts.ts";
import { defineCheck, type Gate, notApplicable, passed, type Raised, skipped } from "../check.ts";
import type { KnownFacts } from "../facts.ts";
import {
  bestAligned,
  failuresOf,
  isOpen,
  missedSignatures,
  unprovenDkimGates,
  unsigned,
  withoutPass,
} from "./signatures.ts";

type Finding = "body-changed" | "header-changed" | "malformed" | "changed-by-list";

const gates: readonly Gate[] = [
  ...unprovenDkimGates,
  { provider: "gmail", sender: "any", reply: "550 5.7.26", when: "spf-fails" },
];
/** RFC 5322 §2.1.1. */
const maxLineBytes = 998;

export const dkimSignature = defineCheck({
  id: "dkim-signature",
  helpPage: "fix-dkim-signature",
  label: "DKIM verification",
  owner: "email-service",
  asks: "whether the best signature verifies",
  why: "Receivers treat a broken signature as if it were missing.",
  refs: ["RFC 6376 §3.4, §6.1"],
  needs: ["dkim", "kind"],
  wants: ["raw", "spf"],
  passes: "The {domain} signature (selector {selector}) verifies.",
  findings: {
    "body-changed": {
      severity: "critical",
      title: "Body changed after DKIM signing",
      says: "The body changed after {domain} signed it (selector {selector}). {problem}.",
      fix: "Sign last, so that no footer, disclaimer, link rewriter, or scanner changes the message after signing.[[ Likely cause: {suspect}.]]",
      gates,
    },
    "header-changed": {
      severity: "critical",
      title: "Headers changed after DKIM signing",
      says: "The headers changed after {domain} signed them (selector {selector}). {problem}.",
      fix: "Do not change signed headers after signing, and use `c=relaxed/relaxed`.",
      gates,
    },
    malformed: {
      severity: "critical",
      title: "Malformed DKIM signature",
      says: "The DKIM signature[[ for {domain}]] cannot be read: {problem}.",
      fix: "Correct the signer's configuration. A signature needs each of the tags v, a, b, bh, d, h, and s exactly once.",
      gates,
    },
    "changed-by-list": {
      severity: "info",
      title: "DKIM signature broken by forwarding",
      says: "{forwarder} changed the message after {domain} signed it. The signature was valid before that.",
      fix: "No action needed by the sender.",
    },
  },
  run({ dkim, kind, raw, spf }) {
    const [first] = dkim.signatures;
    if (first === undefined) return unsigned;
    const missed = missedSignatures(dkim);
    if (missed.length === 0) {
      if (bestAligned(dkim)?.assumed) return withoutPass(dkim);
      const { domain, selector } = dkim.signatures[dkim.best ?? 0] ?? first;
      return passed({ domain, selector });
    }
    const failing = failuresOf(dkim, "dkim-signature");
    const { forwarded } = kind;
    const judged = failing.filter((signature) => forwarded.known || !isChange(signature));
    if (judged.length > 0) return judged.map((signature) => toFinding(signature, { forwarded, raw, spf }));
    if (!forwarded.known && failing.length > 0) return skipped(forwarded.why);
    return missed.some(isOpen) ? skipped("timeout") : notApplicable("Another check explains why the signature fails.");
  },
});

function toFinding(
  signature: AlignedSignature,
  { forwarded, raw, spf }: Pick<KnownFacts, "raw" | "spf"> & Pick<KnownForwarding, "forwarded">,
): Raised<Finding> {
  const { domain, selector, why, says, headers } = signature;
  const subject = selector ?? domain ?? "";
  const evidence = { domain, selector, why, says, headers };
  const holds = spf.known && !/^(?:pass|temperror)$/.test(spf.value.result) ? ["spf-fails"] : [];
  if (!isChange(signature)) {
    const data = { domain, problem: says ?? "it is not a signature" };
    return { finding: "malformed", subject, data, holds, evidence };
  }
  const origin = forwarded.known && forwarded.value.verified ? forwarded.value : null;
  if (origin?.first?.dkim?.toLowerCase() === "pass")
    return { finding: "changed-by-list", subject, data: { forwarder: origin.by ?? "A forwarder", domain }, evidence };
  const finding = why === "header-changed" ? "header-changed" : "body-changed";
  const data = { domain, selector, problem: toSentence(says ?? ""), suspect: findSuspect(raw) };
  return { finding, subject, data, holds, evidence };
}

type KnownForwarding = { readonly forwarded: Extract<KnownFacts["kind"], { known: true }>["value"]["forwarded"] };

/** The signature itself is valid, but what it covers changed. */
function isChange({ why }: AlignedSignature): boolean {
  return why === "body-changed" || why === "header-changed" || why === "body-length";
}

/** Something in the message that relays are known to rewrite. */
function findSuspect(raw: KnownFacts["raw"]): string | null {
  if (!raw.known) return null;
  const { bareLf, bareCr, longestLine } = raw.value;
  if (bareLf.count > 0 || bareCr.count > 0) return "some lines do not end in CRLF, and relays correct line endings";
  return longestLine.bytes > maxLineBytes
    ? `a line has ${longestLine.bytes} bytes, and relays break lines after ${maxLineBytes}`
    : null;
}

function toSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
