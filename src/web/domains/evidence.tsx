// Every answer of DNS that a check rests on, and what could not be checked.

import { useMemo } from "preact/hooks";
import type { DnsAnswer } from "../../api/dns-words.ts";
import type { MonitoredDomain } from "../../api/domains.ts";
import { toDuration, toMoment, toPercent, toSentence } from "../client/words.ts";
import { DnsAnswers } from "../parts/dns-answers.tsx";
import { Icon } from "../parts/icon.tsx";

export function EvidenceSection({ domain }: { readonly domain: MonitoredDomain }) {
  const { analysis, coverage } = domain;
  const byReason = [...Map.groupBy(domain.skipped ?? [], ({ says }) => says)];
  const answers = useMemo(() => (analysis?.dns ?? []).map(toAnswer), [analysis]);
  if (analysis === null) return null;
  return (
    <section class="sec" id="evidence" aria-labelledby="evidence-h">
      <div class="sec-h">
        <h2 id="evidence-h">Evidence</h2>
        <p>
          What the check of {toMoment(analysis.startedAt)} rests on. It took {toDuration(analysis.durationMs)}
          {coverage !== null && ` and could look at ${toPercent(coverage)} of what applies`}.
        </p>
      </div>
      {byReason.map(([says, entries]) => (
        <div class="note unknown mb-2" key={says}>
          <Icon name="unknown" />
          <span>
            <strong>Not checked, because {says}:</strong>{" "}
            {toSentence([...new Set(entries.map(({ check }) => check.replaceAll("-", " ")))].join(", "))}. It
            counts neither for nor against.
          </span>
        </div>
      ))}
      <details class="more mt-4">
        <summary>Every answer of DNS, as it came</summary>
        <div class="mt-2">
          <DnsAnswers answers={answers} />
        </div>
      </details>
    </section>
  );
}

type DomainAnswer = NonNullable<MonitoredDomain["analysis"]>["dns"][number];

/** The interface names the same things otherwise in a test. */
function toAnswer({ aliases = [], ttlSeconds, durationMs, ...answer }: DomainAnswer): DnsAnswer {
  return { ...answer, aliases, ttl_seconds: ttlSeconds, duration_ms: durationMs };
}
