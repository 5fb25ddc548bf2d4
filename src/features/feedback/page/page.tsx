// What receivers say about the workspace's mail: reports and the sources in them, bounces, complaints, automatic replies.

import { addressOf, call } from "../../../web/client/call.ts";
import { useArrival, useTitle } from "../../../web/client/router.tsx";
import { toCount, toPlural, toReportedDays, toShortTime } from "../../../web/client/words.ts";
import { RoomHeading } from "../../../web/parts/heading.tsx";
import { Moment } from "../../../web/parts/text.tsx";
import { Severity } from "../../../web/parts/tone.tsx";
import type { AutoReply, MailReport } from "../contract/mail-reports.ts";
import { ArrivalList, BounceTable, RawDownload } from "./arrivals.tsx";
import { ReportAddress } from "./report-address.tsx";
import { ReportedDomains } from "./reported-domains.tsx";

export function ReportsPage() {
  useTitle("Reports and sources");
  useArrival(true);
  return (
    <>
      <RoomHeading lead="Who sends as your domains, and how much of it passes DMARC." />
      <div class="stack">
        <ReportedDomains />
        <MailReportTable />
      </div>
    </>
  );
}

export function BouncesPage() {
  useTitle("Bounces and complaints");
  useArrival(true);
  return (
    <>
      <RoomHeading />
      <div class="stack">
        <BounceTable />
        <AutoReplyTable />
      </div>
    </>
  );
}

function AutoReplyTable() {
  return (
    <ArrivalList
      title="Automatic replies"
      lead="Out-of-office replies and read receipts. They don’t count as tests."
      name="replies"
      read={(given) => call("GET /api/auto-replies", given)}
      empty={<p>None yet.</p>}
      columns={["Received", "From", "Subject", "To"]}
      row={(reply) => <ReplyRow key={reply.id} reply={reply} />}
    />
  );
}

function ReplyRow({ reply: { id, receivedAt, from, subject, to } }: { readonly reply: AutoReply }) {
  return (
    <tr>
      <td data-l="Received">
        <Moment time={receivedAt} />
      </td>
      <td data-l="From">{from ?? <span class="faint">no sender</span>}</td>
      <td data-l="Subject">
        {subject?.trim() ? <span dir="auto">{subject}</span> : <span class="faint">No subject</span>}
      </td>
      <td data-l="To">{to.join(", ")}</td>
      <RawDownload
        address={addressOf("/api/auto-replies/:id/raw", { params: { id } })}
        what={`the reply from ${toShortTime(receivedAt)}`}
      />
    </tr>
  );
}

function MailReportTable() {
  return (
    <ArrivalList
      title="DMARC and TLS reports"
      lead="Receivers send these daily. Anyone can send one, so only authenticated ones raise alerts."
      name="reports"
      read={(given) => call("GET /api/reports", given)}
      empty={
        <>
          <p class="measure">
            Mailbox providers send DMARC reports daily to the <code>rua=</code> address in a domain’s DMARC record. Put
            a seed address there, and the reports appear here, with who sends as the domain.
          </p>
          <ReportAddress domain={null} record={null} />
        </>
      }
      columns={["Received", "Report", "Period", "Result"]}
      row={(report) => <ReportRow key={report.id} report={report} />}
    />
  );
}

function ReportRow({ report }: { readonly report: MailReport }) {
  const { id, type, receivedAt, organization, domain, beginsAt, endsAt } = report;
  const kind = type === "dmarc" ? "DMARC" : "TLS";
  return (
    <tr>
      <td data-l="Received">
        <Moment time={receivedAt} />
      </td>
      <td data-l="Report">
        <span>
          {kind} from {organization ?? "unknown sender"}
          <span class="settings-sub">
            {domain !== null && `for ${domain}, `}
            {toSenderWords(report)}
          </span>
        </span>
      </td>
      <td data-l="Period">{toReportedDays(beginsAt, endsAt) ?? <span class="faint">unknown</span>}</td>
      <td data-l="Result">
        <Result report={report} />
      </td>
      <RawDownload
        address={addressOf("/api/reports/:id/raw", { params: { id } })}
        what={`the ${kind} report from ${toShortTime(receivedAt)}`}
      />
    </tr>
  );
}

/** Who sent it is a different question from who it says reports. */
function toSenderWords({ senderDomain, authenticated }: MailReport): string {
  if (authenticated === true) return `authenticated, ${senderDomain}`;
  return authenticated === null ? "sender not checked" : "not authenticated";
}

function Result({ report: { type, total, failed, problem, counted: isCounted } }: { readonly report: MailReport }) {
  if (problem !== null)
    return (
      <span>
        <Severity tone="unknown">Unreadable</Severity>
        <span class="settings-sub">{problem}</span>
      </span>
    );
  if (total === null) return <span class="faint">unknown</span>;
  const count = (many: number) =>
    type === "dmarc" ? toPlural(many, "message", "messages") : toPlural(many, "connection", "connections");
  return (
    <span>
      {failed ? (
        <Severity tone="minor">
          {toCount(failed)} of {count(total)} failed
        </Severity>
      ) : (
        <Severity tone="good">{count(total)}, none failed</Severity>
      )}
      {!isCounted && <span class="settings-sub">Duplicate, not counted again</span>}
    </span>
  );
}
