import type { Message } from "../../mail/mime/message.ts";
import type { Raw } from "../../mail/mime/raw.ts";
import { defineCheck, type Raised } from "../check.ts";
import { aboutPart, faultsNamed, toPartName } from "./mime-faults.ts";

export const charset = defineCheck({
  id: "charset",
  area: "format",
  label: "Character set",
  owner: "email-service",
  asks: "whether characters are declared rightly",
  why: "Umlauts turn into rubbish.",
  refs: ["RFC 2045 §5", "RFC 2046 §4.1.2"],
  needs: ["raw", "message"],
  wants: ["html"],
  kinds: "all",
  domain: "no",
  passes: "Every text is what its character set says.",
  findings: {
    undeclared: {
      severity: "minor",
      cost: 3,
      title: "No character set declared",
      says: "{where} is text beyond ASCII and names no character set.",
      fix: "Add `; charset=utf-8` to its Content-Type.",
    },
    unknown: {
      severity: "minor",
      cost: 8,
      title: "Unknown character set",
      says: 'The character set "{charset}" is unknown.',
      fix: "Write `utf-8`.",
    },
    "invalid-bytes": {
      severity: "minor",
      cost: 8,
      title: "Text invalid in character set",
      says: "{where} is not valid {charset} at byte {offset}.",
      fix: "Encode it as UTF-8 and say so.",
    },
    "meta-differs": {
      severity: "info",
      cost: 0,
      title: "Conflicting character sets",
      says: "The HTML says {meta}, the header {charset}.",
      fix: "Say utf-8 in both.",
    },
  },
  run({ raw, message, html }) {
    const meta = html.known ? html.value.charset : null;
    return [
      ...findUndeclared(raw),
      ...findUnknown(raw),
      ...findInvalid(raw),
      ...findContradiction(message, meta),
    ];
  },
});

function findUndeclared(raw: Raw): Raised<"undeclared">[] {
  return faultsNamed(raw, "charset-undeclared").map((fault) => ({
    finding: "undeclared",
    data: { where: toPartName(fault.part) },
    ...aboutPart(fault),
  }));
}

function findUnknown(raw: Raw): Raised<"unknown">[] {
  return faultsNamed(raw, "charset-unknown").map((fault) => ({
    finding: "unknown",
    data: { charset: fault.value },
    ...aboutPart(fault),
  }));
}

/** Where the transfer encoding is wrong, that is the fault: transfer-encoding tells it. */
function findInvalid(raw: Raw): Raised<"invalid-bytes">[] {
  const wronglyEncoded = new Set(
    raw.faults
      .filter(({ fault }) => fault === "damaged-encoding" || fault === "unknown-encoding")
      .map(({ part }) => part),
  );
  return faultsNamed(raw, "charset-invalid")
    .filter(({ part }) => !wronglyEncoded.has(part))
    .map((fault) => ({
      finding: "invalid-bytes",
      data: { where: toPartName(fault.part), charset: fault.value, offset: fault.bytes },
      ...aboutPart(fault),
    }));
}

function findContradiction({ html }: Message, meta: string | null): Raised<"meta-differs">[] {
  const declared = html?.parts[0]?.charset?.declared ?? null;
  if (meta === null || declared === null) return [];
  const [one, other] = [toEncoding(meta), toEncoding(declared)];
  // ASCII is the same in nearly all of them; relays say it of what they found to be that.
  const isPlain = /^(?:us-)?ascii$/i.test(declared);
  if (one === null || other === null || one === other || isPlain) return [];
  return [{ finding: "meta-differs", data: { meta, charset: declared } }];
}

/** By the Encoding Standard, where many names mean one; null for a name that it does not know. */
function toEncoding(label: string): string | null {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}
