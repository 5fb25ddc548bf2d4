// Which domains a forgiving program might take for the author's: all that follow an @ anywhere in a From field, as it is
// written, decoded, without comments, and in the encodings that we otherwise refuse. Only their policies are asked, so
// one domain too many costs a DNS question, while one too few would hide a forgery from the policy that forbids it.

import { decodeWords } from "../text/decoding.ts";
import { toAsciiDomain } from "./registrable-domain.ts";

const maxReadLength = 20_000;
/** Half from the beginning and half from the end of a longer list, where a program would choose. */
const maxDomains = 4;
const domainAtStart = /^[ \t]{0,20}(?:[\p{L}\p{N}_-]{1,63}\.){0,20}[\p{L}\p{N}_-]{1,63}/u;

export function findDomains(text: string): string[] {
  const cut =
    text.length > maxReadLength ? text.slice(0, maxReadLength / 2) + text.slice(-maxReadLength / 2) : text;
  if (!/[@\uff20]|=\?|\+AEA/i.test(cut)) return [];
  const found = new Set<string>();
  for (const form of new Set(toForms(cut))) for (const domain of domainsIn(form)) found.add(domain);
  const all = [...found];
  return all.length <= maxDomains ? all : [...all.slice(0, maxDomains / 2), ...all.slice(-maxDomains / 2)];
}

/** As programs do that accept spaces in an encoded word, which RFC 2047 §2 does not. */
export function decodeKindly(text: string): string {
  const kind = text.replace(/=\?[^?\s]{1,80}\?[bq]\?[^?]*\?=/gi, (word) => word.replaceAll(" ", "_"));
  return decodeWords(kind);
}

function toForms(text: string): string[] {
  const decoded = decodeKindly(text);
  const forms = text.includes("=?") ? [text, decoded, decodeAnyhow(text)] : [text];
  const readable = /utf-?7/i.test(text) ? [...forms, ...forms.map(decodeUtf7)] : forms;
  return readable.flatMap((form) => {
    const plain = form.normalize("NFKC").replace(/[\0\p{Cf}]/gu, "");
    const bare = plain.includes("(") ? [plain, withoutComments(plain)] : [plain];
    return bare.flatMap((one) => [one, one.replace(/[ \t]{0,50}[.\u3002][ \t]{0,50}/g, ".")]);
  });
}

/** With whatever charset and however it ends, byte for byte. */
function decodeAnyhow(text: string): string {
  return text
    .replace(/=\?[^?\s]{1,80}\?b\?([a-z0-9+/=]{0,10000})(?:\?=)?/gi, (_, base64: string) =>
      Buffer.from(base64, "base64").toString("latin1"),
    )
    .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** RFC 2152. */
function decodeUtf7(text: string): string {
  return text.replace(/\+([a-z0-9+/]{2,1000})-?/gi, (_, base64: string) => {
    const bytes = Buffer.from(base64, "base64");
    return bytes
      .subarray(0, bytes.length - (bytes.length % 2))
      .swap16()
      .toString("utf16le");
  });
}

/** Nested ones become shorter by their innermost. */
function withoutComments(text: string): string {
  return text.replace(/\([^()]*\)/g, "").replace(/\([^()]*\)/g, "");
}

function domainsIn(form: string): string[] {
  const [, ...tails] = form.split("@");
  return tails.flatMap((tail) => {
    const [written = ""] = domainAtStart.exec(tail.slice(0, 400)) ?? [];
    const domain = written.includes(".") ? toAsciiDomain(written.trim()) : null;
    return domain === null ? [] : [domain];
  });
}
