// What the operator changes for the whole server while it runs: blocklists, resolvers, and how long tests are kept.

import { useState } from "preact/hooks";
import { call } from "../../../web/client/call.ts";
import { useLoaded } from "../../../web/client/loading.ts";
import { troubleAt, useDoing } from "../../../web/client/use-action.ts";
import { toSentence } from "../../../web/client/words.ts";
import { Dialog } from "../../../web/parts/dialog.tsx";
import { Field, FormActs } from "../../../web/parts/form.tsx";
import { Note, sayDone } from "../../../web/parts/states.tsx";
import { Severity } from "../../../web/parts/tone.tsx";
import { ActionTable, Reading, SectionHead, TroubleNote } from "../../../web/settings/parts.tsx";
import type { Blocklist, ServerSetting } from "../contract/server-settings.ts";
import { doctorLooks } from "./doctor.tsx";
import { EmailTest, RelayForm } from "./email.tsx";
import { readSize, toSizeText } from "./sizes.ts";

type Zone = Blocklist["zones"][number] & Pick<Blocklist, "name" | "kind" | "terms">;

const listed: Readonly<Record<Blocklist["kind"], string>> = {
  address: "IP addresses",
  domain: "Domains",
  allow: "Good senders",
  own: "Unknown",
};

export function BlocklistsSection() {
  const reading = useLoaded("blocklists", (signal) => call("GET /api/blocklists", { signal }));
  const [isWhole, setWhole] = useState(false);
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
              under <a href="/settings/server">Server</a>.
            </p>
            <TroubleNote trouble={trouble} title="Couldn’t change the list." />
            <ZoneTable
              zones={toZones(items, isWhole)}
              isFixed={source === "given"}
              isBusy={isBusy}
              onChange={(zone) => (zone.takesKey && !zone.isOn ? setAsking(zone) : void change(zone))}
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

/** The recommended zone of each list and those that are on, or all of them. */
function toZones(lists: readonly Blocklist[], isWhole: boolean): readonly Zone[] {
  return lists.flatMap(({ zones, name, kind, terms }) => {
    const on = zones.filter(({ isOn }) => isOn);
    const few = on.length > 0 ? on : zones.slice(0, 1);
    return (isWhole ? zones : few).map((zone) => ({ ...zone, name, kind, terms }));
  });
}

type ZoneTableProps = {
  readonly zones: readonly Zone[];
  /** The environment decides. */
  readonly isFixed: boolean;
  readonly isBusy: boolean;
  readonly onChange: (zone: Zone) => void;
};

function ZoneTable({ zones, isFixed, isBusy, onChange }: ZoneTableProps) {
  const on = zones.filter(({ isOn }) => isOn).length;
  return (
    <ActionTable
      caption={on === 0 ? "No lists are on" : on === 1 ? "1 list is on" : `${on} lists are on`}
      columns={["List", "Contains", "State"]}
    >
      {zones.map((each) => (
        <tr key={each.zone}>
          <th scope="row">
            {each.name}
            <span class="label under">
              <code>{each.zone.replace(/^_key\./, "<key>.")}</code>
            </span>
            {each.terms !== null && <span class="label under">{toSentence(each.terms)}</span>}
          </th>
          <td class="nowrap" data-l="Contains">
            {listed[each.kind]}
          </td>
          <td data-l="State">{each.isOn ? <ZoneState zone={each.zone} /> : <span class="faint">Off</span>}</td>
          <td class="num">
            {!isFixed && (
              <button class="btn small" type="button" disabled={isBusy} onClick={() => onChange(each)}>
                {each.isOn ? "Turn off" : "Turn on"}
                <span class="vh"> {each.zone}</span>
              </button>
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

function KeyDialog({ zone: { zone, name }, onClose, onDone }: KeyDialogProps) {
  const { isBusy, trouble, run } = useDoing();
  const turnOn = async (event: SubmitEvent) => {
    event.preventDefault();
    const key = String(new FormData(event.currentTarget as HTMLFormElement).get("key")).trim();
    if (!(await run(() => call("PUT /api/blocklists/:zone", { params: { zone }, body: { key } })))) return;
    onClose();
    onDone();
    sayDone(`${name} is on.`);
  };
  return (
    <Dialog title={`Turn on ${name}`} onClose={onClose}>
      <form class="stack" onSubmit={(event) => void turnOn(event)}>
        <Field
          label="Key"
          name="key"
          required
          autoComplete="off"
          hint="The key that the list’s owner gave you. It is stored encrypted and never shown again."
          error={troubleAt(trouble, "key")}
        />
        <TroubleNote trouble={trouble} title="Couldn’t turn on the list." fields={["key"]} />
        <FormActs action="Turn on" isBusy={isBusy} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

type Shown = {
  readonly label: string;
  readonly hint: string;
  readonly isSize?: true;
  /** A value that is one click away. */
  readonly likely?: () => string;
};

const emailShown: Readonly<Record<string, Shown>> = {
  ASSAY_SEND_SMTP_URL: { label: "Mail server", hint: "" },
  ASSAY_ALERT_FROM: {
    label: "Sender",
    hint: "An address that your mail server may send from, such as Assay <alerts@example.com>.",
  },
  ASSAY_BASE_URL: {
    label: "Web address",
    hint: "Links in emails lead there. Open Assay under this address before you save it. Afterwards, other host names are refused.",
    likely: () => window.location.origin,
  },
};

const shown: Readonly<Record<string, Shown>> = {
  ASSAY_SEED_DOMAINS: {
    label: "Seed domains",
    hint: "Separated by commas. New seed addresses use the first one. Addresses at a domain that you remove receive no more mail.",
  },
  ASSAY_SMTP_LISTEN: {
    label: "SMTP addresses",
    hint: "Where Assay receives mail, as host:port, separated by commas. If Assay can’t use one of them, nothing changes.",
  },
  ASSAY_RETENTION_DAYS: { label: "Days to keep tests", hint: "0 keeps them forever." },
  ASSAY_RETENTION_MAX_BYTES: {
    label: "Maximum database size",
    hint: "Above this size, the oldest tests are deleted. Enter at least 1 MB, such as 20 GB, or leave it empty for no limit.",
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

export function ServerSection() {
  const reading = useLoaded("server-settings", (signal) => call("GET /api/server-settings", { signal }));
  return (
    <>
      <SectionHead
        title="Server"
        lead="These settings apply to the whole server and take effect at once. Settings in the server’s environment or settings file take precedence."
      />
      <Reading reading={reading} what="the settings" lines={6}>
        {({ items }) => (
          <div class="stack">
            <h3 id="email">Email</h3>
            <p class="small muted measure">
              Alerts, invitations, and password resets go through your mail server. See{" "}
              <a href="/docs/account-email">Password resets and invitations by email</a>.
            </p>
            <SettingForms items={items} words={emailShown} onDone={reading.reload} />
            <EmailTest version={JSON.stringify(items)} />
            <h3>Mail and data</h3>
            <p class="small muted measure">
              To receive mail from the internet, <a href="/settings/receiving#own-domain">set up your own domain</a>.
            </p>
            <SettingForms items={items} words={shown} onDone={reading.reload} />
            <p class="small muted measure">
              All other settings are read at startup. See <a href="/docs/settings">Settings</a> in the handbook.
            </p>
          </div>
        )}
      </Reading>
    </>
  );
}

type SettingFormsProps = {
  readonly items: readonly ServerSetting[];
  readonly words: Readonly<Record<string, Shown>>;
  readonly onDone: () => void;
};

function SettingForms({ items, words, onDone }: SettingFormsProps) {
  return Object.entries(words).flatMap(([name, each]) => {
    const setting = items.find((item) => item.name === name);
    if (setting === undefined) return [];
    const props = { key: name, setting, onDone };
    const isRelay = name === "ASSAY_SEND_SMTP_URL" && setting.source !== "given";
    return [isRelay ? <RelayForm {...props} /> : <SettingForm {...props} words={each} />];
  });
}

type SettingFormProps = { readonly setting: ServerSetting; readonly words: Shown; readonly onDone: () => void };

function SettingForm({ setting, words: { label, hint, isSize, likely }, onDone }: SettingFormProps) {
  const { name, source } = setting;
  const value = isSize && setting.value !== null ? toSizeText(Number(setting.value)) : setting.value;
  const { isBusy, trouble, run } = useDoing();
  const [isWrong, setIsWrong] = useState(false);
  const save = async (text: string | null) => {
    const act = () => call("PATCH /api/server-settings/:name", { params: { name }, body: { value: text || null } });
    if (!(await run(act))) return;
    onDone();
    sayDone(`${label}: saved.`);
  };
  if (source === "given")
    return (
      <div class="card stack-2">
        <h4>{label}</h4>
        <p>
          <code>{value}</code>
        </p>
        <p class="small muted">
          Set as <code>{name}</code> on the server. Change it there, and restart Assay.
        </p>
      </div>
    );
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const text = String(form.get("value")).trim();
    const bytes = isSize ? readSize(text) : undefined;
    setIsWrong(isSize === true && text !== "" && bytes === undefined);
    if (!isSize || text === "") void save(text);
    else if (bytes !== undefined) void save(String(bytes));
  };
  return (
    <form class="card stack" onSubmit={submit}>
      <Field
        key={value}
        label={label}
        name="value"
        value={value ?? ""}
        hint={`${hint} Default: ${setting.default}.`}
        error={isWrong ? "Write a size, such as 20 GB or 500 MB." : troubleAt(trouble, "value")}
      />
      <TroubleNote trouble={trouble} title="Couldn’t save the setting." fields={["value"]} />
      <div class="row">
        <button class="btn primary" type="submit" disabled={isBusy}>
          Save
        </button>
        {likely !== undefined && likely() !== value && (
          <button class="btn" type="button" disabled={isBusy} onClick={() => void save(likely())}>
            Use {likely()}
          </button>
        )}
        {source === "saved" && (
          <button class="btn" type="button" disabled={isBusy} onClick={() => void save(null)}>
            Use default
          </button>
        )}
      </div>
    </form>
  );
}
