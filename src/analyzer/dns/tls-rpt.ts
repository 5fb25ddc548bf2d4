// TLS-RPT (RFC 8460 §3): the record at `_smtp._tls.<domain>` that says where reports of failed TLS go.

import { toStorableCut } from "../mail/text/bounds.ts";
import { parsePolicyFields } from "./mta-sts.ts";

type TlsRptRecord = {
  readonly rua: readonly string[];
  /** Names of fields that appear more than once. The first one counts. */
  readonly repeated: readonly string[];
};
type TlsRptReading =
  | { readonly ok: true; readonly record: TlsRptRecord }
  | { readonly ok: false; readonly problem: string };

/** Whether a TXT record is meant as a TLS-RPT record, even if misspelled. */
export function isTlsRptRecord(text: string): boolean {
  return /^[ \t]{0,100}v[ \t]{0,100}=[ \t]{0,100}tlsrpt/i.test(text);
}

/** RFC 8460 §3: records that begin differently are discarded. */
export function hasTlsRptVersion(text: string): boolean {
  return /^v=TLSRPTv1[ \t]{0,100};/.test(text);
}

export function parseTlsRpt(text: string): TlsRptReading {
  if (!/^v=TLSRPTv1[ \t]{0,100}(?:;|$)/.test(text)) return failed('it does not begin with "v=TLSRPTv1;"');
  const fields = parsePolicyFields(text);
  if (!fields.ok) return fields;
  const rua =
    fields
      .get("rua")
      ?.split(",")
      .map((uri) => uri.trim()) ?? [];
  if (rua.length === 0) return failed("it has no rua=");
  const bad = rua.find((uri) => !isReportUri(uri));
  return bad === undefined
    ? { ok: true, record: { rua, repeated: fields.repeated } }
    : failed(`rua= has ${toStorableCut(bad, 100)}, which is neither mailto: nor https:`);
}

function isReportUri(uri: string): boolean {
  return (
    /^mailto:[^@,;!]{1,200}@[a-z\d.-]{1,253}(?:\?|$)/i.test(uri) || (/^https:\/\//i.test(uri) && URL.canParse(uri))
  );
}

function failed(problem: string): { readonly ok: false; readonly problem: string } {
  return { ok: false, problem };
}

// Which TLSA records SMTP can use (RFC 7672 §3.1): only usages 2 and 3. Others count as absent.

/** Hexadecimal digits of a digest, by matching type (RFC 6698 §2.1.3). */
const digestDigits: Readonly<Record<number, number>> = { 1: 64, 2: 128 };

/** Null if the record is usable. */
export function whyTlsaUnusable(record: {
  readonly usage: number;
  readonly selector: number;
  readonly matching: number;
  /** Hexadecimal. */
  readonly association: string;
}): string | null {
  const { usage, selector, matching, association } = record;
  if (usage === 0 || usage === 1) return `usage ${usage} is not valid for SMTP`;
  if (usage > 3) return `usage ${usage} does not exist`;
  if (selector > 1) return `selector ${selector} does not exist`;
  if (matching > 2) return `matching type ${matching} does not exist`;
  const wanted = digestDigits[matching];
  if (wanted !== undefined && association.length !== wanted)
    return `the digest is ${association.length / 2} bytes long, but matching type ${matching} requires ${wanted / 2}`;
  return association === "" ? "the digest is empty" : null;
}
