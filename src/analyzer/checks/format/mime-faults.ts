// Turns MIME faults into findings: the first few of each kind, with part and place.

import type { MimeFaultKind } from "../../mail/mime/faults.ts";
import type { Raw } from "../../mail/mime/raw.ts";
import type { Dkim } from "../authentication-facts.ts";
import type { FindingId } from "../check.ts";
import type { Fact } from "../fact.ts";
import type { CameThrough } from "../kind.ts";
import { maxTold } from "./header-lines.ts";

export type PartFault = Raw["faults"][number];

export function faultsNamed(raw: Raw, ...kinds: readonly MimeFaultKind[]): PartFault[] {
  return raw.faults.filter(({ fault }) => kinds.includes(fault)).slice(0, maxTold);
}

export function aboutPart(fault: PartFault) {
  const { part, type, line, offset, value, bytes } = fault;
  return { subject: `part ${part}`, evidence: { part, type, line, offset, value, bytes } };
}

/** Starts a sentence. Part "0" is a multipart that is the whole message. */
export function toPartName(part: string): string {
  return part === "0" ? "The message" : `Part ${part}`;
}

// Relays rewrite some bytes, such as bare line feeds, which breaks DKIM signatures. Once a signature is broken, that is the
// issue to report. The bytes are its likely cause and cost no extra points.

/** A finding of `dkim-signature`; null while a relevant signature verifies, or when none is known. */
export function ownerOfBrokenBytes(dkim: Fact<Dkim>, kind: Fact<CameThrough>): FindingId | null {
  if (!dkim.known) return null;
  const { signatures } = dkim.value;
  const aligned = signatures.filter((signature) => signature.aligned.relaxed);
  const judged = aligned.length > 0 ? aligned : signatures;
  if (judged.some(({ result }) => result === "pass")) return null;
  const broken = judged.find(({ why }) => why === "body-changed" || why === "header-changed");
  if (!broken) return null;
  if (wasIntactBefore(kind)) return "dkim-signature.changed-by-list";
  return broken.why === "body-changed" ? "dkim-signature.body-changed" : "dkim-signature.header-changed";
}

/** A verified forwarder reports that the signature was valid on arrival. */
function wasIntactBefore(kind: Fact<CameThrough>): boolean {
  const forwarded = kind.known && kind.value.forwarded.known ? kind.value.forwarded.value : null;
  return forwarded?.verified === true && forwarded.first?.dkim === "pass";
}
