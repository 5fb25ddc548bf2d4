// Mail from the internet: the DNS records and settings for the operator's domain, and which of them are in place. The
// results describe the whole server, so only owners of its first workspace can see them.

import { call } from "../../../web/client/call.ts";
import { useLoaded, useRepeat } from "../../../web/client/loading.ts";
import { goTo, usePlace } from "../../../web/client/router.tsx";
import { useSession } from "../../../web/client/session.ts";
import { troubleAt, useDoing } from "../../../web/client/use-action.ts";
import { Copyable, CopyButton } from "../../../web/parts/copy.tsx";
import { Field } from "../../../web/parts/form.tsx";
import { ErrorNote, Note, Skeleton, sayDone } from "../../../web/parts/states.tsx";
import { NamedRows } from "../../../web/parts/table.tsx";
import { Severity } from "../../../web/parts/tone.tsx";
import { Reading, Setting } from "../../../web/settings/parts.tsx";
import type { DoctorRow, DomainLook as Look } from "../../server/contract/doctor.ts";
import { DoctorRows, doctorLooks } from "../../server/page/doctor.tsx";
import { receivingNames, ServerSettings, toState, useServerSettings } from "../../server/page/server.tsx";

const lookAgainMs = 5_000;

export function OwnDomainSection() {
  if (useSession().workspace.operator) return <OperatorsDomain />;
  return <Setting title="Use your own domain" value="Only owners of this server’s first workspace can set this up." />;
}

function OperatorsDomain() {
  const asked = usePlace().query.get("domain");
  const reading = useServerSettings();
  return (
    <Reading reading={reading} what="the seed domains">
      {({ items }) => (
        <Setting title="Use your own domain" value={toState(items, receivingNames)} isOpen={asked !== null}>
          <p class="muted measure">
            A seed address at your own domain receives mail from any server on the internet. You need two DNS records,
            and port 25 of this server. <a href="/settings/server-check">Is the server ready?</a>
          </p>
          {asked === null ? (
            <DomainForm typed="" error={null} />
          ) : (
            <AskedDomain key={asked} domain={asked} onSet={reading.reload} />
          )}
          <h3>All seed domains and SMTP addresses</h3>
          <ServerSettings items={items} names={receivingNames} onDone={reading.reload} />
        </Setting>
      )}
    </Reading>
  );
}

type DomainFormProps = { readonly typed: string; readonly error: string | null };

function DomainForm({ typed, error }: DomainFormProps) {
  const { path } = usePlace();
  const look = (event: SubmitEvent) => {
    event.preventDefault();
    const domain = String(new FormData(event.currentTarget as HTMLFormElement).get("domain") ?? "").trim();
    if (domain !== "") goTo(`${path}?domain=${encodeURIComponent(domain)}`);
  };
  return (
    <form class="domain-form" onSubmit={look}>
      <Field
        label="Domain"
        name="domain"
        required
        value={typed}
        autoComplete="off"
        hint="Use a subdomain that doesn’t receive mail yet, such as seed.example.com. Assay will receive all mail sent to it."
        error={error}
      />
      <button class="btn" type="submit">
        Show DNS records
      </button>
    </form>
  );
}

type AskedProps = { readonly domain: string; readonly onSet: () => void };

function AskedDomain({ domain, onSet }: AskedProps) {
  const { loaded, reload } = useLoaded(domain, (signal) => call("GET /api/doctor/mx", { query: { domain }, signal }));
  const look = loaded.value;
  const isWaiting = look !== null && !look.isPublished;
  useRepeat(isWaiting, reload, lookAgainMs);
  const trouble = loaded.state === "failed" ? loaded.trouble : null;
  const atField = troubleAt(trouble, "domain");
  return (
    <>
      <DomainForm typed={look?.domain ?? domain} error={atField} />
      {trouble?.code === "forbidden" ? (
        <Note>{trouble.message}</Note>
      ) : (
        trouble !== null &&
        atField === null && <ErrorNote title="Couldn’t check the domain." message={trouble.message} onRetry={reload} />
      )}
      {look === null && trouble === null && <Skeleton lines={5} what="the DNS records" />}
      {look !== null && <DomainLook look={look} onLook={reload} onSet={onSet} />}
    </>
  );
}

// The records to publish and the settings to change, each marked once it is in place.

type DomainLookProps = Pick<AskedProps, "onSet"> & { readonly look: Look; readonly onLook: () => void };

function DomainLook({ look, onLook, onSet }: DomainLookProps) {
  const { domain, records, settings, rows, isPublished } = look;
  const noteSet = () => {
    onLook();
    onSet();
  };
  const isReady = settings.every(({ name, isSet }) => isSet || settingWords[name]?.isOptional);
  return (
    <div class="grid g2 late top">
      <div class="stack">
        <div class="card stack">
          <div class="row between">
            <h3>1. Publish these records</h3>
            {isPublished ? (
              <Severity tone="good">Published</Severity>
            ) : (
              <span class="live">Checking every 5 seconds</span>
            )}
          </div>
          <p class="small muted">
            Add them at your DNS provider for {domain}. New records can take a few minutes to appear.
          </p>
          {records.map((record) => (
            <RecordCard key={`${record.type} ${record.value}`} record={record} rows={rows} />
          ))}
        </div>
        <div class="card stack tell">
          <div class="row between">
            <h3>2. Turn it on in Assay</h3>
            {isReady && <Severity tone="good">On</Severity>}
          </div>
          {settings.toSorted(byNeed).map((setting) => (
            <WantedSetting key={setting.name} setting={setting} onDone={noteSet} />
          ))}
          {isReady && (
            <p class="muted">
              Assay accepts mail for {domain}. <a href="/settings/receiving">Add a seed inbox</a> to get an address.
            </p>
          )}
        </div>
      </div>
      <div class="card flush">
        <div class="row between pad">
          <h3>{toConclusion(look)}</h3>
          <button class="btn small" type="button" onClick={onLook}>
            Check again
          </button>
        </div>
        <DoctorRows rows={rows} caption={`Setup of ${domain}`} />
      </div>
    </div>
  );
}

type Wanted = Look["settings"][number];

type SettingWords = {
  readonly label: string;
  readonly done: string;
  /** Mail arrives without it. */
  readonly isOptional?: true;
};

const settingWords: Readonly<Record<string, SettingWords>> = {
  ASSAY_SEED_DOMAINS: { label: "Accept mail for the domain", done: "Assay accepts mail for the domain." },
  ASSAY_SMTP_LISTEN: { label: "Listen on port 25", done: "Assay listens on port 25." },
  ASSAY_SMTP_HOSTNAME: { label: "Host name in the SMTP greeting (optional)", done: "", isOptional: true },
};

function byNeed(one: Wanted, other: Wanted): number {
  const rank = ({ name }: Wanted) => Number(settingWords[name]?.isOptional ?? false);
  return rank(one) - rank(other);
}

/** One that is set in the app is turned on here. The others are the operator's. */
function WantedSetting({ setting, onDone }: { readonly setting: Wanted; readonly onDone: () => void }) {
  const { name, value, isSet, inApp } = setting;
  const { isBusy, trouble, run } = useDoing();
  const { label = name, done = "" } = settingWords[name] ?? {};
  const turnOn = async () => {
    if (!(await run(() => call("PATCH /api/server-settings/:name", { params: { name }, body: { value } })))) return;
    onDone();
    sayDone(done);
  };
  return (
    <div class="stack-2">
      <div class="row between">
        <strong>{label}</strong>
        {isSet ? (
          <Severity tone="good">Set</Severity>
        ) : (
          inApp && (
            <button class="btn small primary" type="button" disabled={isBusy} onClick={() => void turnOn()}>
              Turn on<span class="vh">: {label}</span>
            </button>
          )
        )}
      </div>
      {trouble !== null && (
        <ErrorNote
          title="Nothing changed."
          message={`${trouble.message} ${name === "ASSAY_SMTP_LISTEN" ? "Or forward port 25 to an address that Assay listens on." : ""}`}
        />
      )}
      {!isSet && !inApp && (
        <>
          <p class="small muted">Set this on the server, in its environment or settings file, and restart Assay.</p>
          <Copyable text={`${name}=${value}`} what="the setting" />
        </>
      )}
    </div>
  );
}

function toConclusion({ domain, rows, isPublished }: Look): string {
  // Reverse DNS matters only for sending.
  const isWrong = rows.some(({ id, state }) => state === "red" && id !== "reverse-name");
  if (!isWrong && isPublished) return `${domain} is set up to receive mail`;
  return `${domain} isn’t set up yet`;
}

type ProposedRecord = Look["records"][number];

function RecordCard({ record, rows }: { readonly record: ProposedRecord; readonly rows: readonly DoctorRow[] }) {
  const { type, name, value } = record;
  const row = rows.find(({ id }) => id === (type === "MX" ? "mx" : "address"));
  return (
    <div class="copy">
      <div>
        <NamedRows
          rows={[
            ["Name", name],
            ["Type", type],
            ["Value", value ?? "this server’s public IPv4 address"],
            ["TTL", 3600],
          ]}
        />
        {row !== undefined && (
          <p>
            <Severity tone={doctorLooks[row.state].tone}>{row.state === "green" ? "Found" : row.says}</Severity>
          </p>
        )}
      </div>
      {value !== null && <CopyButton text={`${name}. 3600 IN ${type} ${value}`} what={`the ${type} record`} />}
    </div>
  );
}
