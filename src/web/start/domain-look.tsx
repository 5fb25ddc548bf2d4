// What is to be published for a domain and to be set here, each with a mark as soon as it is in place.

import type { DoctorRow, DomainLook as Look } from "../../api/doctor.ts";
import { Copyable, CopyButton } from "../parts/copy.tsx";
import { Severity } from "../parts/tone.tsx";
import { DoctorRows, doctorLooks } from "./doctor.tsx";

type DomainLookProps = { readonly look: Look; readonly onLook: () => void };

export function DomainLook({ look, onLook }: DomainLookProps) {
  const { domain, records, settings, rows, isPublished } = look;
  const missing = settings.filter(({ isSet }) => !isSet);
  return (
    <div class="grid g2 late top">
      <div class="stack">
        <div class="card stack">
          <div class="row between">
            <h3>1. Publish these records</h3>
            {isPublished ? (
              <Severity tone="good">Published</Severity>
            ) : (
              <span class="live">Looking every 5 seconds</span>
            )}
          </div>
          <p class="small muted">
            Where the DNS of {domain} is kept. What is new there may take minutes to be seen.
          </p>
          {records.map((record) => (
            <RecordCard key={`${record.type} ${record.value}`} record={record} rows={rows} />
          ))}
        </div>
        <div class="card stack tell">
          <div class="row between">
            <h3>2. Tell Assay</h3>
            {missing.length === 0 && <Severity tone="good">Set</Severity>}
          </div>
          {missing.length === 0 ? (
            <p class="muted">
              Assay takes mail for {domain}. Add a seed inbox at it under{" "}
              <a href="/settings/seed-inboxes">Seed inboxes</a>.
            </p>
          ) : (
            <>
              <p class="small muted">
                Set these in the environment or the configuration file, then start Assay again.
              </p>
              <Copyable
                text={missing.map(({ name, value }) => `${name}=${value}`).join("\n")}
                what="the settings"
              />
            </>
          )}
        </div>
      </div>
      <div class="card flush">
        <div class="row between pad">
          <h3>{toConclusion(look)}</h3>
          <button class="btn small" type="button" onClick={onLook}>
            Look again
          </button>
        </div>
        <DoctorRows rows={rows} caption={`What is in place for ${domain}`} />
      </div>
    </div>
  );
}

function toConclusion({ domain, rows, isPublished }: Look): string {
  // A reverse name is for sending.
  const isWrong = rows.some(({ id, state }) => state === "red" && id !== "reverse-name");
  if (!isWrong && isPublished) return `Mail to ${domain} comes here`;
  return `Mail to ${domain} does not come here yet`;
}

type Wanted = Look["records"][number];

function RecordCard({ record, rows }: { readonly record: Wanted; readonly rows: readonly DoctorRow[] }) {
  const { type, name, value } = record;
  const row = rows.find(({ id }) => id === (type === "MX" ? "mx" : "address"));
  return (
    <div class="copy">
      <div>
        <table class="rec">
          <tbody>
            <Line name="Name">{name}</Line>
            <Line name="Type">{type}</Line>
            <Line name="Value">{value ?? "the public IPv4 address that leads to this machine"}</Line>
            <Line name="TTL">3600</Line>
          </tbody>
        </table>
        {row !== undefined && (
          <p>
            <Severity tone={doctorLooks[row.state].tone}>
              {row.state === "green" ? "Seen" : row.says}
            </Severity>
          </p>
        )}
      </div>
      {value !== null && (
        <CopyButton text={`${name}. 3600 IN ${type} ${value}`} what={`the ${type} record`} />
      )}
    </div>
  );
}

function Line({ name, children }: { readonly name: string; readonly children: string }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{children}</td>
    </tr>
  );
}
