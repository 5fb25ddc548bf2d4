// What came to the seed inboxes and was no test: bounces and complaints, reports, automatic replies. To be read, and to
// be downloaded as it came.

import { AutoReplyTable } from "./auto-replies.tsx";
import { BounceTable } from "./bounces.tsx";
import { MailReportTable } from "./mail-reports.tsx";
import { SectionHead } from "./section.tsx";

export function ArrivalsSection() {
  return (
    <>
      <SectionHead
        title="What else arrived"
        lead="Mail to your seed inboxes that is no test of a message of yours. Assay recognises it, counts it and keeps it here."
      />
      <div class="stack">
        <BounceTable />
        <MailReportTable />
        <AutoReplyTable />
      </div>
    </>
  );
}
