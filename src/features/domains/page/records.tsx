// The records that a domain should have, ready to paste. Missing ones first, published ones collapsed.

import type { AnswerOf } from "../../../platform/contract/endpoint.ts";
import { call } from "../../../web/client/call.ts";
import { useLoadedSince } from "../../../web/client/loading.ts";
import { goTo } from "../../../web/client/router.tsx";
import { toPlural } from "../../../web/client/words.ts";
import { CopyButton } from "../../../web/parts/copy.tsx";
import type { RecordRow } from "../../../web/parts/record-form.tsx";
import { ErrorNote, Skeleton } from "../../../web/parts/states.tsx";
import { NamedRows } from "../../../web/parts/table.tsx";
import { Badge } from "../../../web/parts/tone.tsx";
import { faultsOf } from "../../tests/rules/issues.ts";
import type { MonitoredDomain, readZone } from "../contract/domains.ts";
import { toJudged } from "./verdicts.tsx";

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
        <h2 id="records-h">Records to publish</h2>
        <p>Assay looks for these records every hour and whenever you check again, and marks those it finds.</p>
      </div>
      {loaded.state === "failed" &&
        (loaded.trouble.code === "conflict" ? (
          <p class="muted">Available after the first check.</p>
        ) : (
          <ErrorNote title="Couldn’t load the records." message={loaded.trouble.message} onRetry={reload} />
        ))}
      {zone === null && loaded.state === "loading" && <Skeleton lines={4} what="the records" />}
      {zone && <Records domain={domain} zone={zone} />}
    </section>
  );
}

function Records({ domain, zone }: { readonly domain: MonitoredDomain; readonly zone: Zone }) {
  const fixing = new Set(faultsOf(toJudged(domain)).flatMap(({ records }) => records.map(toKey)));
  const missing = zone.records.filter(({ status }) => status !== "present");
  const wanted = missing.filter((record) => !fixing.has(toKey(record)));
  const above = missing.length - wanted.length;
  const present = zone.records.filter(({ status }) => status === "present");
  const toEntry = (record: ZoneRecord) => (
    <RecordEntry
      key={toKey(record)}
      record={record}
      domain={domain}
      tryAddress={record.status === "present" ? null : toTryAddress(domain.id, toTried(record, zone))}
    />
  );
  return (
    <div class="stack">
      {above > 0 && (
        <p>
          {toPlural(above, "record is", "records are")} in <a href="#fix">the fixes above</a>.
        </p>
      )}
      {missing.length === 0 ? (
        <p class="muted">
          {present.length > 0
            ? "All recommended records are published."
            : "Assay can’t recommend records, because the domain does not exist in DNS or its name servers did not respond."}
        </p>
      ) : (
        wanted.map(toEntry)
      )}
      {present.length > 0 && (
        <details class="more">
          <summary>{toPlural(present.length, "record", "records")} OK</summary>
          <div class="stack mt-3">{present.map(toEntry)}</div>
        </details>
      )}
      {zone.records.length > 0 && (
        <details class="more">
          <summary>Show as zone file</summary>
          <div class="copy mt-3">
            <pre>{zone.zoneFile}</pre>
            <CopyButton text={zone.zoneFile} what="the zone file" />
          </div>
        </details>
      )}
    </div>
  );
}

function toKey({ type, name, value }: RecordRow): string {
  return `${type} ${name} ${value}`;
}

/** The preview replaces all records of that type and name, so correct ones are included. */
function toTried(record: ZoneRecord, { records }: Zone): readonly ZoneRecord[] {
  const isBeside = ({ name, type, status }: ZoneRecord) =>
    name === record.name && type === record.type && status === "present";
  return [...records.filter(isBeside), record];
}

const statuses = {
  present: { tone: "good", word: "Found in DNS" },
  missing: { tone: "unknown", word: "Not found yet" },
  change: { tone: "minor", word: "Different record found" },
} as const;

type EntryProps = { readonly record: ZoneRecord; readonly domain: MonitoredDomain; readonly tryAddress: string | null };

function RecordEntry({ record, domain, tryAddress }: EntryProps) {
  const { name, type, value, ttl, status, why } = record;
  const isVerification = value === domain.verifyRecord.value;
  const { tone, word } = statuses[status];
  const tryIt = (event: MouseEvent) => {
    if (tryAddress === null) return;
    event.preventDefault();
    tryRecords(tryAddress);
  };
  return (
    <div class="stack-2">
      <div class="row between">
        <h3 class="t3">{isVerification ? "Verify your domain" : `${type} at ${name}`}</h3>
        <Badge tone={tone}>{word}</Badge>
      </div>
      <p class="small muted measure">
        {isVerification
          ? "Add this record, and keep the existing ones. Once Assay finds it, you can send samples from this domain."
          : why}
        {status === "change" && " Replace the old record with this one."}
      </p>
      <div class="copy">
        <NamedRows
          rows={[
            ["Name", name],
            ["Type", type],
            ["Value", value],
            ["TTL", ttl],
          ]}
        />
        <CopyButton text={value} what={`the value of the ${type} record at ${name}`} />
      </div>
      {tryAddress !== null && !isVerification && (
        <p class="small">
          <a href={tryAddress} onClick={tryIt}>
            Preview its effect on your tests
            <span class="vh">
              : {type} at {name}
            </span>
          </a>
        </p>
      )}
    </div>
  );
}

// The proposed records are part of the URL, so that the back button and links show the same preview.

/** One line each in a single parameter, because the server accepts each query parameter once. */
export function toTryAddress(domainId: string, records: readonly RecordRow[]): string {
  const lines = records.map(({ name, type, value }) => `${type} ${name} ${value}`);
  return `/domains/${domainId}?${new URLSearchParams({ try: lines.join("\n") })}#what-if`;
}

export function tryRecords(address: string): void {
  goTo(address);
  document.getElementById("what-if")?.scrollIntoView();
}

export function readTried(query: URLSearchParams): readonly RecordRow[] {
  const lines = (query.get("try") ?? "").split("\n").filter((line) => line !== "");
  return lines.map((line) => {
    const [type = "", name = "", ...value] = line.split(" ");
    return { type, name, value: value.join(" ") };
  });
}
