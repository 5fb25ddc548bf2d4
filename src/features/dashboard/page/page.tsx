// The dashboard: a headline first, then the figures, then the details behind them.

import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import type { AnswerOf } from "../../../platform/contract/endpoint.ts";
import { call } from "../../../web/client/call.ts";
import { useLiveReload } from "../../../web/client/events.ts";
import { useLoaded } from "../../../web/client/loading.ts";
import { useArrival, useTitle } from "../../../web/client/router.tsx";
import { useSession } from "../../../web/client/session.ts";
import { toCount, toPercent, toSpan } from "../../../web/client/words.ts";
import { ShareRects, toShares } from "../../../web/parts/charts.tsx";
import { PageHeading } from "../../../web/parts/heading.tsx";
import { Icon } from "../../../web/parts/icon.tsx";
import { ErrorNote, Skeleton } from "../../../web/parts/states.tsx";
import { toProviderName } from "../../../web/report/placement-row.ts";
import type { listDomains } from "../../domains/contract/domains.ts";
import type { WorkspaceEvent } from "../../events/contract.ts";
import { BouncesCard } from "../../feedback/page/bounces.tsx";
import type { DashboardSummary } from "../contract.ts";
import { DownCard } from "./down.tsx";
import { FirstUse } from "./first-use.tsx";
import { byUrgency, type DomainWithState, type Headline, toHeadline } from "./headline.ts";
import { DomainsCard, IssuesCard, NewestCard } from "./lists.tsx";
import { FeedbackCard, MovedCard } from "./moved.tsx";
import { PlacementKey, placementLooks, TrendCard } from "./trend.tsx";
import { toFigures } from "./words.ts";

export function DashboardPage() {
  useTitle("Dashboard");
  const { loaded, reload } = useSummary();
  const { loaded: domainList, reload: reloadDomains } = useDomains();
  const summary = loaded.value;
  // The headline names domains, so it waits for them, or does without if they can't be loaded.
  const isReady = summary !== null && (domainList.value !== null || domainList.state === "failed");
  useArrival(isReady);
  const trouble = loaded.state === "failed" && (
    <ErrorNote title="Couldn’t load the dashboard." message={loaded.trouble.message} onRetry={reload} />
  );
  if (!isReady)
    return (
      <>
        <h1 class="vh">Dashboard</h1>
        {trouble || <Skeleton lines={12} what="the dashboard" />}
      </>
    );
  const domains = byUrgency(domainList.value?.items ?? [], summary.window.to);
  return (
    <>
      <Head summary={summary} domains={domains} />
      {trouble && <div class="mb-4">{trouble}</div>}
      <DownCard monitors={summary.downMonitors} />
      <Body summary={summary}>
        <DomainsCard loaded={domainList} domains={domains} onRetry={reloadDomains} />
      </Body>
    </>
  );
}

type BodyProps = { readonly summary: DashboardSummary; readonly children: ComponentChildren };

/** Shows only what has data: a page of zeros would say nothing. */
function Body({ summary, children }: BodyProps) {
  const { recentTests, trend, testCount } = summary;
  if (recentTests.length === 0)
    return (
      <>
        <FeedbackCard feedback={summary.feedback} />
        <FirstUse />
        <div class="mt-6">{children}</div>
      </>
    );
  const hasWeek = testCount > 0;
  if (!hasWeek && trend.every(({ tests }) => tests === 0))
    return (
      <>
        <FeedbackCard feedback={summary.feedback} />
        <div class="grid g2 dash">
          <NewestCard recentTests={recentTests} />
          {children}
        </div>
      </>
    );
  return (
    <>
      {hasWeek && <Figures summary={summary} />}
      <FeedbackCard feedback={summary.feedback} />
      <MovedCard streams={summary.movedStreams} />
      <div class="mt-4 grid g21 dash">
        <div class="tops grid">
          <TrendCard trend={trend} />
          {hasWeek && <ProvidersCard placement={summary.placement} />}
          {hasWeek && <IssuesCard topIssues={summary.topIssues} testCount={testCount} />}
        </div>
        <div class="tops grid">
          <NewestCard recentTests={recentTests} />
          {children}
          {summary.bounces7d + summary.complaints7d > 0 && <BouncesCard summary={summary} />}
        </div>
      </div>
    </>
  );
}

type HeadProps = { readonly summary: DashboardSummary; readonly domains: readonly DomainWithState[] };

function Head({ summary, domains }: HeadProps) {
  const { workspace } = useSession();
  const hasNews = summary.downMonitors.length + summary.feedback.open > 0;
  if (summary.recentTests.length === 0 && summary.newestFailed === null && !hasNews)
    return <PageHeading label={`Workspace ${workspace.name}`} title="No tests yet" />;
  const { from, to } = summary.window;
  const headline = toHeadline(summary, domains);
  return (
    <PageHeading
      label={`Workspace ${workspace.name}, ${toSpan(from, to)}`}
      title={<HeadlineWords headline={headline} />}
      lead={headline.lead}
    />
  );
}

function HeadlineWords({ headline: { exception } }: { readonly headline: Headline }) {
  if (exception === null)
    return (
      <span class="headline good">
        <Icon name="good" />
        Your mail looks good
      </span>
    );
  const { tone, before, text, after, to } = exception;
  return (
    <span class={`headline ${tone}`}>
      {before}
      <a href={to}>{text}</a>
      {after}
    </span>
  );
}

// Placement by provider, worst first, and whether it was observed or predicted.

type ProviderRates = DashboardSummary["placement"][number];

function ProvidersCard({ placement }: Pick<DashboardSummary, "placement">) {
  const rows = placement.toSorted(
    (a, b) => (b.spamRate ?? 0) - (a.spamRate ?? 0) || (a.inboxRate ?? 0) - (b.inboxRate ?? 0),
  );
  return (
    <section class="card" id="providers" aria-labelledby="providers-h">
      <div class="row between">
        <h2 id="providers-h">Placement by provider, 7 days</h2>
        {rows.length > 0 && <PlacementKey />}
      </div>
      {rows.length === 0 ? (
        <p class="muted">No placement data this week.</p>
      ) : (
        <ul>
          {rows.map((row) => (
            <Provider key={row.provider} row={row} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Provider({ row }: { readonly row: ProviderRates }) {
  const shares = toShares(
    placementLooks,
    ({ rate }) => row[rate] ?? 0,
    (share) => share > 0,
  );
  const label = shares.map(({ word, share }) => `${word.toLowerCase()} ${toPercent(share)}`).join(", ");
  const isSeen = row.observed > 0;
  return (
    <li class="hbar">
      <span>{toProviderName(row.provider)}</span>
      <svg role="img" aria-label={label} class={isSeen ? "observed" : "predicted"}>
        <ShareRects shares={shares} />
      </svg>
      <span class="num" aria-hidden="true">
        {toPercent(row.inboxRate ?? 0)} inbox
        {(row.promoRate ?? 0) > 0 && (
          <>
            <br />
            {toPercent(row.promoRate ?? 0)} Promotions
          </>
        )}
      </span>
      <Knowledge row={row} />
    </li>
  );
}

function Knowledge({ row: { observed, tests } }: { readonly row: ProviderRates }) {
  if (observed === 0) return <span class="known faint">predicted</span>;
  return (
    <span class="known">
      <Icon name="eye" /> {observed === tests ? "observed" : `${toCount(observed)} of ${toCount(tests)} observed`}
    </span>
  );
}

function Figures({ summary }: { readonly summary: DashboardSummary }) {
  return (
    <dl class="kpis">
      {toFigures(summary).map(({ name, value, change }) => (
        <div key={name} class="kpi">
          <dt class="label">{name}</dt>
          <dd class="v">{value}</dd>
          <dd class={`d ${change.tone ?? ""}`}>
            {change.icon !== null && <Icon name={change.icon} />}
            {change.words}
          </dd>
        </div>
      ))}
    </dl>
  );
}

// The dashboard's data is cached, so going back to it is instant. Events reload it.

type DomainList = AnswerOf<typeof listDomains>;

let lastSummary: { readonly of: string; readonly value: DashboardSummary } | null = null;
let lastDomains: { readonly of: string; readonly value: DomainList } | null = null;

/** The server's seven days start on a quarter of an hour. */
const quarterMs = 900_000;

const isOfDomains = ({ type }: WorkspaceEvent) => type === "domain.checked";
/** The summary also counts failing domains. */
const isOfSummary = (event: WorkspaceEvent) => event.type.startsWith("test.") || isOfDomains(event);

function useSummary() {
  const { id } = useSession().workspace;
  const kept = lastSummary?.of === id ? lastSummary.value : null;
  const reading = useLoaded(
    id,
    async (signal) => {
      const query = { tz: Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC" };
      const value = await call("GET /api/dashboard/summary", { query, signal });
      lastSummary = { of: id, value };
      return value;
    },
    kept,
  );
  useLiveReload(reading.reload, isOfSummary);
  // Old tests drop out of the seven days without an event.
  useEffect(() => {
    const timer = setInterval(reading.reload, quarterMs);
    return () => clearInterval(timer);
  }, [reading.reload]);
  return reading;
}

function useDomains() {
  const { id } = useSession().workspace;
  const kept = lastDomains?.of === id ? lastDomains.value : null;
  const reading = useLoaded(
    id,
    async (signal) => {
      const value = await call("GET /api/domains", { signal });
      lastDomains = { of: id, value };
      return value;
    },
    kept,
  );
  useLiveReload(reading.reload, isOfDomains);
  return reading;
}
