// Mail to the seed addresses that isn't a test: bounces, complaints, reports and automatic replies, with downloads.

import { addressOf, call } from "../../../web/client/call.ts";
import { toCount, toPlural, toReportedDays, toShortTime } from "../../../web/client/words.ts";
import { Moment } from "../../../web/parts/text.tsx";
import { Severity } from "../../../web/parts/tone.tsx";
import { SectionHead } from "../../../web/settings/parts.tsx";
import type { AutoReply, MailReport } from "../contract/mail-reports.ts";
import { ArrivalList, BounceTable, RawDownload } from "./arrivals.tsx";

export function OtherMailSection() {
  return (
    <>
      <SectionHead
        title="Other mail"
        lead="Bounces, reports, and automatic replies sent to your seed addresses, and what providers report by webhook."
      />
      <div class="stack">
        <BounceTable />
        <MailReportTable />
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
      empty="None yet."
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
      <td data-l="Subject">{subject?.trim() || <span class="faint">No subject</span>}</td>
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
      lead="Receivers send these daily. They show how much mail from your domain passed DMARC and which connections couldn’t be encrypted."
      name="reports"
      read={(given) => call("GET /api/reports", given)}
      empty="None yet. To receive them, put a seed address that’s reachable from the internet into the rua= tag of your domain’s DMARC record."
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
          {domain !== null && <span class="settings-sub">for {domain}</span>}
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
