// The names that a signature speaks of: d=, s= and the domain of i=. They come from strangers and become questions to
// DNS, so only letters, digits, hyphens, underscores and dots pass (RFC 6376 §3.5; underscores because they are in
// use), or the U-labels of RFC 8616 §3, which become A-labels. Refused before any look-up: whatever reads a name as a C
// string stops at NUL, and then an attacker's key answers for somebody else's domain ("Composition Kills", USENIX
// Security 2020, attack A3).

import { isUtf8 } from "node:buffer";
import { domainToASCII } from "node:url";

const asciiLabel = /^[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?$/;
/** RFC 1035 §3.1, without the root's dot. */
const maxNameLength = 253;

/** As A-labels in lower case; null for what is no domain name of at least two labels. One character a byte. */
export function toSigningDomain(text: string): string | null {
  const labels = toLabels(text);
  return labels && labels.length > 1 ? labels.join(".").toLowerCase() : null;
}

/** As A-labels, otherwise as written. */
export function toSelector(text: string): string | null {
  return toLabels(text)?.join(".") ?? null;
}

/** Where the key stands (RFC 6376 §3.6.2.1); null when the name is longer than DNS allows. */
export function toKeyName(selector: string, domain: string): string | null {
  const name = `${selector}._domainkey.${domain}`.toLowerCase();
  return name.length > maxNameLength ? null : name;
}

/** Of what a person wrote; null for what can be no selector of the domain. */
export function readSelector(written: string, domain: string): string | null {
  // The forms of a signature's tag; one character a byte.
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
  // Label by label, and only to an A-label: the mapping of Unicode would make a dot of U+3002 and "a" of U+FF41.
  const label = domainToASCII(bytes.toString("utf8"));
  return label.startsWith("xn--") && asciiLabel.test(label) ? label : null;
}
