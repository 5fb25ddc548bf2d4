// Which TLSA records SMTP can use (RFC 7672 §3.1): usages 2 and 3 alone; what cannot be used counts as absent.

/** Hexadecimal digits of a digest, by matching type (RFC 6698 §2.1.3). */
const digestDigits: Readonly<Record<number, number>> = { 1: 64, 2: 128 };

/** Null for one that can be used. */
export function whyTlsaUnusable(record: {
  readonly usage: number;
  readonly selector: number;
  readonly matching: number;
  /** Hexadecimal. */
  readonly association: string;
}): string | null {
  const { usage, selector, matching, association } = record;
  if (usage === 0 || usage === 1) return `usage ${usage} is not for SMTP`;
  if (usage > 3) return `there is no usage ${usage}`;
  if (selector > 1) return `there is no selector ${selector}`;
  if (matching > 2) return `there is no matching type ${matching}`;
  const wanted = digestDigits[matching];
  if (wanted !== undefined && association.length !== wanted)
    return `a digest of matching type ${matching} has ${wanted / 2} bytes, this one ${association.length / 2}`;
  return association === "" ? "it holds nothing to compare with" : null;
}
