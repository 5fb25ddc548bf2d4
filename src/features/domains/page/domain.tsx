// A domain: how it stands, then the records found, issues, changes, records to publish, and senders.

import { useCallback, useMemo, useState } from "preact/hooks";
import { call } from "../../../web/client/call.ts";
import { useLiveReload } from "../../../web/client/events.ts";
import { useLoaded } from "../../../web/client/loading.ts";
import { useArrival, useTitle } from "../../../web/client/router.tsx";
import { useSession } from "../../../web/client/session.ts";
import { useDoing } from "../../../web/client/use-action.ts";
import { toDuration, toList, toMoment, toPercent } from "../../../web/client/words.ts";
import { DnsAnswers } from "../../../web/parts/dns-answers.tsx";
import { PageHeading } from "../../../web/parts/heading.tsx";
import { Icon } from "../../../web/parts/icon.tsx";
import { Rail } from "../../../web/parts/navigation.tsx";
import type { RecordRow } from "../../../web/parts/record-form.tsx";
import { Score } from "../../../web/parts/score.tsx";
import { EmptyState, ErrorNote, LoadNote, Note, sayDone } from "../../../web/parts/states.tsx";
import { Moment } from "../../../web/parts/text.tsx";
import { FixFirst } from "../../../web/report/fix.tsx";
import { toProposedRecords } from "../../../web/report/proposed-records.ts";
import { TrialContext } from "../../../web/report/remedy.tsx";
import type { WorkspaceEvent } from "../../events/contract.ts";
import { FeedbackSection } from "../../feedback/page/feedback.tsx";
import { SendersSection } from "../../feedback/page/senders.tsx";
import type { Finding } from "../../tests/contract/judgment.ts";
import type { DnsAnswer } from "../../tests/words/dns-words.ts";
import type { MonitoredDomain } from "../contract/domains.ts";
import { AlsoWatched } from "./also-watched.tsx";
import { HistorySection } from "./history.tsx";
import { RecordsSection, toTryAddress, tryRecords } from "./records.tsx";
import { SettingsSection } from "./settings.tsx";
import { Standing } from "./standing.tsx";
import { VerdictCards } from "./verdict-cards.tsx";
import { isSilent, NextCheck, toJudged, toVerdictWord, verdictMechanisms, verdictNames } from "./verdicts.tsx";
import { WhatIfSection } from "./what-if.tsx";

export function DomainPage({ id }: { readonly id: string }) {
  const { loaded, reload, put } = useLoaded(id, (signal) => call("GET /api/domains/:id", { params: { id }, signal }));
  const isOurs = useCallback((event: WorkspaceEvent) => event.type === "domain.checked" && event.id === id, [id]);
  useLiveReload(reload, isOurs);
  const domain = loaded.value;
  useTitle(domain?.domain ?? "Domain");
  useArrival(domain !== null);
  if (loaded.state === "failed" && loaded.trouble.code === "not_found") return <NoSuchDomain />;
  return (
    <>
      <p>
        <a href="/domains">All domains</a>
      </p>
      <LoadNote loaded={loaded} onRetry={reload} lines={10} what="the domain" />
      {domain && <Domain domain={domain} onChanged={put} />}
    </>
  );
}

function NoSuchDomain() {
  const { person, workspace } = useSession();
  return (
    <EmptyState icon="globe" title="Domain not found" isPage>
      <p>
        It was removed
        {person.workspaces.length > 1 && ` or belongs to another workspace. You’re in ${workspace.name}`}.
      </p>
      <a class="btn" href="/domains">
        All domains
      </a>
    </EmptyState>
  );
}

const sections = [
  { id: "standing", label: "Standing" },
  { id: "verdicts", label: "Status" },
  { id: "fix", label: "Fix first" },
  { id: "changes", label: "Changes" },
  { id: "records", label: "Records" },
  { id: "senders", label: "Senders" },
  { id: "feedback", label: "Feedback" },
  { id: "what-if", label: "Preview a change" },
  { id: "evidence", label: "Evidence" },
  { id: "settings", label: "Settings" },
] as const;

type DomainProps = { readonly domain: MonitoredDomain; readonly onChanged: (domain: MonitoredDomain) => void };

function Domain({ domain, onChanged }: DomainProps) {
  const isChecked = domain.checkedAt !== null;
  const [changes, setChanges] = useState(0);
  const noteChange = useCallback(() => setChanges((count) => count + 1), []);
  const trial = useMemo(
    () => ({
      toRecords: (finding: Finding) => toProposedRecords(domain, finding),
      begin: (records: readonly RecordRow[]) => tryRecords(toTryAddress(domain.id, records)),
    }),
    [domain],
  );
  return (
    <>
      <Heading domain={domain} onChanged={onChanged} />
      <div class="report domain">
        <Rail label="Sections of this domain" sections={sections} />
        <div>
          {domain.unstable && (
            <div class="mb-4">
              <Note tone="unknown">
                <strong>This domain’s records keep changing.</strong> They changed back and forth several times within a
                few hours. Alerts are paused until they settle.
              </Note>
            </div>
          )}
          <Standing domain={domain} changes={changes} />
          <VerdictCards domain={domain} />
          {isChecked && <AlsoWatched domain={domain} />}
          {isChecked && (
            <TrialContext.Provider value={trial}>
              <FixFirst test={toJudged(domain)} />
            </TrialContext.Provider>
          )}
          <HistorySection domain={domain} />
          <RecordsSection domain={domain} />
          <SendersSection domain={domain} changes={changes} onChanged={noteChange} />
          <FeedbackSection domain={domain} changes={changes} onChanged={noteChange} />
          {isChecked && <WhatIfSection domain={domain} />}
          {isChecked && <EvidenceSection domain={domain} />}
          <SettingsSection domain={domain} onChanged={onChanged} />
        </div>
      </div>
    </>
  );
}

function Heading({ domain, onChanged }: DomainProps) {
  const { isBusy, trouble, run } = useDoing();
  const { id, checkedAt, nextCheckAt } = domain;
  const recheck = () =>
    run(async () => {
      const checked = await call("POST /api/domains/:id/recheck", { params: { id } });
      onChanged(checked);
      sayDone(toOutcome(domain, checked));
    });
  return (
    <div class="domain-h">
      <PageHeading title={domain.domain}>
        {checkedAt !== null && (
          <span class="label">
            {!isSilent(domain) && (
              <>
                Score <Score score={domain.score} grade={domain.grade} /> ·{" "}
              </>
            )}
            Checked <Moment time={checkedAt} />, next <NextCheck at={nextCheckAt} />
          </span>
        )}
        <button class="btn" type="button" disabled={isBusy} onClick={recheck}>
          {isBusy ? "Checking…" : "Check again"}
        </button>
      </PageHeading>
      {trouble !== null && <ErrorNote title="The check failed." message={trouble.message} />}
    </div>
  );
}

// The DNS answers behind the checks, and what could not be checked.

function EvidenceSection({ domain }: { readonly domain: MonitoredDomain }) {
  const { analysis, coverage } = domain;
  const byReason = [...Map.groupBy(domain.skipped ?? [], ({ says }) => says)];
  const answers = useMemo(() => (analysis?.dns ?? []).map(toAnswer), [analysis]);
  if (analysis === null) return null;
  return (
    <section class="sec" id="evidence" aria-labelledby="evidence-h">
      <div class="sec-h">
        <h2 id="evidence-h">Evidence</h2>
        <p>
          Evidence collected on {toMoment(analysis.startedAt)} in {toDuration(analysis.durationMs)}.
          {coverage !== null && ` ${toPercent(coverage)} of checks completed.`}
        </p>
      </div>
      {byReason.map(([says, entries]) => (
        <div class="note unknown mb-2" key={says}>
          <Icon name="unknown" />
          <span>
            <strong>Not checked because {says}:</strong>{" "}
            {[...new Set(entries.map(({ check }) => check.replaceAll("-", " ")))].join(", ")}. This doesn’t affect the
            score.
          </span>
        </div>
      ))}
      <details class="more mt-4">
        <summary>All DNS responses</summary>
        <div class="mt-2">
          <DnsAnswers answers={answers} />
        </div>
      </details>
    </section>
  );
}

type DomainAnswer = NonNullable<MonitoredDomain["analysis"]>["dns"][number];

/** The API uses other field names for the DNS answers of a test. */
function toAnswer({ aliases = [], ttlSeconds, durationMs, ...answer }: DomainAnswer): DnsAnswer {
  return { ...answer, aliases, ttl_seconds: ttlSeconds, duration_ms: durationMs };
}

/** What a manual check changed. */
function toOutcome(before: MonitoredDomain, after: MonitoredDomain): string {
  const changed = verdictMechanisms.filter((mechanism) => before[mechanism] !== after[mechanism]);
  if (changed.length === 0) return "Checked. No verdicts changed.";
  const words = changed.map(
    (mechanism) =>
      `${verdictNames[mechanism]} changed from ${toVerdictWord(before[mechanism]).toLowerCase()} to ${toVerdictWord(after[mechanism]).toLowerCase()}`,
  );
  const next = isSilent(after) ? "" : " The change is recorded when a second check confirms it.";
  return `Checked. ${toList(words)}.${next}`;
}
