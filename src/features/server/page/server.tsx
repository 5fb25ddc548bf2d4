// What the operator changes for the whole server while it runs: blocklists, resolvers, and how long tests are kept.

import { useState } from "preact/hooks";
import { call, Trouble } from "../../../web/client/call.ts";
import { useLoaded } from "../../../web/client/loading.ts";
import { useDoing } from "../../../web/client/use-action.ts";
import { toSentence } from "../../../web/client/words.ts";
import { Choice, Field } from "../../../web/parts/form.tsx";
import { Note, sayDone } from "../../../web/parts/states.tsx";
import { Severity } from "../../../web/parts/tone.tsx";
import {
  ActionForm,
  ActionTable,
  FormDialog,
  Reading,
  SectionHead,
  Setting,
  TroubleNote,
} from "../../../web/settings/parts.tsx";
import { readForm, readServer, ServerFields, usualServer } from "../../../web/settings/smtp-server.tsx";
import { useEmailStatus } from "../../alerts/page/target-fields.tsx";
import type { Blocklist, ServerSetting } from "../contract/server-settings.ts";
import { doctorLooks } from "./doctor.tsx";
import { EmailTest, toEmailState } from "./email.tsx";
import { readSize, toSizeText } from "./sizes.ts";

type Zone = Blocklist["zones"][number] & Pick<Blocklist, "name" | "terms">;

const listed: Readonly<Record<Blocklist["kind"], string>> = {
  address: "IP addresses",
  domain: "Domains",
  allow: "Good senders",
  own: "Your own lists",
};

export function BlocklistsSection() {
  const reading = useLoaded("blocklists", (signal) => call("GET /api/blocklists", { signal }));
  const [isWhole, setWhole] = useState(false);
  const [kind, setKind] = useState<Blocklist["kind"]>("address");
  const [asking, setAsking] = useState<Zone | null>(null);
  const { isBusy, trouble, run } = useDoing();
  const change = async ({ zone, isOn }: Zone) => {
    const params = { zone };
    const act = () =>
      isOn ? call("DELETE /api/blocklists/:zone", { params }) : call("PUT /api/blocklists/:zone", { params, body: {} });
    if (!(await run(act))) return;
    reading.reload();
    sayDone(isOn ? `${zone} is off.` : `${zone} is on.`);
  };
  return (
    <>
      <SectionHead
        title="Blocklists"
        lead="Assay looks up sending addresses and domains in the lists that you turn on here, for all workspaces on this server. Each list has its own terms of use."
      />
      <Reading reading={reading} what="the blocklists" lines={8}>
        {({ source, items }) => (
          <div class="stack">
            {source === "given" && (
              <Note>
                <code>ASSAY_DNSBLS</code> is set on the server, so the lists can only be changed there.
              </Note>
            )}
            <p class="small muted measure">
              Most lists refuse queries through public resolvers such as 8.8.8.8. Run your own resolver, and set it
              under <a href="/settings/server#dns">Server</a>.
            </p>
            <TroubleNote trouble={trouble} title="Couldn’t change the list." />
            <Choice legend="Contents" options={toKinds(items)} value={kind} onChoose={setKind} />
            <ZoneTable
              zones={toZones(
                items.filter((list) => list.kind === kind),
                isWhole,
              )}
              isFixed={source === "given"}
              isBusy={isBusy}
              onChange={(zone) => (zone.takesKey && !zone.isOn ? setAsking(zone) : void change(zone))}
              onKey={setAsking}
            />
            <button class="btn small" type="button" onClick={() => setWhole(!isWhole)}>
              {isWhole ? "Show fewer zones" : "Show all zones"}
            </button>
          </div>
        )}
      </Reading>
      {asking !== null && <KeyDialog zone={asking} onClose={() => setAsking(null)} onDone={reading.reload} />}
    </>
  );
}

function toKinds(lists: readonly Blocklist[]) {
  return (["address", "domain", "allow", "own"] as const).flatMap((kind) => {
    const zones = lists.flatMap((list) => (list.kind === kind ? list.zones : []));
    const on = zones.filter(({ isOn }) => isOn).length;
    return zones.length === 0 ? [] : [{ value: kind, label: `${listed[kind]}: ${on === 0 ? "none" : on} on` }];
  });
}

/** The recommended zone of each list and those that are on, or all of them. */
function toZones(lists: readonly Blocklist[], isWhole: boolean): readonly Zone[] {
  return lists.flatMap(({ zones, name, terms }) => {
    const on = zones.filter(({ isOn }) => isOn);
    const few = on.length > 0 ? on : zones.slice(0, 1);
    return (isWhole ? zones : few).map((zone) => ({ ...zone, name, terms }));
  });
}

type ZoneTableProps = {
  readonly zones: readonly Zone[];
  /** The environment decides. */
  readonly isFixed: boolean;
  readonly isBusy: boolean;
  readonly onChange: (zone: Zone) => void;
  readonly onKey: (zone: Zone) => void;
};

function ZoneTable({ zones, isFixed, isBusy, onChange, onKey }: ZoneTableProps) {
  return (
    <ActionTable caption="DNS lists" columns={["List", "State and terms"]}>
      {zones.map((each) => (
        <tr key={each.zone}>
          <th class="zone" scope="row">
            {each.name} <code class="small">{each.zone.replace(/^_key\./, "<key>.")}</code>
          </th>
          <td data-l="State and terms">
            {each.isOn ? (
              <ZoneState zone={each.zone} />
            ) : (
              <span class="small muted">{toSentence(each.terms ?? "")}</span>
            )}
          </td>
          <td class="num">
            {!isFixed && (
              <span class="settings-acts">
                {each.isOn && each.takesKey && (
                  <button class="btn small" type="button" onClick={() => onKey(each)}>
                    Change key<span class="vh"> of {each.zone}</span>
                  </button>
                )}
                <button class="btn small" type="button" disabled={isBusy} onClick={() => onChange(each)}>
                  {each.isOn ? "Turn off" : "Turn on"}
                  <span class="vh"> {each.zone}</span>
                </button>
              </span>
            )}
          </td>
        </tr>
      ))}
    </ActionTable>
  );
}

/** The list's test entries, looked up when the page opens. */
function ZoneState({ zone }: { readonly zone: string }) {
  const { loaded } = useLoaded(`blocklist ${zone}`, (signal) =>
    call("POST /api/blocklists/:zone/test", { params: { zone }, signal }),
  );
  if (loaded.state === "failed") return <span class="faint">On. {loaded.trouble.message}</span>;
  if (loaded.value === null) return <span class="faint">On. Testing…</span>;
  const { state, says, fix } = loaded.value;
  return (
    <span>
      <Severity tone={doctorLooks[state].tone}>{state === "green" ? "On, works" : "On, not used"}</Severity>
      {state !== "green" && <span class="label under">{says}</span>}
      {fix !== null && <span class="label under">{fix}</span>}
    </span>
  );
}

type KeyDialogProps = { readonly zone: Zone; readonly onClose: () => void; readonly onDone: () => void };

function KeyDialog({ zone: { zone, name, isOn }, ...shown }: KeyDialogProps) {
  const save = (typed: FormData) => {
    const body = { key: String(typed.get("key")).trim() };
    return call("PUT /api/blocklists/:zone", { params: { zone }, body });
  };
  return (
    <FormDialog
      {...shown}
      title={isOn ? `Change the key of ${name}` : `Turn on ${name}`}
      action={isOn ? "Change key" : "Turn on"}
      act={save}
      done={isOn ? "Key changed." : `${name} is on.`}
      failed="Couldn’t save the key."
    >
      <Field
        label="Key"
        name="key"
        required
        autoComplete="off"
        hint="The key that the list’s owner gave you. It is stored encrypted and never shown again."
      />
    </FormDialog>
  );
}

type Shown = { readonly label: string; readonly hint: string; readonly isSize?: true };

const shown: Readonly<Record<string, Shown>> = {
  ASSAY_SEND_SMTP_URL: { label: "Mail server", hint: "" },
  ASSAY_ALERT_FROM: {
    label: "Sender",
    hint: "An address that your mail server may send from, such as Assay <alerts@example.com>.",
  },
  ASSAY_BASE_URL: {
    label: "Web address",
    hint: "Links in emails lead there. Open Assay under this address before you save it. Afterwards, other host names are refused.",
  },
  ASSAY_SEED_DOMAINS: {
    label: "Seed domains",
    hint: "Separated by commas. New seed addresses use the first one. Addresses at a domain that you remove receive no more mail.",
  },
  ASSAY_SMTP_LISTEN: {
    label: "SMTP addresses",
    hint: "Where Assay receives mail, as host:port, separated by commas. If it can’t use one of them, the others are added, and none is removed.",
  },
  ASSAY_RETENTION_DAYS: { label: "Days to keep tests", hint: "0 keeps them forever." },
  ASSAY_RETENTION_MAX_BYTES: {
    label: "Maximum database size",
    hint: "Above this size, the oldest tests are deleted. At least 1 MB, such as 20 GB.",
    isSize: true,
  },
  ASSAY_DNS_SERVERS: {
    label: "DNS resolvers",
    hint: "IP addresses separated by commas, each with an optional port, such as 127.0.0.1:5353. Seed mailboxes follow after a restart.",
  },
  ASSAY_DNS_TRUSTED: {
    label: "Own domains without public DNS",
    hint: "Only for a network whose resolvers don’t resolve public names. Assay then believes them that a name doesn’t exist in these domains, separated by commas.",
  },
};

const relayName = "ASSAY_SEND_SMTP_URL";
const emailNames = [relayName, "ASSAY_ALERT_FROM", "ASSAY_BASE_URL"];
export const receivingNames = ["ASSAY_SEED_DOMAINS", "ASSAY_SMTP_LISTEN"];
const dataNames = ["ASSAY_RETENTION_DAYS", "ASSAY_RETENTION_MAX_BYTES"];
const dnsNames = ["ASSAY_DNS_SERVERS", "ASSAY_DNS_TRUSTED"];

type Items = readonly ServerSetting[];

export function useServerSettings() {
  return useLoaded("server-settings", (signal) => call("GET /api/server-settings", { signal }));
}

function pick(items: Items, names: readonly string[]): Items {
  return names.flatMap((name) => items.filter((item) => item.name === name));
}

/** As people write it. */
function toText({ name, value }: ServerSetting): string {
  return value !== null && shown[name]?.isSize ? toSizeText(Number(value)) : (value ?? "");
}

/** The present values. */
export function toState(items: Items, names: readonly string[]) {
  return pick(items, names).map((setting) => (
    <span key={setting.name} class="settings-sub">
      {shown[setting.name]?.label}: {toText(setting) || setting.default}
    </span>
  ));
}

export function ServerSection() {
  const reading = useServerSettings();
  return (
    <>
      <SectionHead
        title="Server"
        lead="These settings apply to the whole server and take effect at once. Settings in the server’s environment or settings file take precedence."
      />
      <Reading reading={reading} what="the settings" lines={6}>
        {({ items }) => (
          <div class="stack-2">
            <EmailSetting items={items} onDone={reading.reload} />
            <Setting id="data" title="Data" value={toState(items, dataNames)}>
              <ServerSettings items={items} names={dataNames} onDone={reading.reload} />
            </Setting>
            <Setting id="dns" title="DNS" value={toState(items, dnsNames)}>
              <ServerSettings items={items} names={dnsNames} onDone={reading.reload} />
            </Setting>
            <Setting
              id="receiving-mail"
              title="Receiving mail"
              value={
                <>
                  {toState(items, receivingNames)}
                  <a href="/settings/receiving#own-domain">Change it under Receiving</a>
                </>
              }
            />
            <p class="small muted measure">
              All other settings are read at startup. See <a href="/docs/settings">Settings</a> and{" "}
              <a href="/docs/backup">Backup, restore, upgrade</a> in the handbook.
            </p>
          </div>
        )}
      </Reading>
    </>
  );
}

function EmailSetting(props: Omit<SettingsProps, "names">) {
  const status = useEmailStatus(JSON.stringify(props.items));
  return (
    <Setting id="email" title="Email" value={toEmailState(status)}>
      <p class="small muted measure">
        Alerts, invitations, and password resets go through your mail server. See{" "}
        <a href="/docs/account-email">Password resets and invitations by email</a>.
      </p>
      <ServerSettings {...props} names={emailNames} />
      {status?.ready && <EmailTest from={status.from} />}
    </Setting>
  );
}

type SettingsProps = { readonly items: Items; readonly names: readonly string[]; readonly onDone: () => void };

/** The form of those that the server's environment doesn't set. */
export function ServerSettings({ items, names, onDone }: SettingsProps) {
  const all = pick(items, names);
  const free = all.filter(({ source }) => source !== "given");
  const save = (typed: FormData) => saveEach(free, typed).finally(onDone);
  return (
    <>
      {all.map(
        ({ name, value, source }) =>
          source === "given" && (
            <p key={name} class="small">
              <strong>{shown[name]?.label}</strong>: <code>{value}</code>.{" "}
              <span class="muted">
                Set as <code>{name}</code> on the server. Change it there, and restart Assay.
              </span>
            </p>
          ),
      )}
      {free.length > 0 && (
        <ActionForm action="Save" act={save} done="Saved." failed="Not everything was saved.">
          {free.map((setting) => (
            <SettingField key={`${setting.name} ${setting.value}`} setting={setting} />
          ))}
        </ActionForm>
      )}
    </>
  );
}

function SettingField({ setting }: { readonly setting: ServerSetting }) {
  const { name, value, default: usual } = setting;
  if (name === relayName)
    return <ServerFields known={value === null ? usualServer : readServer(value)} isNew={value === null} isOptional />;
  const { label = name, hint = "" } = shown[name] ?? {};
  const { origin } = window.location;
  const fill = ({ currentTarget: { form } }: { readonly currentTarget: HTMLButtonElement }) => {
    const field = form?.elements.namedItem(name);
    if (field instanceof HTMLInputElement) field.value = origin;
  };
  return (
    <>
      <Field label={label} name={name} value={toText(setting)} hint={`${hint} Default: ${usual}.`} />
      {name === "ASSAY_BASE_URL" && value !== origin && (
        <p>
          <button class="btn small" type="button" onClick={fill}>
            Use {origin}
          </button>
        </p>
      )}
    </>
  );
}

/** Each on its own, so that one that is refused doesn't keep the others from being saved. */
async function saveEach(settings: Items, typed: FormData): Promise<void> {
  const troubles: unknown[] = [];
  for (const setting of settings)
    try {
      const { name } = setting;
      const value = readTyped(setting, typed);
      if (value !== setting.value)
        await call("PATCH /api/server-settings/:name", { params: { name }, body: { value } });
    } catch (error) {
      const field = setting.name === relayName ? "url" : setting.name;
      const isAbout = error instanceof Trouble && error.field === "value";
      troubles.push(isAbout ? new Trouble(error.message, { code: error.code, field }) : error);
    }
  if (troubles.length > 0) throw troubles[0];
}

/** Null: nothing, which restores the default. */
function readTyped(setting: ServerSetting, typed: FormData): string | null {
  const { name, value } = setting;
  if (name === relayName) return typed.get("url") === "" ? null : readForm(typed, value);
  const text = String(typed.get(name)).trim();
  if (text === toText(setting)) return value;
  if (text === "" || !shown[name]?.isSize) return text || null;
  const bytes = readSize(text);
  if (bytes === undefined) throw new Trouble("Write a size, such as 20 GB or 500 MB.", { field: name });
  return String(bytes);
}
