// Who sends for a domain: as receivers counted it in their reports, and as the mail that came here proved it.

import type { DomainSender, DomainSources } from "../../api/domain-sources.ts";
import type { MonitoredDomain } from "../../api/domains.ts";
import { call } from "../client/call.ts";
import { useLoaded } from "../client/loading.ts";
import { goTo, usePlace } from "../client/router.tsx";
import { toCount, toList, toPercent, toPlural } from "../client/words.ts";
import { Choice } from "../parts/form.tsx";
import { ErrorNote, Skeleton } from "../parts/states.tsx";
import { Moment } from "../parts/text.tsx";
import { ReportAddress } from "./mail-reports.tsx";
import { SourceTable } from "./source-table.tsx";

const spans = ["7", "30", "90"] as const;
type DaySpan = (typeof spans)[number];

export function SendersSection({ domain }: { readonly domain: MonitoredDomain }) {
  const { query } = usePlace();
  const days = spans.find((span) => span === query.get("days")) ?? "30";
  const { loaded, reload } = useLoaded(days, (signal) =>
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
          <h2 id="senders-h">{sources ? toHeading(sources) : "Who sends for this domain"}</h2>
          <p>As receivers reported it. A forged report is possible: look at who reported.</p>
        </div>
        <Choice
          legend="Days that are counted"
          options={spans.map((span) => ({ value: span, label: `${span} days` }))}
          value={days}
          onChoose={choose}
        />
      </div>
      {loaded.state === "failed" && (
        <ErrorNote title="The reports could not be read." message={loaded.trouble.message} onRetry={reload} />
      )}
      {sources === null && loaded.state === "loading" && (
        <Skeleton lines={6} what="what receivers reported" />
      )}
      {sources && <Sources domain={domain} sources={sources} days={days} />}
      <OwnMail domain={domain} />
    </section>
  );
}

function toHeading({ messages, passed, sources, others }: DomainSources): string {
  if (messages === 0) return "Who sends for this domain";
  const addresses = sources.length + others.addresses;
  return `${toPercent(passed / messages)} of what ${toPlural(addresses, "address sends", "addresses send")} for this domain passes DMARC`;
}

type SourcesProps = {
  readonly domain: MonitoredDomain;
  readonly sources: DomainSources;
  readonly days: string;
};

function Sources({ domain, sources, days }: SourcesProps) {
  const { messages, tls } = sources;
  return (
    <div class="stack">
      {messages === 0 ? (
        <div class="card stack">
          <h3>No DMARC report of the last {days} days</h3>
          <ReportAddress domain={domain.domain} record={domain.details?.dmarc?.record ?? null} />
        </div>
      ) : (
        <SourceTable sources={sources} />
      )}
      {tls.reports > 0 && <TlsReports tls={tls} />}
    </div>
  );
}

const kindWords: Readonly<Record<DomainSender["kind"], string>> = {
  selector: "DKIM selector",
  return_path: "Return path",
  address: "Address",
  helo: "Greeting (HELO)",
};

/** What is proven here needs no receiver's word. */
function OwnMail({ domain }: { readonly domain: MonitoredDomain }) {
  const { loaded, reload } = useLoaded(domain.id, (signal) =>
    call("GET /api/domains/:id/senders", { params: { id: domain.id }, signal }),
  );
  if (loaded.state === "failed")
    return (
      <ErrorNote
        title="What its mail showed could not be read."
        message={loaded.trouble.message}
        onRetry={reload}
      />
    );
  const items = loaded.value?.items ?? [];
  if (items.length === 0) return null;
  return (
    <div class="card flush mt-4">
      <table class="table fold">
        <caption>
          Proven by mail that came here: checks of the domain heed what was seen in the last 30 days
        </caption>
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">Seen</th>
            <th scope="col" class="num">
              Messages
            </th>
            <th scope="col">Last</th>
          </tr>
        </thead>
        <tbody>
          {items.map(({ kind, value, messages, lastSeenAt, watched }) => (
            <tr key={`${kind} ${value}`}>
              <th scope="row">{kindWords[kind]}</th>
              <td>
                <code>{value}</code>
                {!watched && <span class="label"> long ago, heeded no more</span>}
              </td>
              <td data-l="Messages" class="num">
                <span>{messages}</span>
              </td>
              <td data-l="Last">
                <Moment time={lastSeenAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Whether others could encrypt what they sent to the domain. */
function TlsReports({ tls }: { readonly tls: DomainSources["tls"] }) {
  const { reports, sessions, failed, failures } = tls;
  return (
    <div class="card flush">
      <h3 class="pad">
        {failed === 0
          ? sessions === 0
            ? "No session was counted"
            : "All sessions to the domain were encrypted"
          : `${toCount(failed)} of ${toPlural(sessions, "session", "sessions")} to the domain failed to encrypt`}
      </h3>
      <p class="small muted pad-s">
        From {toPlural(reports, "TLS report", "TLS reports")}
        {sessions > 0 && `: ${toPercent((sessions - failed) / sessions)} succeeded`}.
      </p>
      {failures.length > 0 && (
        <table class="table fold">
          <caption class="vh">Why sessions failed</caption>
          <thead>
            <tr>
              <th scope="col">Why</th>
              <th scope="col">Host</th>
              <th scope="col">Reported by</th>
              <th scope="col" class="num">
                Sessions
              </th>
            </tr>
          </thead>
          <tbody>
            {failures.map(({ resultType, mxHost, organizations, sessions: count }) => (
              <tr key={`${resultType} ${mxHost}`}>
                <th scope="row">
                  {resultType === null ? "Several small reasons" : resultType.replaceAll("-", " ")}
                </th>
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
          </tbody>
        </table>
      )}
    </div>
  );
}
