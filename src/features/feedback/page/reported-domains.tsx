// The domains that DMARC reports are about, monitored ones first, with the sources of each.

import { useState } from "preact/hooks";
import { call } from "../../../web/client/call.ts";
import { useLiveReload } from "../../../web/client/events.ts";
import { useLoaded } from "../../../web/client/loading.ts";
import { toCount, toPlural } from "../../../web/client/words.ts";
import { Severity } from "../../../web/parts/tone.tsx";
import { Reading } from "../../../web/settings/parts.tsx";
import type { ReportedDomain } from "../contract/mail-reports.ts";
import { TlsReports } from "./senders.tsx";
import { SenderTable } from "./source-table.tsx";

type Counted = { readonly messages: number; readonly passed: number };

type Reported = { readonly domains: readonly ReportedDomain[]; readonly problems: ReadonlyMap<string, number> };

async function readReported(signal: AbortSignal): Promise<Reported> {
  const [domains, problems] = await Promise.all([
    call("GET /api/reports/domains", { signal }),
    call("GET /api/feedback-problems", { signal, query: { limit: 100 } }),
  ]);
  const byDomain = Map.groupBy(problems.items, ({ domain }) => domain.id);
  return { domains: domains.items, problems: new Map([...byDomain].map(([id, { length }]) => [id, length])) };
}

export function ReportedDomains() {
  const reading = useLoaded("reported-domains", readReported);
  useLiveReload(reading.reload, ({ type }) => type === "test.recognised");
  return (
    <Reading reading={reading} what="the domains in reports">
      {({ domains, problems }) =>
        domains.length > 0 && (
          <section class="stack-2" aria-labelledby="sources">
            <h2 id="sources">Senders by domain, last 30 days</h2>
            {domains.map((domain, index) => (
              <DomainFold
                key={domain.domain}
                reported={domain}
                problems={problems.get(domain.domainId ?? "") ?? 0}
                isFirst={index === 0}
              />
            ))}
          </section>
        )
      }
    </Reading>
  );
}

type FoldProps = { readonly reported: ReportedDomain; readonly problems: number; readonly isFirst: boolean };

function DomainFold({ reported, problems, isFirst }: FoldProps) {
  const { domain, domainId, reports, unauthenticated } = reported;
  const [isOpen, setOpen] = useState(isFirst);
  return (
    <details class="card fold-away" open={isFirst} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <strong>
          <bdi>{domain}</bdi>
        </strong>{" "}
        {reports > 0 && <Severity tone={reported.failed > 0 ? "minor" : "good"}>{toFailedWords(reported)}</Severity>}{" "}
        {unauthenticated.reports > 0 && (
          <Severity tone="unknown">Not authenticated: {toFailedWords(unauthenticated)}</Severity>
        )}{" "}
        {problems > 0 && <Severity tone="major">{toPlural(problems, "open problem", "open problems")}</Severity>}
      </summary>
      {domainId === null ? (
        <p class="mt-3">
          To see who sends as {domain}, <a href={`/domains?add=${encodeURIComponent(domain)}`}>add the domain</a>.
        </p>
      ) : (
        isOpen && <DomainSources id={domainId} domain={domain} />
      )}
    </details>
  );
}

function toFailedWords({ messages, failed }: Pick<ReportedDomain, "messages" | "failed">): string {
  const all = toPlural(messages, "message", "messages");
  return failed === 0 ? `${all}, none failed DMARC` : `${toCount(failed)} of ${all} failed DMARC`;
}

const toFailed = ({ messages, passed }: Counted) => messages - passed;

function DomainSources({ id, domain }: { readonly id: string; readonly domain: string }) {
  const reading = useLoaded(id, (signal) => call("GET /api/domains/:id/sources", { params: { id }, signal }));
  return (
    <div class="mt-3 stack-2">
      <Reading reading={reading} what={`the sources of ${domain}`}>
        {(sources) => (
          <>
            {sources.messages > 0 && (
              <SenderTable
                sources={{ ...sources, senders: sources.senders.toSorted((a, b) => toFailed(b) - toFailed(a)) }}
                domainId={id}
                days="30"
                onMarked={reading.reload}
              />
            )}
            {sources.tls.reports > 0 && <TlsReports tls={sources.tls} />}
            <p class="row">
              <a href={`/domains/${id}#feedback`}>Problems of {domain}</a>
              <a href={`/domains/${id}/policy`}>DMARC policy coach</a>
            </p>
          </>
        )}
      </Reading>
    </div>
  );
}
