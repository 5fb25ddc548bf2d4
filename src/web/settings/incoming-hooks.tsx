// Webhooks that email providers call: add, set up, delete. The server sends the steps and the names of the providers.

import { useCallback, useState } from "preact/hooks";
import type { HookProviderChoice, IncomingHook, IncomingHookWithSecrets } from "../../api/incoming-hooks.ts";
import { call } from "../client/call.ts";
import { useEvents } from "../client/events.ts";
import { useLoaded } from "../client/loading.ts";
import { troubleAt, useDoing } from "../client/use-action.ts";
import { toCount, toPlural } from "../client/words.ts";
import { Copyable } from "../parts/copy.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Field, FormActs } from "../parts/form.tsx";
import { EmptyState } from "../parts/states.tsx";
import { Moment } from "../parts/text.tsx";
import { Severity } from "../parts/tone.tsx";
import {
  ActionTable,
  ConfirmDoing,
  Reading,
  SectionHead,
  SelectField,
  ShownOnce,
  TroubleNote,
} from "./parts.tsx";

export function IncomingHooksSection() {
  const reading = useLoaded("incoming-hooks", (signal) => call("GET /api/incoming-hooks", { signal }));
  const { reload } = reading;
  const [isAdding, setAdding] = useState(false);
  const [made, setMade] = useState<IncomingHookWithSecrets | null>(null);
  const [chosen, setChosen] = useState<IncomingHook | null>(null);
  const [deleted, setDeleted] = useState<IncomingHook | null>(null);
  useEvents(
    useCallback(
      ({ type }) => {
        if (type === "incoming-hook.received" || type === "reset") reload();
      },
      [reload],
    ),
  );
  const done = (hook: IncomingHookWithSecrets) => {
    setAdding(false);
    setChosen(null);
    // Without a URL or a secret there is nothing to copy.
    if (hook.url !== undefined || hook.secret !== undefined) setMade(hook);
    reload();
  };
  const add = (
    <button class="btn primary" type="button" onClick={() => setAdding(true)}>
      Add webhook
    </button>
  );
  const { value } = reading.loaded;
  return (
    <>
      <SectionHead
        title="Incoming webhooks"
        lead="Your email provider calls these. It can report bounces and complaints, or pass on mail that it receives, which becomes a test."
      >
        {value !== null && value.items.length > 0 && add}
      </SectionHead>
      {made && <Made hook={made} onClose={() => setMade(null)} />}
      <Reading reading={reading} what="the webhooks">
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState icon="inbox" title="No incoming webhooks yet">
              <p>
                Amazon SES, SendGrid, Mailgun, Postmark, Mailjet, and Cloudflare can call one. See{" "}
                <a href="/docs/provider-webhooks">how to set it up</a>.
              </p>
              {add}
            </EmptyState>
          ) : (
            <HookTable items={items} onChoose={setChosen} onDelete={setDeleted} />
          )
        }
      </Reading>
      {isAdding && value && (
        <NewHook providers={value.providers} onClose={() => setAdding(false)} onDone={done} />
      )}
      {chosen && <SetUp hook={chosen} onClose={() => setChosen(null)} onDone={done} />}
      {deleted && (
        <ConfirmDoing
          title={`Delete “${deleted.label}”?`}
          action="Delete"
          act={() => call("DELETE /api/incoming-hooks/:id", { params: { id: deleted.id } })}
          done={`“${deleted.label}” deleted.`}
          failed="Couldn’t delete the webhook."
          onClose={() => setDeleted(null)}
          onDone={reload}
        >
          <p>Its URL stops working. The bounces, complaints, and tests that it received are kept.</p>
        </ConfirmDoing>
      )}
    </>
  );
}

function Made({
  hook: { label, url, secret, says },
  onClose,
}: {
  readonly hook: IncomingHookWithSecrets;
  readonly onClose: () => void;
}) {
  return (
    <ShownOnce title={`“${label}” is ready for ${says.provider}`} action="I’ve copied it" onClose={onClose}>
      <p class="muted">Copy it now. It won’t be shown again, because Assay only stores a hash.</p>
      {url !== undefined && <Copyable text={url} what="the URL" />}
      {secret !== undefined && <Copyable text={secret} what="the secret" />}
      <Steps says={says} />
    </ShownOnce>
  );
}

function Steps({ says }: Pick<IncomingHook, "says">) {
  return (
    <>
      <ol class="settings-steps">
        {says.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p class="small muted">
        {says.proof} <a href="/docs/provider-webhooks">Steps for {says.provider}</a>
      </p>
    </>
  );
}

type HookTableProps = {
  readonly items: readonly IncomingHook[];
  readonly onChoose: (hook: IncomingHook) => void;
  readonly onDelete: (hook: IncomingHook) => void;
};

const purposes = { feedback: "Bounces and complaints", mail: "Received mail" } as const;

function HookTable({ items, onChoose, onDelete }: HookTableProps) {
  return (
    <ActionTable
      caption={toPlural(items.length, "webhook", "webhooks")}
      columns={["Name", "Last received", "Accepted", "Refused"]}
    >
      {items.map((hook) => (
        <tr key={hook.id}>
          <th scope="row">
            {hook.label}
            <span class="settings-sub">
              {hook.says.provider}: {purposes[hook.purpose].toLowerCase()}
            </span>
          </th>
          <td data-l="Last received">
            {hook.missing !== null ? (
              <Severity tone="minor">
                {hook.missing === "topicArn" ? "Needs the topic’s ARN" : "Needs the signing key"}
              </Severity>
            ) : hook.lastReceivedAt === null ? (
              <span class="faint">Nothing yet</span>
            ) : (
              <Moment time={hook.lastReceivedAt} />
            )}
          </td>
          <td data-l="Accepted">
            {toCount(hook.received)}
            {hook.repeated > 0 && (
              <span class="settings-sub">{toCount(hook.repeated)} repeated, counted once</span>
            )}
          </td>
          <td data-l="Refused">
            {toCount(hook.refused)}
            {hook.says.problem !== null && <span class="settings-sub">Last: {hook.says.problem}</span>}
          </td>
          <td class="num">
            <span class="settings-acts">
              <button class="btn small" type="button" onClick={() => onChoose(hook)}>
                Set up<span class="vh"> {hook.label}</span>
              </button>
              <button class="btn small danger" type="button" onClick={() => onDelete(hook)}>
                Delete<span class="vh"> {hook.label}</span>
              </button>
            </span>
          </td>
        </tr>
      ))}
    </ActionTable>
  );
}

type NewHookProps = {
  readonly providers: readonly HookProviderChoice[];
  readonly onClose: () => void;
  readonly onDone: (hook: IncomingHookWithSecrets) => void;
};

/** One choice for both, because not every provider does everything. */
function NewHook({ providers, onClose, onDone }: NewHookProps) {
  const { isBusy, trouble, run } = useDoing();
  const choices = providers.flatMap(({ provider, label, purposes: possible }) =>
    possible.map((purpose) => ({
      value: `${provider} ${purpose}`,
      label: `${label}: ${purposes[purpose].toLowerCase()}`,
    })),
  );
  const create = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const [provider, purpose] = String(form.get("choice")).split(" ") as [
      IncomingHook["provider"],
      IncomingHook["purpose"],
    ];
    const body = { provider, purpose, label: String(form.get("label")) };
    void run(async () => onDone(await call("POST /api/incoming-hooks", { body })));
  };
  const labelTrouble = trouble?.code === "missing_name" ? "Enter a name." : troubleAt(trouble, "label");
  return (
    <Dialog title="Add incoming webhook" onClose={onClose}>
      <form class="stack" onSubmit={create}>
        <SelectField label="Provider" name="choice" options={choices} />
        <Field
          label="Name"
          name="label"
          hint="What it is for, such as “Newsletter bounces”."
          error={labelTrouble}
        />
        <TroubleNote trouble={trouble} title="Couldn’t add the webhook." fields={["label"]} />
        <FormActs action="Add webhook" isBusy={isBusy} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

type SetUpProps = {
  readonly hook: IncomingHook;
  readonly onClose: () => void;
  readonly onDone: (hook: IncomingHookWithSecrets) => void;
};

function SetUp({ hook, onClose, onDone }: SetUpProps) {
  const { id, provider, purpose, label, domain, topicArn, says } = hook;
  const { isBusy, trouble, run } = useDoing();
  const params = { id };
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const typed = (name: string) => String(form.get(name) ?? "").trim();
    const [key, topic, named] = [typed("signingKey"), typed("topicArn"), typed("domain")];
    const body = {
      label: typed("label"),
      ...(key !== "" && { signingKey: key }),
      ...(topic !== "" && { topicArn: topic }),
      ...(purpose === "feedback" && { domain: named === "" ? null : named }),
    };
    void run(async () => onDone(await call("PATCH /api/incoming-hooks/:id", { params, body })));
  };
  const replace = (body: { readonly newUrl: true } | { readonly newSecret: true }) =>
    void run(async () => onDone(await call("PATCH /api/incoming-hooks/:id", { params, body })));
  const hasKey = provider === "sendgrid" || provider === "mailgun";
  return (
    <Dialog title={`Set up ${says.provider}`} onClose={onClose}>
      <form class="stack" onSubmit={save}>
        <Steps says={says} />
        <Field label="Name" name="label" value={label} error={troubleAt(trouble, "label")} />
        {hasKey && (
          <Field
            label={provider === "sendgrid" ? "Verification key" : "HTTP webhook signing key"}
            name="signingKey"
            autoComplete="off"
            hint="Stored encrypted, and never shown. Leave it empty to keep the current one."
            error={troubleAt(trouble, "signingKey")}
          />
        )}
        {provider === "ses" && (
          <Field
            label="ARN of the SNS topic"
            name="topicArn"
            value={topicArn ?? ""}
            error={troubleAt(trouble, "topicArn")}
          />
        )}
        {purpose === "feedback" && (
          <Field
            label="Sending domain"
            name="domain"
            value={domain ?? ""}
            hint="For events that don’t name one, so that complaint rates can be counted. Optional."
            error={troubleAt(trouble, "domain")}
          />
        )}
        <div class="row">
          <button class="btn small" type="button" disabled={isBusy} onClick={() => replace({ newUrl: true })}>
            Replace URL
          </button>
          {provider === "cloudflare" && (
            <button
              class="btn small"
              type="button"
              disabled={isBusy}
              onClick={() => replace({ newSecret: true })}
            >
              Replace secret
            </button>
          )}
          <span class="small muted">The old one stops working.</span>
        </div>
        <TroubleNote
          trouble={trouble}
          title="Couldn’t save."
          fields={["label", "signingKey", "topicArn", "domain"]}
        />
        <FormActs action="Save" isBusy={isBusy} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
