// TLS-RPT (RFC 8460 §3): the record at `_smtp._tls.<domain>` that says where reports of failed TLS go.

import { toStorableCut } from "../mail/storable.ts";
import { parsePolicyFields } from "./policy-fields.ts";

export type TlsRptRecord = {
  readonly rua: readonly string[];
  /** Names of fields that stand more than once: the first counts. */
  readonly repeated: readonly string[];
};
export type TlsRptReading =
  | { readonly ok: true; readonly record: TlsRptRecord }
  | { readonly ok: false; readonly problem: string };

/** Whether a TXT record means to be one, be it misspelt. */
export function isTlsRptRecord(text: string): boolean {
  return /^[ \t]{0,100}v[ \t]{0,100}=[ \t]{0,100}tlsrpt/i.test(text);
}

/** RFC 8460 §3: whatever begins otherwise is discarded. */
export function hasTlsRptVersion(text: string): boolean {
  return /^v=TLSRPTv1[ \t]{0,100};/.test(text);
}

export function parseTlsRpt(text: string): TlsRptReading {
  if (!/^v=TLSRPTv1[ \t]{0,100}(?:;|$)/.test(text)) return failed("it does not begin with v=TLSRPTv1;");
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
    : failed(`rua= holds ${toStorableCut(bad, 100)}, which is neither mailto: nor https:`);
}

function isReportUri(uri: string): boolean {
  return (
    /^mailto:[^@,;!]{1,200}@[a-z\d.-]{1,253}(?:\?|$)/i.test(uri) ||
    (/^https:\/\//i.test(uri) && URL.canParse(uri))
  );
}

function failed(problem: string): { readonly ok: false; readonly problem: string } {
  return { ok: false, problem };
}
