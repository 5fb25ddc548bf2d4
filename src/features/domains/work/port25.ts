// Notices when this machine cannot reach mail servers. Many hosting companies block outgoing port 25. That is logged
// once and not blamed on the domains.

import type { DomainEvidence } from "../../../analyzer/reports/domain-report.ts";
import type { System } from "../../../platform/system/system.ts";

export type NotePort25 = (certificates: DomainEvidence["certificates"]) => void;

/** Domains in a row without an answer from any host. */
const silentBeforeWarning = 5;

export function createPort25Notes(log: Pick<System["log"], "warn">): NotePort25 {
  let silent = 0;
  return (certificates) => {
    if (certificates === null || certificates.length === 0 || silent >= silentBeforeWarning) return;
    const isSilent = certificates.every(({ fact }) => !fact.known && fact.why === "timeout");
    silent = isSilent ? silent + 1 : 0;
    if (silent < silentBeforeWarning) return;
    log.warn("no mail server responds on port 25; this network may block it, so MX host certificates are not checked");
  };
}
