// All monitors, those that are down first.

import { call } from "../../../web/client/call.ts";
import { useLiveReload } from "../../../web/client/events.ts";
import { useLoaded } from "../../../web/client/loading.ts";
import { useArrival, usePlace, useTitle } from "../../../web/client/router.tsx";
import { toCount, toMinute, toPercent, toPlural } from "../../../web/client/words.ts";
import { RoomHeading } from "../../../web/parts/heading.tsx";
import { EmptyState, LoadNote } from "../../../web/parts/states.tsx";
import { Table } from "../../../web/parts/table.tsx";
import { Moment } from "../../../web/parts/text.tsx";
import { Severity } from "../../../web/parts/tone.tsx";
import type { MonitorItem } from "../contract/monitor-list.ts";
import { kindWords, outcomeWords, toShareBasis } from "../words/monitor-words.ts";
import { NewExpected } from "./expected-form.tsx";
import { isArrival, toLook } from "./words.ts";

const newExpected = "/monitors?new=expected";
const newCanary = "/canaries/new";

export function MonitorsPage() {
  useTitle("Monitors");
  const { query } = usePlace();
  const { loaded, reload } = useLoaded("monitors", (signal) => call("GET /api/monitors", { signal }));
  useLiveReload(reload, (event) => event.type === "monitor.changed" || isArrival(event));
  useArrival(loaded.state !== "loading");
  const monitors = loaded.value?.items ?? null;
  return (
    <>
      <RoomHeading lead={monitors === null ? undefined : toLead(monitors)}>
        {monitors !== null && monitors.length > 0 && <AddLinks />}
      </RoomHeading>
      <LoadNote loaded={loaded} onRetry={reload} lines={6} what="the monitors" />
      {monitors !== null && (monitors.length === 0 ? <NoMonitors /> : <MonitorTable monitors={monitors} />)}
      {monitors !== null && (
        <p class="muted mt-6">
          To get notified, add the event “A monitor is down or up again” to an <a href="/alerts">alert</a>.
        </p>
      )}
      {query.get("new") === "expected" && <NewExpected given={query} onDone={reload} />}
    </>
  );
}

function toLead(monitors: readonly MonitorItem[]): string {
  if (monitors.length === 0) return "See when mail stops arriving, and get notified.";
  const down = monitors.filter(({ enabled, state }) => enabled && state === "down").length;
  const all = toPlural(monitors.length, "monitor", "monitors");
  return down === 0 ? `${all}, none down.` : `${all}, ${toCount(down)} down.`;
}

function NoMonitors() {
  return (
    <EmptyState icon="bell" title="No monitors yet">
      <p>A monitor goes down when a message is missing, late, or without the expected words.</p>
      <dl class="kinds">
        <div>
          <dt>
            <a href={newExpected}>Expected mail</a>
          </dt>
          <dd>
            Your app or another system sends it, and Assay checks that it arrives by a time or within an interval.
            Example: the backup report from backup@example.com must arrive by 07:00 on weekdays, with OK in its subject.
          </dd>
        </div>
        <div>
          <dt>
            <a href={newCanary}>Canary</a>
          </dt>
          <dd>
            Assay sends a message through your mail server on a schedule and expects it back. Example: every 15 minutes,
            back within two minutes.
          </dd>
        </div>
      </dl>
      <div class="row">
        <AddLinks />
      </div>
    </EmptyState>
  );
}

function AddLinks() {
  return (
    <>
      <a class="btn" href={newCanary}>
        Add canary
      </a>
      <a class="btn primary" href={newExpected}>
        Expect mail
      </a>
    </>
  );
}

function MonitorTable({ monitors }: { readonly monitors: readonly MonitorItem[] }) {
  return (
    <div class="card flush">
      <Table
        look="fold mid"
        label="Monitors, those that are down first"
        columns={["Name", "State", "Last runs", "OK, 7 days", "Last OK", "Next check"]}
      >
        {monitors.map((monitor) => (
          <MonitorRow key={monitor.id} monitor={monitor} />
        ))}
      </Table>
    </div>
  );
}

function MonitorRow({ monitor }: { readonly monitor: MonitorItem }) {
  const { id, kind, name, uptime7d, runs7d, lastOkAt, dueAt } = monitor;
  return (
    <tr>
      <th scope="row">
        <a href={`/monitors/${id}`}>{name}</a>
        <span class="label under">{kindWords[kind]}</span>
      </th>
      <td data-l="State">
        <State monitor={monitor} />
      </td>
      <td data-l="Last runs">
        <Runs monitor={monitor} />
      </td>
      <td data-l="OK, 7 days">
        {/* One element, because narrow screens lay out each child on its own. */}
        <span>
          {uptime7d !== null && toPercent(uptime7d)}
          <span class={uptime7d === null ? "faint" : "label under"}>{toShareBasis(kind, runs7d)}</span>
        </span>
      </td>
      <td data-l="Last OK">{lastOkAt === null ? <span class="faint">never</span> : <Moment time={lastOkAt} />}</td>
      <td data-l="Next check">
        {dueAt === null ? <span class="faint">none</span> : <Moment time={dueAt} words={toMinute(dueAt)} />}
      </td>
    </tr>
  );
}

function State({ monitor }: { readonly monitor: MonitorItem }) {
  const { tone, word } = toLook(monitor);
  const { reason, since, state, enabled } = monitor;
  return (
    <span>
      <Severity tone={tone}>{word}</Severity>
      {state !== "new" && enabled && (
        <span class="label">
          {" "}
          since <Moment time={since} />
        </span>
      )}
      {reason !== null && (
        <span class="under small">
          {reason.says}
          {reason.testId !== null && (
            <>
              {" "}
              <a href={`/tests/${reason.testId}`}>Open the message</a>
            </>
          )}
        </span>
      )}
    </span>
  );
}

const [barWidth, barHeight] = [5, 16];

function Runs({ monitor: { lastRuns } }: { readonly monitor: MonitorItem }) {
  if (lastRuns.length === 0) return <span class="faint">none yet</span>;
  const failed = lastRuns.filter(({ outcome }) => outcomeWords[outcome].tone === "critical").length;
  const words = `${toPlural(lastRuns.length, "run", "runs")}, ${failed === 0 ? "none failed" : `${toCount(failed)} failed`}`;
  return (
    <span>
      <svg class="runs" width={lastRuns.length * barWidth} height={barHeight} role="img" aria-label={words}>
        {lastRuns.map(({ id, at, outcome }, index) => (
          // Failed runs are taller, so that they differ in more than color.
          <rect
            key={id}
            class={outcomeWords[outcome].tone}
            x={index * barWidth}
            y={outcomeWords[outcome].tone === "critical" ? 0 : barHeight / 2}
            width={barWidth - 1}
            height={outcomeWords[outcome].tone === "critical" ? barHeight : barHeight / 2}
          >
            <title>{`${outcomeWords[outcome].word}, ${toMinute(at)}`}</title>
          </rect>
        ))}
      </svg>
    </span>
  );
}
