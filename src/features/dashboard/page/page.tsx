// Home: what needs you first, then streams and the newest tests, then the figures behind them.

import { Fragment } from "preact";
import { useEffect } from "preact/hooks";
import { call } from "../../../web/client/call.ts";
import { useLiveReload } from "../../../web/client/events.ts";
import { useLoaded } from "../../../web/client/loading.ts";
import { useArrival, useTitle } from "../../../web/client/router.tsx";
import { useSession } from "../../../web/client/session.ts";
import { toCount, toPercent, toSpan } from "../../../web/client/words.ts";
import { ShareRects } from "../../../web/parts/charts.tsx";
import { PageHeading } from "../../../web/parts/heading.tsx";
import { Icon } from "../../../web/parts/icon.tsx";
import { toPlacementShares } from "../../../web/parts/placement-shares.ts";
import { ErrorNote, Skeleton } from "../../../web/parts/states.tsx";
import { toProviderName } from "../../../web/report/placement-row.ts";
import type { WorkspaceEvent } from "../../events/contract.ts";
import type { DashboardSummary } from "../contract.ts";
import { FirstUse } from "./first-use.tsx";
import { IssuesCard, NewestCard } from "./lists.tsx";
import { NeedingList } from "./needing.tsx";
import { type Line, toFine, toHeadline, toLines } from "./needs.ts";
import { TracksCard } from "./tracks.tsx";
import { PlacementKey, TrendCard } from "./trend.tsx";
import { toFigures } from "./words.ts";

export function DashboardPage() {
  useTitle("Home");
  const { loaded, reload } = useSummary();
  const summary = loaded.value;
  useArrival(summary !== null);
  const trouble = loaded.state === "failed" && (
    <ErrorNote title="Couldn’t load this page." message={loaded.trouble.message} onRetry={reload} />
  );
  if (summary === null)
    return (
      <>
        <h1 class="vh">Home</h1>
        {trouble || <Skeleton lines={12} what="your messages" />}
      </>
    );
  const isNew = summary.recentTests.length === 0 && summary.newestFailed === null;
  const lines = toLines(summary);
  return (
    <>
      {isNew && lines.length === 0 ? (
        <PageHeading
          title="Send an email to this address"
          lead="Send it from the app or service that your mail comes from. Its report is here within seconds."
        />
      ) : (
        <Head summary={summary} things={lines.length} />
      )}
      {trouble && <div class="mb-4">{trouble}</div>}
      <NeedingList needsYou={summary.needsYou} />
      <Lines lines={lines} />
      {isNew ? <FirstUse /> : <Lists summary={summary} />}
      <Fine summary={summary} />
      {!isNew && <Numbers summary={summary} />}
    </>
  );
}

type SummaryProps = { readonly summary: DashboardSummary };

function Head({ summary, things }: SummaryProps & { readonly things: number }) {
  const { tone, text, lead } = toHeadline(summary, things);
  return (
    <PageHeading
      label={toSpan(summary.window.from, summary.window.to)}
      title={
        <span class={`headline ${tone}`}>
          {tone !== null && <Icon name={tone} />}
          {text}
        </span>
      }
      lead={lead}
    />
  );
}

function Lines({ lines }: { readonly lines: readonly Line[] }) {
  if (lines.length === 0) return null;
  return (
    <ul class="card list things" aria-label="Other things that need you">
      {lines.map(({ tone, title, says, to }) => (
        <li key={`${to} ${title}`}>
          <span>
            <span class={`tone ${tone}`}>
              <Icon name={tone} />
            </span>{" "}
            <a class="entry" href={to}>
              <bdi>{title}</bdi>
            </a>
            {says !== null && <span class="label">{says}</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Lists({ summary: { recentTests, streams, window } }: SummaryProps) {
  return (
    <div class={`mt-4 grid top dash${streams.length > 0 ? " g2" : ""}`}>
      <TracksCard streams={streams} since={window.from} />
      <NewestCard recentTests={recentTests} />
    </div>
  );
}

/** Charts need two days, and shares more than one message. */
function Numbers({ summary }: SummaryProps) {
  const { trend, testCount } = summary;
  const hasDays = trend.filter(({ tests }) => tests > 0).length > 1;
  return (
    <>
      {hasDays && (
        <>
          {testCount > 0 && <Figures summary={summary} />}
          <details class="mt-4 numbers" open={window.matchMedia("(min-width: 48rem)").matches}>
            <summary>Score and placement by day</summary>
            <TrendCard trend={trend} />
          </details>
        </>
      )}
      {testCount > 1 && (
        <details class="mt-4 numbers">
          <summary>Placement by provider and top issues</summary>
          <div class="grid g2 dash">
            <ProvidersCard placement={summary.placement} />
            <IssuesCard topIssues={summary.topIssues} testCount={testCount} />
          </div>
        </details>
      )}
    </>
  );
}

function Fine({ summary }: SummaryProps) {
  const fine = toFine(summary);
  if (fine.length === 0)
    return summary.domains.monitored > 0 ? null : (
      <p class="mt-4 muted">
        <a href="/domains">Add a domain</a> to have Assay check its DNS records every hour.
      </p>
    );
  return (
    <p class="mt-4 muted">
      {fine.map(({ text, to }, at) => (
        <Fragment key={to}>
          {at > 0 && " and "}
          <a href={to}>{text}</a>
        </Fragment>
      ))}{" "}
      {fine.length === 1 && /^1\D/.test(fine[0]?.text ?? "") ? "is" : "are"} fine.
    </p>
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
  const { inboxRate: inbox, promoRate: promotions, spamRate: spam } = row;
  const { shares, label } = toPlacementShares({ inbox, promotions, spam });
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
    <dl class="mt-4 kpis">
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

// The data is cached, so going back to it is instant. Events reload it.

let lastSummary: { readonly of: string; readonly value: DashboardSummary } | null = null;

/** The server's seven days start on a quarter of an hour. */
const quarterMs = 900_000;

const isOfSummary = ({ type }: WorkspaceEvent) => type.startsWith("test.") || type === "domain.checked";

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
