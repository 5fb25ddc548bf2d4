// Hides recipients in a report that strangers see: seed addresses and all addresses that the message names.

import { checks } from "../checks/list.ts";
import { readHeaderSection } from "../mail/headers/fields.ts";
import { createMask, type Mask } from "./mask.ts";
import type { Report } from "./report.ts";

/** `recipients`: our own addresses. The header names the other recipients. */
export function createReportMask(
  report: Pick<Report, "rawHeaders"> | null,
  recipients: readonly string[],
  seedDomains: readonly string[],
): Mask {
  return createMask({
    seedAddresses: recipients,
    seedDomains,
    recipients: report ? recipientsIn(report.rawHeaders) : [],
    ordinaryWords: ownWords(),
  });
}

const recipientFields =
  /^((resent-)?(to|cc|bcc)|(x-)?(delivered|envelope|original|apparently|rcpt|forwarded)-(to|for)|x-(original|envelope|delivered|rcpt)-to|received)$/;

/** Headers with addresses, including Received lines, whose "for" names a recipient. */
function recipientsIn(rawHeaders: string): string[] {
  const { fields } = readHeaderSection(Buffer.from(rawHeaders));
  return fields
    .filter(({ key }) => recipientFields.test(key))
    .flatMap(({ value }) => value.split(/[\s<>()"',;:]+/))
    .filter((word) => /.@./.test(word));
}

let knownWords: ReadonlySet<string> | undefined;

function ownWords(): ReadonlySet<string> {
  knownWords ??= new Set(
    checks
      .flatMap(({ label, asks, why, passes, findings }) => [
        label,
        asks,
        why,
        passes,
        ...Object.values(findings).flatMap(({ title, says, fix }) => [title, says, fix ?? ""]),
      ])
      .flatMap((sentence) => sentence.toLowerCase().split(/[^\p{L}\p{N}]+/u)),
  );
  return knownWords;
}
