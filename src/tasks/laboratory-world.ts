// The world that the laboratory's messages are judged in: its own zone, and nobody to ask beside it. Made of what the
// session holds, so that every analysis has it: the first, one after a restart, and one with other records.

import { toLaboratoryZone } from "../laboratory/zone.ts";
import type { SmtpSession } from "../mail/session.ts";
import { createZoneDns } from "../system/zone.ts";
import { parseZone } from "../system/zone-file.ts";
import type { Analyst } from "./analyst.ts";

export function analystFor({ laboratory }: Pick<SmtpSession, "laboratory">, analyst: Analyst): Analyst {
  if (laboratory === undefined) return analyst;
  const parsed = parseZone(toLaboratoryZone(laboratory.key));
  if (!parsed.ok)
    throw new Error(`The laboratory's zone is broken in line ${parsed.line}: ${parsed.problem}`);
  return {
    ...analyst,
    dns: createZoneDns(parsed.zone, analyst.now),
    lists: { states: async () => [] },
    scanners: { ask: async () => [] },
  };
}
