// Who sends for a domain: from receivers' reports, and from authenticated test mail.

import { call } from "../../../web/client/call.ts";
import { useLoaded, useLoadedSince } from "../../../web/client/loading.ts";
import { goTo, usePlace } from "../../../web/client/router.tsx";
import { toCount, toList, toPercent, toPlural } from "../../../web/client/words.ts";
import { Choice } from "../../../web/parts/form.tsx";
import { ErrorNote, LoadNote } from "../../../web/parts/states.tsx";
import { Table } from "../../../web/parts/table.tsx";
import { Moment } from "../../../web/parts/text.tsx";
import type { MonitoredDomain } from "../../domains/contract/domains.ts";
import type { DomainSender, DomainSources } from "../contract/domain-sources.ts";
import { kindWords } from "../words/sender-words.ts";
import { ReportAddress } from "./report-address.tsx";
import { SenderTable } from "./source-table.tsx";

const spans = ["7", "30", "90", "365"] as const;
type DaySpan = (typeof spans)[number];

/** `changes`: how often a member changed what it depends on. */
type SectionProps = { readonly domain: MonitoredDomain; readonly changes: number; readonly onChanged: () => void };

export function SendersSection({ domain, changes, onChanged }: SectionProps) {
  const { query } = usePlace();
  const days = spans.find((span) => span === query.get("days")) ?? "30";
  const { loaded, reload } = useLoadedSince(days, `${changes}`, (signal) =>
    call("GET /api/domains/:id/sources", { params: { id: domain.id }, query: { days }, signal }),
  );
  const sources = loaded.value;
  const choose = (span: DaySpan) => {
    const asked = new URLSearchParams(query);
    asked.set("days", span);
    goTo(`/domains/${domain.id}?${asked}`, { replace: true });
  };
  return (
    <section class="sec" id="senders" aria-labelledby="senders-h">
      <div class="sec-h row between">
        <div>
          <h2 id="senders-h">{sources ? toHeading(sources) : "Who sends as this domain"}</h2>
          <p>From all DMARC reports. Those that aren’t authenticated can be forged.</p>
        </div>
        <Choice
          legend="Period"
          options={spans.map((span) => ({ value: span, label: span === "365" ? "Year" : `${span} days` }))}
          value={days}
          onChoose={choose}
        />
      </div>
      <LoadNote loaded={loaded} onRetry={reload} lines={6} what="the reports" />
      {sources && <Sources domain={domain} sources={sources} days={days} onMarked={onChanged} />}
      <OwnMail domain={domain} />
    </section>
  );
}

function toHeading({ messages, passed, allSenders }: DomainSources): string {
  if (messages === 0) return "Who sends as this domain";
  return `${toPercent(passed / messages)} of mail from ${toPlural(allSenders, "sender", "senders")} passes DMARC`;
}

type SourcesProps = {
  readonly domain: MonitoredDomain;
  readonly sources: DomainSources;
  readonly days: string;
  readonly onMarked: () => void;
};

function Sources({ domain, sources, days, onMarked }: SourcesProps) {
  const { messages, tls } = sources;
  return (
    <div class="stack">
      {messages === 0 ? (
        <div class="card stack">
          <h3>No DMARC reports in the last {days} days</h3>
          <ReportAddress domain={domain.domain} record={domain.details?.dmarc?.record ?? null} />
        </div>
      ) : (
        <SenderTable sources={sources} domainId={domain.id} days={days} onMarked={onMarked} />
      )}
      {tls.reports > 0 && <TlsReports tls={tls} />}
    </div>
  );
}

const typeWords: Readonly<Record<DomainSender["kind"], string>> = {
  selector: "DKIM selector",
  return_path: "Return-Path",
  address: "Address",
  helo: "HELO name",
};

/** Learned from authenticated mail to this server, without reports. */
function OwnMail({ domain }: { readonly domain: MonitoredDomain }) {
  const { loaded, reload } = useLoaded(domain.id, (signal) =>
    call("GET /api/domains/:id/senders", { params: { id: domain.id }, signal }),
  );
  if (loaded.state === "failed")
    return <ErrorNote title="Couldn’t load the senders." message={loaded.trouble.message} onRetry={reload} />;
  const items = loaded.value?.items ?? [];
  if (items.length === 0) return null;
  return (
    <div class="card flush mt-4">
      <Table
        look="fold"
        caption="Learned from your test mail"
        columns={["Type", "Value", "Sender", { num: "Messages" }, "Last seen"]}
      >
        {items.map(({ kind, value, sender, messages, lastSeenAt, watched }) => (
          <tr key={`${kind} ${value}`}>
            <th scope="row">{typeWords[kind]}</th>
            <td>
              <code>{value}</code>
              {!watched && <span class="label"> older than 30 days, no longer used</span>}
            </td>
            <td data-l="Sender">
              <span>{sender === null ? "–" : toNameWords(sender)}</span>
            </td>
            <td data-l="Messages" class="num">
              <span>{toCount(messages)}</span>
            </td>
            <td data-l="Last seen">
              <Moment time={lastSeenAt} />
            </td>
          </tr>
        ))}
      </Table>
    </div>
  );
}

function toNameWords({ name, kind }: NonNullable<DomainSender["sender"]>): string {
  return kind === "unknown" || kind === "own" ? name : `${name}, ${kindWords[kind]}`;
}

/** Whether other servers could encrypt mail to the domain. */
export function TlsReports({ tls }: { readonly tls: DomainSources["tls"] }) {
  const { reports, sessions, failed, failures } = tls;
  return (
    <div class="card flush">
      <h3 class="pad">
        {failed === 0
          ? sessions === 0
            ? "No TLS sessions reported"
            : "All reported sessions were encrypted"
          : `${toCount(failed)} of ${toPlural(sessions, "session", "sessions")} couldn’t be encrypted`}
      </h3>
      <p class="small muted pad-s">
        From {toPlural(reports, "TLS report", "TLS reports")}
        {sessions > 0 && `: ${toPercent((sessions - failed) / sessions)} succeeded`}.
      </p>
      {failures.length > 0 && (
        <Table look="fold" label="Why sessions failed" columns={["Reason", "Host", "Reported by", { num: "Sessions" }]}>
          {failures.map(({ resultType, mxHost, organizations, sessions: count }) => (
            <tr key={`${resultType} ${mxHost}`}>
              <th scope="row">{resultType === null ? "Other reasons" : resultType.replaceAll("-", " ")}</th>
              <td data-l="Host">
                <span>{mxHost ?? "–"}</span>
              </td>
              <td data-l="Reported by">
                <span>{toList(organizations)}</span>
              </td>
              <td data-l="Sessions" class="num">
                <span>{toCount(count)}</span>
              </td>
            </tr>
          ))}
        </Table>
      )}
    </div>
  );
}
