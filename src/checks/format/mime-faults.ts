// Faults of parts as findings: of each kind the first few, each with its part and place.

import type { MimeFaultKind } from "../../mail/mime-faults.ts";
import type { Raw } from "../../mail/raw.ts";
import { maxTold } from "./told.ts";

export type PartFault = Raw["faults"][number];

export function faultsNamed(raw: Raw, ...kinds: readonly MimeFaultKind[]): PartFault[] {
  return raw.faults.filter(({ fault }) => kinds.includes(fault)).slice(0, maxTold);
}

export function aboutPart(fault: PartFault) {
  const { part, type, line, offset, value, bytes } = fault;
  return { subject: `part ${part}`, evidence: { part, type, line, offset, value, bytes } };
}

/** Begins a sentence; "0" is a multipart that is the whole message. */
export function toPartName(part: string): string {
  return part === "0" ? "The message" : `Part ${part}`;
}
