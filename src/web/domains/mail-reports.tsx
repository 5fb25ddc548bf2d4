// What receivers reported by mail on domains: DMARC reports count messages, TLS reports count sessions. Read when opened.

import { useState } from "preact/hooks";
import type { MailReport } from "../../api/mail-reports.ts";
import { addressOf, call } from "../client/call.ts";
import { useLoaded } from "../client/loading.ts";
import { useSession } from "../client/session.ts";
import { toCount, toDay, toPlural } from "../client/words.ts";
import { Copyable } from "../parts/copy.tsx";
import { ErrorNote, Note, Skeleton } from "../parts/states.tsx";
import { Moment } from "../parts/text.tsx";
import { Severity } from "../parts/tone.tsx";

export function MailReports() {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="more mt-6" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Reports that receivers sent by mail</summary>
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
    return (
      <ErrorNote title="The reports could not be read." message={loaded.trouble.message} onRetry={reload} />
    );
  if (list === null) return <Skeleton lines={5} what="the reports" />;
  if (list.total === 0)
    return (
      <div class="card stack mt-2">
        <p>None has come yet.</p>
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
      <caption>Newest first. As reported: whoever knows the address can send a forged one.</caption>
      <thead>
        <tr>
          <th scope="col">From</th>
          <th scope="col">About</th>
          <th scope="col">Days</th>
          <th scope="col">Counts</th>
          <th scope="col">Received</th>
          <th scope="col">Message</th>
        </tr>
      </thead>
      <tbody>
        {reports.map((report) => (
          <tr key={report.id}>
            <th scope="row">{report.organization ?? "Nobody named"}</th>
            <td data-l="About">
              <span>
                {report.domain ?? "–"} <span class="label">{report.type === "tls" ? "TLS" : "DMARC"}</span>
              </span>
            </td>
            <td data-l="Days">
              <span>{toDays(report)}</span>
            </td>
            <td data-l="Counts">
              <Counts report={report} />
            </td>
            <td data-l="Received">
              <Moment time={report.receivedAt} />
            </td>
            <td data-l="Message">
              <a href={addressOf("/api/reports/:id/raw", { params: { id: report.id } })} download>
                Download<span class="vh"> the report of {report.organization ?? report.receivedAt}</span>
              </a>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function toDays({ beginsAt, endsAt }: MailReport): string {
  const days = [beginsAt, endsAt].flatMap((time) => (time === null ? [] : [toDay(time)]));
  return days.length === 0 ? "–" : [...new Set(days)].join(" to ");
}

function Counts({ report: { problem, counted, total, failed, type } }: { readonly report: MailReport }) {
  if (problem !== null) return <span>Not read: {problem}</span>;
  if (!counted) return <span class="muted">Came before, counted once</span>;
  const words =
    type === "tls"
      ? toPlural(total ?? 0, "session", "sessions")
      : toPlural(total ?? 0, "message", "messages");
  if (!failed) return <Severity tone="good">{words}, none failed</Severity>;
  return (
    <Severity tone="minor">
      {words}, {toCount(failed)} failed
    </Severity>
  );
}

// How reports get here: an address of this workspace in the domain's records.

type Props = {
  /** Null: of any. */
  readonly domain: string | null;
  /** The DMARC record that stands. */
  readonly record: string | null;
};

export function ReportAddress({ domain, record }: Props) {
  const { seedAddress } = useSession().workspace;
  if (seedAddress === null)
    return (
      <Note tone="minor">No seed inbox of this workspace receives mail, so that no report can come.</Note>
    );
  const host = seedAddress.slice(seedAddress.indexOf("@") + 1);
  const isOwn = domain !== null && (host === domain || host.endsWith(`.${domain}`));
  const at = domain ?? "your domain";
  if (host === "localhost" || host.endsWith(".localhost"))
    return (
      <p class="measure">
        Receivers can’t send reports to this server: {host} exists on this machine alone. Set{" "}
        <code>ASSAY_SEED_DOMAINS</code> to a domain whose MX record leads here.
      </p>
    );
  return (
    <div class="stack-2">
      <p class="measure">
        Receivers such as Gmail and Yahoo report each day who sent as {at}. They send it to the address behind{" "}
        <code>rua=</code> in the record at <code>_dmarc.{domain ?? "<domain>"}</code>
        {record === null ? "" : ". Set it there, or add it behind a comma to the one that stands"}:
      </p>
      <Copyable text={`rua=mailto:${seedAddress}`} what="the tag for DMARC reports" />
      {!isOwn && (
        <>
          <p class="measure">
            Because the address is at another domain, {host} must agree, by this TXT record at{" "}
            <code>
              {domain ?? "<domain>"}._report._dmarc.{host}
            </code>
            :
          </p>
          <Copyable text="v=DMARC1;" what="the record that agrees" />
        </>
      )}
      <p class="measure">
        Reports on encryption come by this TXT record at <code>_smtp._tls.{domain ?? "<domain>"}</code>:
      </p>
      <Copyable text={`v=TLSRPTv1; rua=mailto:${seedAddress}`} what="the record for TLS reports" />
    </div>
  );
}
