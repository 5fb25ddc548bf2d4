// The audit log with its filters. They are part of the URL, so that a view can be kept and shared.

import { useState } from "preact/hooks";
import { addressOf, call } from "../../web/client/call.ts";
import { useLoaded } from "../../web/client/loading.ts";
import { goTo, usePlace } from "../../web/client/router.tsx";
import { useIsOwner, useSession } from "../../web/client/session.ts";
import { toCount, toMinute, toPreciseMoment } from "../../web/client/words.ts";
import { Field } from "../../web/parts/form.tsx";
import { Pager } from "../../web/parts/navigation.tsx";
import { EmptyState } from "../../web/parts/states.tsx";
import { Table } from "../../web/parts/table.tsx";
import { Moment } from "../../web/parts/text.tsx";
import { Severity } from "../../web/parts/tone.tsx";
import { Reading, SectionHead, SelectField } from "../../web/settings/parts.tsx";
import type { AuditEntry } from "./contract.ts";
import { auditGroups } from "./words.ts";

const names = ["text", "actor", "action", "object", "since", "until", "log"] as const;
type Name = (typeof names)[number];
type Filters = Readonly<Partial<Record<Name, string>>>;

const pageSize = 50;

export function AuditSection() {
  const { path, query } = usePlace();
  const filters: Filters = Object.fromEntries(
    names.flatMap((name) => {
      const value = query.get(name);
      return value === null || value === "" ? [] : [[name, value]];
    }),
  );
  const cursor = query.get("before");
  const log = filters.log === "server" ? "server" : "workspace";
  const reading = useLoaded(query.toString(), (signal) =>
    call("GET /api/audit", { query: { ...toQuery(filters), log, limit: pageSize, ...(cursor && { cursor }) }, signal }),
  );
  const addressAt = (next: string | null) => {
    const turned = new URLSearchParams({ ...filters, ...(next !== null && { before: next }) });
    return turned.size === 0 ? path : `${path}?${turned}`;
  };
  const isAllowed = useIsOwner();
  const { operator } = useSession().workspace;
  const isFiltered = names.some((name) => name !== "log" && filters[name] !== undefined);
  return (
    <>
      <SectionHead
        title="Audit log"
        lead="Who did what, when, and from where. Entries can’t be changed or deleted here. They are removed when they get too old."
      >
        {isAllowed && (
          <a class="btn" href={addressOf("/api/audit/export", { query: { log } })} download>
            Export
          </a>
        )}
      </SectionHead>
      <div class="stack">
        {operator && (
          <p class="small muted measure">
            {log === "server" ? (
              <>
                These are the server’s entries. <a href={path}>See this workspace’s</a>.
              </>
            ) : (
              <>
                Server settings, blocklists, commands, and all logins are in{" "}
                <a href={`${path}?log=server`}>the server’s log</a>.
              </>
            )}
          </p>
        )}
        {isAllowed && <FilterForm key={query.toString()} filters={filters} path={path} isFiltered={isFiltered} />}
        <Reading reading={reading} what="the audit log" lines={10}>
          {({ items, total, totalIsExact, next }) =>
            items.length === 0 ? (
              <EmptyState icon="lock" title={isFiltered ? "No matching entries" : "No entries yet"}>
                <p>{isFiltered ? "Remove a filter." : "Logins and changes will appear here."}</p>
              </EmptyState>
            ) : (
              <>
                <EntryTable entries={items} count={`${totalIsExact ? "" : "more than "}${toCount(total)}`} />
                <Pager of="the audit log" cursor={cursor} next={next} addressAt={addressAt} />
              </>
            )
          }
        </Reading>
      </div>
    </>
  );
}

/** Days as the reader's clock has them. */
function toQuery({ log: _log, since, until, ...filters }: Filters) {
  const from = toTime(since, 0);
  const to = toTime(until, 1);
  return { ...filters, ...(from !== null && { since: from }), ...(to !== null && { until: to }) };
}

function toTime(day: string | undefined, later: number): string | null {
  const [year, month, date] = (day ?? "").split("-").map(Number);
  if (!year || !month || !date) return null;
  const time = new Date(year, month - 1, date + later);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

type FilterFormProps = { readonly filters: Filters; readonly path: string; readonly isFiltered: boolean };

function FilterForm({ filters, path, isFiltered }: FilterFormProps) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const given = names.flatMap((name) => {
      const value = String(form.get(name) ?? "").trim();
      return value === "" ? [] : [[name, value]];
    });
    const query = new URLSearchParams(given).toString();
    goTo(query === "" ? path : `${path}?${query}`);
  };
  return (
    <form class="card stack-2" onSubmit={submit} aria-label="Filter the audit log">
      <div class="audit-fields">
        <Field label="Search" name="text" value={filters.text ?? ""} />
        <Field label="Who" name="actor" value={filters.actor ?? ""} />
        <SelectField
          label="Action"
          name="action"
          value={filters.action ?? ""}
          options={[{ value: "", label: "All actions" }, ...toActionOptions(filters.action)]}
        />
        <Field label="On what" name="object" value={filters.object ?? ""} />
        <Field label="From" name="since" type="date" value={filters.since ?? ""} />
        <Field label="To" name="until" type="date" value={filters.until ?? ""} />
        {filters.log && <input type="hidden" name="log" value={filters.log} />}
      </div>
      <div class="row">
        <button class="btn primary" type="submit">
          Filter
        </button>
        {isFiltered && (
          <a class="btn" href={path}>
            Clear
          </a>
        )}
      </div>
    </form>
  );
}

/** Also an action that a link names. */
function toActionOptions(action: string | undefined) {
  const isKnown = action === undefined || auditGroups.some(({ value }) => value === action);
  return isKnown ? auditGroups : [...auditGroups, { value: action, label: action }];
}

function EntryTable({ entries, count }: { readonly entries: readonly AuditEntry[]; readonly count: string }) {
  return (
    <div class="card flush">
      <Table look="fold" caption={`${count} in total, newest first`} columns={["Time", "What happened", "From"]}>
        {entries.map((entry) => (
          <EntryRow key={entry.number} entry={entry} />
        ))}
      </Table>
    </div>
  );
}

function EntryRow({ entry }: { readonly entry: AuditEntry }) {
  const { at, summary, outcome, action } = entry;
  const [isOpen, setOpen] = useState(false);
  return (
    <tr>
      <td data-l="Time" class="nowrap">
        <Moment time={at} words={toMinute(at)} />
      </td>
      <td data-l="What happened">
        <details onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>
            {summary}
            {(outcome === "failed" || action === "login.failure") && (
              <>
                {" "}
                <Severity tone="minor">Failed</Severity>
              </>
            )}
          </summary>
          {isOpen && <Details entry={entry} />}
        </details>
      </td>
      <td data-l="From">
        <From entry={entry} />
      </td>
    </tr>
  );
}

function From({ entry: { address, actor } }: { readonly entry: AuditEntry }) {
  if (address !== null) return <>{address}</>;
  if (actor.type === "unknown") return <span class="faint">Several addresses</span>;
  return <span class="faint">{actor.type === "command" ? "Command line" : "This server"}</span>;
}

function Details({ entry: { number, at, action, actor, object, details, hash } }: { readonly entry: AuditEntry }) {
  const { before, after, secrets, ...others } = details as Readonly<Record<string, unknown>>;
  const rows: readonly (readonly [string, unknown])[] = [
    ["Time", toPreciseMoment(at)],
    ["Action", action],
    ["By", [actor.name, actor.email, actor.id].filter((each) => each !== null).join(", ") || actor.type],
    ...(object === null
      ? []
      : [["On", [object.kind, object.name, object.id].filter((each) => each !== null).join(", ")] as const]),
    ...toChanges(before, after),
    ...(Array.isArray(secrets) ? secrets.map((name) => [toLabel(name), before ? "changed" : "set"] as const) : []),
    ...Object.entries(others).map(([name, value]) => [toLabel(name), value] as const),
    ["Entry", `${number}, SHA-256 ${hash}`],
  ];
  return (
    <dl class="audit-details small">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{toText(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

function toChanges(before: unknown, after: unknown): readonly (readonly [string, string])[] {
  const [old, now] = [before, after].map((values) => (values ?? {}) as Readonly<Record<string, unknown>>);
  const names = [...new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})])];
  return names.map((name) => {
    const value = [old, now].flatMap((values) => (values && name in values ? [toText(values[name])] : []));
    return [toLabel(name), value.join(" → ")] as const;
  });
}

function toLabel(name: string): string {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function toText(value: unknown): string {
  if (value === null || value === undefined || value === "") return "none";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
