import type { AlignedSignature } from "../authentication-facts.ts";
import { defineCheck, passed, type Raised, skipped } from "../check.ts";
import { failuresOf, isOpen, keyNameOf, missedSignatures, unprovenDkimGates, unsigned } from "./signatures.ts";
import { keysInUse, type SigningKey, withoutKeyInUse } from "./signing-keys.ts";

type RaisedFinding = Raised<"too-short" | "short">;

/** RFC 8301 §3.2 requires the first. Providers recommend the second. */
const minBits = 1_024;
const goodBits = 2_048;
const rotate = "Create a 2,048-bit key under a new selector, publish it, switch the signer, then remove {selector}.";

export const dkimKeyStrength = defineCheck({
  id: "dkim-key-strength",
  helpPage: "fix-dkim-key",
  label: "DKIM key length",
  owner: "email-service",
  asks: "whether DKIM keys are long enough",
  why: "Short keys can be cracked, and receivers must reject keys under 1,024 bits.",
  refs: ["RFC 8301 §3.2", "RFC 8463", "Gmail, Yahoo sender rules"],
  needs: ["dkimKeys"],
  wants: ["dkim", "parked"],
  passes: "DKIM key length is sufficient: {keys}.",
  findings: {
    "too-short": {
      severity: "critical",
      title: "DKIM key too short",
      says: "The DKIM key at {name} is {bits} bits long. Receivers reject keys under 1,024 bits.",
      fix: rotate,
      gates: unprovenDkimGates,
    },
    short: {
      severity: "minor",
      cost: 3,
      title: "DKIM key shorter than recommended",
      says: "The DKIM key at {name} is {bits} bits long. Providers recommend 2,048 bits.",
      fix: `At your next rotation: ${rotate.charAt(0).toLowerCase()}${rotate.slice(1)}`,
    },
  },
  run({ dkimKeys, dkim, parked }) {
    if (dkim.known && dkim.value.signatures.length === 0) return unsigned;
    const keys = keysInUse(dkimKeys, dkim).filter(({ bits }) => bits !== null);
    const rsa = keys.filter(({ type }) => type === "rsa");
    const tooShort = dkim.known
      ? failuresOf(dkim.value, "dkim-key-strength").map(toTooShort)
      : rsa.filter(({ bits }) => (bits ?? 0) < minBits).map((key) => toFinding("too-short", key));
    const short = rsa.filter(({ bits }) => bits !== null && bits >= minBits && bits < goodBits);
    const found = [...tooShort, ...short.map((key) => toFinding("short", key))];
    if (found.length > 0) return found;
    if (dkim.known && missedSignatures(dkim.value).some(isOpen)) return skipped("timeout");
    if (keys.length === 0) return withoutKeyInUse({ dkimKeys, dkim, parked }, "No readable DKIM key is known.");
    return passed({ keys: keys.map(({ name, type, bits }) => `${name} (${type}, ${bits} bits)`) });
  },
});

function toTooShort(signature: AlignedSignature): RaisedFinding {
  const { selector, key } = signature;
  const name = keyNameOf(signature);
  const data = { name, selector, bits: key?.bits ?? `under ${minBits.toLocaleString("en")}` };
  return { finding: "too-short", subject: name, data, evidence: { records: key?.records ?? [] } };
}

function toFinding(finding: RaisedFinding["finding"], { name, selector, bits, records }: SigningKey): RaisedFinding {
  return { finding, subject: name, data: { name, selector, bits }, evidence: { records } };
}
