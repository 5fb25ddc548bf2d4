// The names in a signature: d=, s= and the domain of i=. They come from strangers and are looked up in DNS, so only
// letters, digits, hyphens, underscores and dots are allowed (RFC 6376 §3.5; underscores because they are in use), or
// the U-labels of RFC 8616 §3, which become A-labels. Others are never looked up: code that reads names as C strings
// stops at NUL and would take an attacker's key for another domain ("Composition Kills", USENIX Security 2020, attack
// A3).

import { isUtf8 } from "node:buffer";
import { domainToASCII } from "node:url";

const asciiLabel = /^[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?$/;
/** RFC 1035 §3.1, without the trailing dot. */
const maxNameLength = 253;

/** As A-labels in lower case. Null if not a domain name with at least two labels. One character per byte. */
export function toSigningDomain(text: string): string | null {
  const labels = toLabels(text);
  return labels && labels.length > 1 ? labels.join(".").toLowerCase() : null;
}

/** As A-labels, otherwise as written. */
export function toSelector(text: string): string | null {
  return toLabels(text)?.join(".") ?? null;
}

/** The name of the key record (RFC 6376 §3.6.2.1); null if it is longer than DNS allows. */
export function toKeyName(selector: string, domain: string): string | null {
  const name = `${selector}._domainkey.${domain}`.toLowerCase();
  return name.length > maxNameLength ? null : name;
}

/** The selector in a user's input; null if it cannot be a selector of the domain. */
export function readSelector(written: string, domain: string): string | null {
  // The same for a tag of a signature, with one character per byte.
  const selector = toSelector(Buffer.from(written).toString("latin1"));
  return selector !== null && toKeyName(selector, domain) !== null ? selector : null;
}

function toLabels(text: string): string[] | null {
  if (text.length > 4 * maxNameLength) return null;
  const labels = text.split(".").map(toLabel);
  const whole = labels.every((label) => label !== null) ? labels : null;
  return whole && whole.join(".").length <= maxNameLength ? whole : null;
}

function toLabel(text: string): string | null {
  if (asciiLabel.test(text)) return text;
  const bytes = Buffer.from(text, "latin1");
  if (!/[\x80-\xff]/.test(text) || !/^[\w\x80-\xff-]+$/.test(text) || !isUtf8(bytes)) return null;
  // Label by label, and only to an A-label, because Unicode mapping would turn U+3002 into a dot and U+FF41 into "a".
  const label = domainToASCII(bytes.toString("utf8"));
  return label.startsWith("xn--") && asciiLabel.test(label) ? label : null;
}
