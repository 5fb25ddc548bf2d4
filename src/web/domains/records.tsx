// The records that a domain should have, ready to paste: what is to be done first, what stands there already folded.

import type { MonitoredDomain, readZone } from "../../api/domains.ts";
import type { AnswerOf } from "../../api/endpoint.ts";
import { call } from "../client/call.ts";
import { useLoadedSince } from "../client/loading.ts";
import { goTo } from "../client/router.tsx";
import { toPlural } from "../client/words.ts";
import { CopyButton } from "../parts/copy.tsx";
import type { RecordRow } from "../parts/record-form.tsx";
import { ErrorNote, Skeleton } from "../parts/states.tsx";
import { Badge } from "../parts/tone.tsx";

type Zone = AnswerOf<typeof readZone>;
type ZoneRecord = Zone["records"][number];

export function RecordsSection({ domain }: { readonly domain: MonitoredDomain }) {
  const { loaded, reload } = useLoadedSince(domain.id, domain.checkedAt, (signal) =>
    call("GET /api/domains/:id/zone", { params: { id: domain.id }, signal }),
  );
  const zone = loaded.value;
  return (
    <section class="sec" id="records" aria-labelledby="records-h">
      <div class="sec-h">
        <h2 id="records-h">Records to paste</h2>
        <p>Each is marked when a check sees it in DNS: within the hour, or when you check again.</p>
      </div>
      {loaded.state === "failed" &&
        (loaded.trouble.code === "conflict" ? (
          <p class="muted">They are worked out from the first check, which is still to come.</p>
        ) : (
          <ErrorNote
            title="The records could not be read."
            message={loaded.trouble.message}
            onRetry={reload}
          />
        ))}
      {zone === null && loaded.state === "loading" && <Skeleton lines={4} what="the records" />}
      {zone && <Records domain={domain} zone={zone} />}
    </section>
  );
}

function Records({ domain, zone }: { readonly domain: MonitoredDomain; readonly zone: Zone }) {
  const wanted = zone.records.filter(({ status }) => status !== "present");
  const present = zone.records.filter(({ status }) => status === "present");
  const toEntry = (record: ZoneRecord) => (
    <RecordEntry
      key={`${record.type} ${record.name} ${record.value}`}
      record={record}
      domain={domain}
      tryAddress={record.status === "present" ? null : toTryAddress(domain.id, toTried(record, zone))}
    />
  );
  return (
    <div class="stack">
      {wanted.length === 0 ? <p class="muted">Nothing is missing.</p> : wanted.map(toEntry)}
      {present.length > 0 && (
        <details class="more">
          <summary>{toPlural(present.length, "record stands", "records stand")} there as they should</summary>
          <div class="stack mt-3">{present.map(toEntry)}</div>
        </details>
      )}
      <details class="more">
        <summary>All of them as a zone file</summary>
        <div class="copy mt-3">
          <pre>{zone.zoneFile}</pre>
          <CopyButton text={zone.zoneFile} what="the zone file" />
        </div>
      </details>
    </div>
  );
}

/** What is given replaces all of its type at its name: the others that should stand there stay. */
function toTried(record: ZoneRecord, { records }: Zone): readonly ZoneRecord[] {
  const isBeside = ({ name, type, status }: ZoneRecord) =>
    name === record.name && type === record.type && status === "present";
  return [...records.filter(isBeside), record];
}

const statuses = {
  present: { tone: "good", word: "Seen in DNS" },
  missing: { tone: "unknown", word: "Not seen yet" },
  change: { tone: "minor", word: "Another stands there" },
} as const;

type EntryProps = {
  readonly record: ZoneRecord;
  readonly domain: MonitoredDomain;
  readonly tryAddress: string | null;
};

function RecordEntry({ record, domain, tryAddress }: EntryProps) {
  const { name, type, value, ttl, status, why } = record;
  const isProof = value === domain.verifyRecord.value;
  const { tone, word } = statuses[status];
  const tryIt = (event: MouseEvent) => {
    if (tryAddress === null) return;
    event.preventDefault();
    goTo(tryAddress);
    document.getElementById("what-if")?.scrollIntoView();
  };
  return (
    <div class="stack-2">
      <div class="row between">
        <h3 class="t3">{isProof ? "Prove that the domain is yours" : `${type} at ${name}`}</h3>
        <Badge tone={tone}>{word}</Badge>
      </div>
      <p class="small muted measure">
        {isProof
          ? "Publish it beside what stands there. Once it is seen, samples can be sent in the domain’s name."
          : why}
        {status === "change" && " It replaces the one that stands there."}
      </p>
      <div class="copy">
        <table class="rec">
          <tbody>
            <tr>
              <th scope="row">Name</th>
              <td>{name}</td>
            </tr>
            <tr>
              <th scope="row">Type</th>
              <td>{type}</td>
            </tr>
            <tr>
              <th scope="row">Value</th>
              <td>{value}</td>
            </tr>
            <tr>
              <th scope="row">TTL</th>
              <td>{ttl}</td>
            </tr>
          </tbody>
        </table>
        <CopyButton text={value} what={`the value of the ${type} record at ${name}`} />
      </div>
      {tryAddress !== null && !isProof && (
        <p class="small">
          <a href={tryAddress} onClick={tryIt}>
            Try it on the stored messages first
            <span class="vh">
              : {type} at {name}
            </span>
          </a>
        </p>
      )}
    </div>
  );
}

// The records that somebody tries out stand in the address, so that going back, and a link, show the same again.

/** A line each: the server takes every name of a query once. */
export function toTryAddress(domainId: string, records: readonly RecordRow[]): string {
  const lines = records.map(({ name, type, value }) => `${type} ${name} ${value}`);
  return `/domains/${domainId}?${new URLSearchParams({ try: lines.join("\n") })}#what-if`;
}

export function readTried(query: URLSearchParams): readonly RecordRow[] {
  const lines = (query.get("try") ?? "").split("\n").filter((line) => line !== "");
  return lines.map((line) => {
    const [type = "", name = "", ...value] = line.split(" ");
    return { type, name, value: value.join(" ") };
  });
}
