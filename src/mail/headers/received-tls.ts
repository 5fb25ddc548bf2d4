// Whether a Received line says that the hand-over was encrypted: by its protocol word (RFC 3848, RFC 6531 §4.3), or by
// the remark of the server that wrote it.

import { toStorableCut } from "../text/bounds.ts";
import type { Clauses } from "./received-clauses.ts";

export type StampTls = {
  readonly used: boolean;
  /** `TLSv1.3`; null where only "encrypted" is said. */
  readonly version: string | null;
  readonly cipher: string | null;
};

const protocolWord = /^(?:e?smtp|utf8smtp|lmtp|utf8lmtp)(s?)a?$/i;

/** Null where the line does not tell. */
export function readTls(clauses: Clauses): StampTls | null {
  const remark = clauses.comments.map(readRemark).find((read) => read !== null);
  const cipherBehind = clauses.get("tls").words[0];
  if (remark || cipherBehind !== undefined) {
    const cipher = remark?.cipher ?? cipherBehind;
    return { used: true, version: toVersion(remark?.version), cipher: toShown(cipher) };
  }
  const words = clauses.get("with").words;
  const word = words.at(-1) ?? "";
  if (/^https$/i.test(word)) return encrypted;
  const [, s] = protocolWord.exec(word) ?? [];
  if (s) return encrypted;
  // Without a client it is a hand-over inside one machine, and "Microsoft SMTP Server" is no protocol word.
  const tellsPlain = s === "" && words.length === 1 && clauses.get("from").words.length > 0;
  return tellsPlain ? { used: false, version: null, cipher: null } : null;
}

const encrypted: StampTls = { used: true, version: null, cipher: null };

type Remark = { readonly version?: string | undefined; readonly cipher?: string | undefined };

/** Each with a line that holds it; the first group is the version, the second the cipher. */
const remarks: readonly RegExp[] = [
  // Postfix: using TLSv1.3 with cipher TLS_AES_256_GCM_SHA384 (256/256 bits)
  /^using (TLS\S*|SSL\S*) with cipher (\S+)/i,
  // Google, Sendmail, Exchange: version=TLS1_3, cipher=TLS_AES_256_GCM_SHA384
  /^version=([^\s,;]+)[\s,;]+cipher=([^\s,;]+)/i,
  // Exim, OpenSMTPD: TLS1.3 · TLS1.2:ECDHE_RSA_AES_256_GCM_SHA384:256
  /^((?:TLS|SSL)v?\d[\w.]*)(?::([^\s:]+))?(?=$|[\s:])/i,
  // Courier: TLS: TLSv1.3,256bits,TLS_AES_256_GCM_SHA384
  /^TLS: ?([^\s,]+),\d+bits,(\S+)$/i,
  // Haraka: cipher=TLS_AES_256_GCM_SHA384
  /^()cipher=([^\s,;]+)/i,
  // qmail: ECDHE-RSA-AES256-GCM-SHA384 encrypted
  /^()(\S+) encrypted$/i,
  // Exchange 2010: TLS
  /^(TLS)$/,
];

function readRemark(comment: string): Remark | null {
  const text = comment.trim();
  for (const pattern of remarks) {
    const match = pattern.exec(text);
    if (match && !/^none$/i.test(match[2] ?? "")) return { version: match[1], cipher: match[2] };
  }
  return null;
}

/** Google writes TLS1_3, Exim TLS1.3, most others TLSv1.3. */
function toVersion(written: string | undefined): string | null {
  const [, kind, number] = /^(TLS|SSL)v?(\d[\d._]*)$/i.exec(written ?? "") ?? [];
  if (kind !== undefined) return `${kind.toUpperCase()}v${(number ?? "").replace("_", ".")}`;
  return written && !/^tls$/i.test(written) ? toShown(written) : null;
}

function toShown(text: string | undefined): string | null {
  return text ? toStorableCut(text, 100) : null;
}
