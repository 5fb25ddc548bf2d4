// DMARC and TLS reports that receivers sent by email. Loaded when expanded.

import { useState } from "preact/hooks";
import { addressOf, call } from "../../../web/client/call.ts";
import { useLoaded } from "../../../web/client/loading.ts";
import { useSession } from "../../../web/client/session.ts";
import { toCount, toPlural, toReportedDays } from "../../../web/client/words.ts";
import { Copyable } from "../../../web/parts/copy.tsx";
import { ErrorNote, Note, Skeleton } from "../../../web/parts/states.tsx";
import { Moment } from "../../../web/parts/text.tsx";
import { Severity } from "../../../web/parts/tone.tsx";
import type { MailReport } from "../contract/mail-reports.ts";

export function MailReports() {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="more mt-6" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>DMARC and TLS reports</summary>
      {isOpen && <ReportPages />}
    </details>
  );
}

function ReportPages() {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const cursor = cursors.at(-1);
  const { loaded, reload } = useLoaded(cursor ?? "", (signal) =>
    call("GET /api/reports", { query: { limit: 20, cursor }, signal }),
  );
  const list = loaded.value;
  if (loaded.state === "failed")
    return <ErrorNote title="Couldn’t load the reports." message={loaded.trouble.message} onRetry={reload} />;
  if (list === null) return <Skeleton lines={5} what="the reports" />;
  if (list.total === 0)
    return (
      <div class="card stack mt-2">
        <p>No reports yet.</p>
        <ReportAddress domain={null} record={null} />
      </div>
    );
  return (
    <>
      <div class="card flush mt-2">
        <ReportTable reports={list.items} />
      </div>
      <nav class="row mt-4" aria-label="Pages of reports">
        {cursors.length > 0 && (
          <button class="btn small" type="button" onClick={() => setCursors(cursors.slice(0, -1))}>
            Newer reports
          </button>
        )}
        {list.next !== null && (
          <button class="btn small" type="button" onClick={() => setCursors([...cursors, list.next ?? ""])}>
            Older reports
          </button>
        )}
      </nav>
    </>
  );
}

function ReportTable({ reports }: { readonly reports: readonly MailReport[] }) {
  return (
    <table class="table mid fold">
      <caption>Newest first. Anyone can send a report. Only authenticated ones raise alerts.</caption>
      <thead>
        <tr>
          <th scope="col">Reported by</th>
          <th scope="col">Domain</th>
          <th scope="col">Period</th>
          <th scope="col">Result</th>
          <th scope="col">Received</th>
          <th scope="col">Message</th>
        </tr>
      </thead>
      <tbody>
        {reports.map((report) => (
          <tr key={report.id}>
            <th scope="row">
              {report.organization ?? "Unknown"}
              <span class="label">{toSenderWords(report)}</span>
            </th>
            <td data-l="Domain">
              <span>
                {report.domain ?? "–"} <span class="label">{report.type === "tls" ? "TLS" : "DMARC"}</span>
              </span>
            </td>
            <td data-l="Period">
              <span>{toReportedDays(report.beginsAt, report.endsAt) ?? "–"}</span>
            </td>
            <td data-l="Result">
              <Counts report={report} />
            </td>
            <td data-l="Received">
              <Moment time={report.receivedAt} />
            </td>
            <td data-l="Message">
              <a href={addressOf("/api/reports/:id/raw", { params: { id: report.id } })} download>
                Download<span class="vh"> the report from {report.organization ?? report.receivedAt}</span>
              </a>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Who sent it is a different question from who it says reports. */
function toSenderWords({ senderDomain, authenticated }: MailReport): string {
  if (authenticated === true) return `authenticated, ${senderDomain}`;
  return authenticated === null ? "sender not checked" : "not authenticated";
}

function Counts({ report: { problem, counted, total, failed, type } }: { readonly report: MailReport }) {
  if (problem !== null) return <span>Unreadable: {problem}</span>;
  if (!counted) return <span class="muted">Duplicate, not counted again</span>;
  const words =
    type === "tls" ? toPlural(total ?? 0, "session", "sessions") : toPlural(total ?? 0, "message", "messages");
  if (!failed) return <Severity tone="good">{words}, none failed</Severity>;
  return (
    <Severity tone="minor">
      {words}, {toCount(failed)} failed
    </Severity>
  );
}

// How to receive reports: put a seed address of this workspace in the domain's records.

type Props = {
  /** Null: any domain. */
  readonly domain: string | null;
  /** The current DMARC record. */
  readonly record: string | null;
};

export function ReportAddress({ domain, record }: Props) {
  const { seedAddress } = useSession().workspace;
  if (seedAddress === null)
    return <Note tone="minor">None of your seed addresses can receive mail, so reports can’t arrive.</Note>;
  const host = seedAddress.slice(seedAddress.indexOf("@") + 1);
  const isOwn = domain !== null && (host === domain || host.endsWith(`.${domain}`));
  const at = domain ?? "your domain";
  const hasReports = /\brua\s*=/i.test(record ?? "");
  if (host === "localhost" || host.endsWith(".localhost"))
    return (
      <p class="measure">
        Receivers can’t send reports to this server, because {host} only exists on this machine. Set{" "}
        <code>ASSAY_SEED_DOMAINS</code> to a domain whose MX record points to this server.
      </p>
    );
  return (
    <div class="stack-2">
      <p class="measure">
        Mailbox providers such as Gmail and Yahoo send daily reports on who sends as {at}. These reports go to the{" "}
        <code>rua=</code> address in the DMARC record at <code>_dmarc.{domain ?? "<domain>"}</code>.{" "}
        {hasReports ? "Add this address to your rua tag, after a comma:" : "Add this tag to the record:"}
      </p>
      {hasReports ? (
        <Copyable text={`mailto:${seedAddress}`} what="the address for DMARC reports" />
      ) : (
        <Copyable text={`rua=mailto:${seedAddress}`} what="the tag for DMARC reports" />
      )}
      {!isOwn && (
        <>
          <p class="measure">
            The address is on another domain, so {host} must allow it. Publish this TXT record at{" "}
            <code>
              {domain ?? "<domain>"}._report._dmarc.{host}
            </code>
            :
          </p>
          <Copyable text="v=DMARC1;" what="the authorization record" />
        </>
      )}
      <p class="measure">
        To receive TLS reports, publish this TXT record at <code>_smtp._tls.{domain ?? "<domain>"}</code>:
      </p>
      <Copyable text={`v=TLSRPTv1; rua=mailto:${seedAddress}`} what="the record for TLS reports" />
    </div>
  );
}
