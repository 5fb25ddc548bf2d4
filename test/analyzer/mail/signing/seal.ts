// A small ARC sealer (RFC 8617 §5.1), next to the small signer.

import { naiveField, rsaKey, type SignOptions, signText, toField, toSignature } from "./sign.ts";

export type SealOptions = SignOptions & {
  /** The results that the sealer claims. */
  readonly results?: string;
};

/** Adds a set above the existing ones (RFC 8617 §5.1). */
export function seal(text: string, options: SealOptions, state?: string): string {
  const older = text.split(/\r\n(?![ \t])/).filter((line) => /^arc-/i.test(line));
  const instance = older.length / 3 + 1;
  const i = String(instance);
  const results = `ARC-Authentication-Results: i=${i}; ${options.results ?? `mx.example; spf=pass; dkim=pass (hop ${i})`}`;
  const signature = toSignature(text, {
    ...options,
    field: "ARC-Message-Signature",
    tags: { v: null, i, ...options.tags },
  });
  const unsigned = toField("ARC-Seal", {
    i,
    a: options.key?.asymmetricKeyType === "ed25519" ? "ed25519-sha256" : "rsa-sha256",
    cv: state ?? (instance === 1 ? "none" : "pass"),
    d: options.domain ?? null,
    s: options.selector ?? null,
    b: "",
  });
  const covered = [...sortSets(older), results, signature, unsigned].map((line) => naiveField(line, "relaxed"));
  const value = signText(covered.join("\r\n"), options.key ?? rsaKey).toString("base64");
  return [`${unsigned}${value}`, signature, results, text].join("\r\n");
}

/** Newest on top. Within a set: results, signature, seal. */
function sortSets(lines: readonly string[]): string[] {
  const sets = Array.from({ length: lines.length / 3 }, (_, index) => lines.slice(3 * index, 3 * index + 3));
  return sets.reverse().flatMap((set) => set.reverse());
}
