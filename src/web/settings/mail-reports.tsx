import type { MailReport } from "../../api/mail-reports.ts";
import { toCount, toDay, toShortTime } from "../client/words.ts";
import { Moment } from "../parts/moment.tsx";
import { Severity } from "../parts/tone.tsx";
import { ArrivalList } from "./arrival-list.tsx";
import { RawDownload } from "./raw-download.tsx";

export function MailReportTable() {
  return (
    <ArrivalList<MailReport>
      title="DMARC and TLS reports"
      lead="Receivers send them daily to the address that a domain’s record names: how much mail came under its name and passed, or which connections could not be encrypted."
      name="reports"
      path="/api/reports"
      empty="None has come. To receive them, put rua=mailto: and a seed inbox’s address into a domain’s DMARC record."
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
          {kind} of {organization ?? "somebody unnamed"}
          {domain !== null && <span class="settings-sub">on {domain}</span>}
        </span>
      </td>
      <td data-l="Period">{toPeriod(beginsAt, endsAt) ?? <span class="faint">not told</span>}</td>
      <td data-l="Result">
        <Result report={report} />
      </td>
      <RawDownload
        path={`/api/reports/${id}/raw`}
        what={`the ${kind} report of ${toShortTime(receivedAt)}`}
      />
    </tr>
  );
}

function toPeriod(beginsAt: string | null, endsAt: string | null): string | null {
  const days = [beginsAt, endsAt].flatMap((time) => (time === null ? [] : [toDay(time)]));
  return days.length === 0 ? null : [...new Set(days)].join(" to ");
}

function Result({ report: { type, total, failed, problem, counted } }: { readonly report: MailReport }) {
  if (problem !== null)
    return (
      <span>
        <Severity tone="unknown">Not read</Severity>
        <span class="settings-sub">{problem}</span>
      </span>
    );
  if (total === null) return <span class="faint">not told</span>;
  const what = type === "dmarc" ? "messages" : "connections";
  return (
    <span>
      {failed ? (
        <Severity tone="minor">
          {toCount(failed)} of {toCount(total)} {what} failed
        </Severity>
      ) : (
        <Severity tone="good">
          All {toCount(total)} {what} passed
        </Severity>
      )}
      {!counted && <span class="settings-sub">Came before, counted once</span>}
    </span>
  );
}
