import type { Message } from "../../mail/mime/message.ts";
import type { Raw } from "../../mail/mime/raw.ts";
import { defineCheck, type Raised } from "../check.ts";
import { aboutPart, faultsNamed, toPartName } from "./mime-faults.ts";

export const charset = defineCheck({
  id: "charset",
  helpPage: "fix-encoding",
  label: "Character set",
  owner: "email-service",
  asks: "whether the declared character sets are correct",
  why: "With a wrong character set, accented letters turn into gibberish.",
  refs: ["RFC 2045 §5", "RFC 2046 §4.1.2"],
  needs: ["raw", "message"],
  wants: ["html"],
  passes: "All text matches its declared character set.",
  findings: {
    undeclared: {
      severity: "minor",
      cost: 3,
      title: "No character set declared",
      says: "{where} has non-ASCII text but declares no character set.",
      fix: "Add `; charset=utf-8` to the Content-Type header.",
    },
    unknown: {
      severity: "minor",
      cost: 8,
      title: "Unknown character set",
      says: 'The character set "{charset}" is unknown.',
      fix: "Use `utf-8`.",
    },
    "invalid-bytes": {
      severity: "minor",
      cost: 8,
      title: "Text does not match character set",
      says: "{where} is not valid {charset} at byte {offset}.",
      fix: "Encode the text as UTF-8, and declare `charset=utf-8`.",
    },
    "meta-differs": {
      severity: "info",
      title: "Conflicting character sets",
      says: "The HTML declares {meta}, but the header declares {charset}.",
      fix: "Declare utf-8 in both places.",
    },
  },
  run({ raw, message, html }) {
    const meta = html.known ? html.value.charset : null;
    return [...findUndeclared(raw), ...findUnknown(raw), ...findInvalid(raw), ...findContradiction(message, meta)];
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

/** Parts with a wrong transfer encoding are left out, because `transfer-encoding` reports them. */
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
  // ASCII is a subset of nearly all character sets, and relays declare it for text that fits.
  const isPlain = /^(?:us-)?ascii$/i.test(declared);
  if (one === null || other === null || one === other || isPlain) return [];
  return [{ finding: "meta-differs", data: { meta, charset: declared } }];
}

/** The encoding by the Encoding Standard, which maps many names to one; null for an unknown name. */
function toEncoding(label: string): string | null {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}
