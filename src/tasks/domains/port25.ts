// Whether this machine reaches other people's mail servers. Many hosting companies let nothing out to port 25; then that
// is said once, and nobody is blamed.

import type { DomainEvidence } from "../../reports/domain-report.ts";
import type { System } from "../../system/system.ts";

export type NotePort25 = (certificates: DomainEvidence["certificates"]) => void;

/** Of domains one after the other, of which no host answered. */
const silentBeforeTold = 5;

export function createPort25Notes(log: Pick<System["log"], "warn">): NotePort25 {
  let silent = 0;
  return (certificates) => {
    if (certificates === null || certificates.length === 0 || silent >= silentBeforeTold) return;
    const isSilent = certificates.every(({ fact }) => !fact.known && fact.why === "timeout");
    silent = isSilent ? silent + 1 : 0;
    if (silent < silentBeforeTold) return;
    log.warn(
      "no mail server answers on port 25: this network may let nothing out to it; certificates of MX hosts are not looked at",
    );
  };
}
