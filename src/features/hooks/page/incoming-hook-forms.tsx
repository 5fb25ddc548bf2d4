// The forms of incoming webhooks, and the steps at the provider, which the server sends.

import { call } from "../../../web/client/call.ts";
import { useDoing } from "../../../web/client/use-action.ts";
import { Field } from "../../../web/parts/form.tsx";
import { FormDialog, NameField, SelectField, TroubleNote } from "../../../web/settings/parts.tsx";
import type { HookProviderChoice, IncomingHook, IncomingHookWithSecrets } from "../contract.ts";

export const purposes = { feedback: "Bounces and complaints", mail: "Received mail" } as const;

export function Steps({ says }: Pick<IncomingHook, "says">) {
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

type NewHookProps = {
  readonly providers: readonly HookProviderChoice[];
  readonly onClose: () => void;
  readonly onDone: (hook: IncomingHookWithSecrets) => void;
};

/** One choice for both, because not every provider does everything. */
export function NewHook({ providers, onClose, onDone }: NewHookProps) {
  const choices = providers.flatMap(({ provider, label, purposes: possible }) =>
    possible.map((purpose) => ({
      value: `${provider} ${purpose}`,
      label: `${label}: ${purposes[purpose].toLowerCase()}`,
    })),
  );
  const create = async (form: FormData) => {
    const [provider, purpose] = String(form.get("choice")).split(" ") as [
      IncomingHook["provider"],
      IncomingHook["purpose"],
    ];
    const body = { provider, purpose, label: String(form.get("label")) };
    onDone(await call("POST /api/incoming-hooks", { body }));
  };
  return (
    <FormDialog
      title="Add incoming webhook"
      action="Add webhook"
      act={create}
      failed="Couldn’t add the webhook."
      onClose={onClose}
    >
      <SelectField label="Provider" name="choice" options={choices} />
      <NameField name="label" hint="What it is for, such as “Newsletter bounces”." missing="Enter a name." />
    </FormDialog>
  );
}

type SetUpProps = {
  readonly hook: IncomingHook;
  readonly choice: HookProviderChoice;
  readonly onClose: () => void;
  readonly onDone: (hook: IncomingHookWithSecrets) => void;
};

export function SetUp({ hook, choice: { needs, needsName, makesSecret }, onClose, onDone }: SetUpProps) {
  const { id, purpose, label, domain, topicArn, proof, says } = hook;
  const { isBusy, trouble, run } = useDoing();
  const params = { id };
  const save = async (form: FormData) => {
    const typed = (name: string) => String(form.get(name) ?? "").trim();
    const [key, topic, named] = [typed("signingKey"), typed("topicArn"), typed("domain")];
    const body = {
      label: typed("label"),
      ...(key !== "" && { signingKey: key }),
      ...(topic !== "" && { topicArn: topic }),
      ...(purpose === "feedback" && { domain: named === "" ? null : named }),
    };
    onDone(await call("PATCH /api/incoming-hooks/:id", { params, body }));
  };
  const replace = (body: { readonly newUrl: true } | { readonly newSecret: true }) =>
    void run(async () => onDone(await call("PATCH /api/incoming-hooks/:id", { params, body })));
  return (
    <FormDialog title={`Set up ${says.provider}`} action="Save" act={save} failed="Couldn’t save." onClose={onClose}>
      <Steps says={says} />
      <Field label="Name" name="label" value={label} />
      {needs === "signingKey" && (
        <Field
          label={needsName ?? "Signing key"}
          name="signingKey"
          autoComplete="off"
          hint="Stored encrypted, and never shown. Leave it empty to keep the current one."
        />
      )}
      {needs === "topicArn" && <Field label={needsName ?? "ARN of the topic"} name="topicArn" value={topicArn ?? ""} />}
      {purpose === "feedback" && (
        <Field
          label="Sending domain"
          name="domain"
          value={domain ?? ""}
          hint={
            proof === "password"
              ? "For events that don’t name one. Optional."
              : "For events that don’t name one, so that complaint rates can be counted. Optional."
          }
        />
      )}
      <div class="row">
        <button class="btn small" type="button" disabled={isBusy} onClick={() => replace({ newUrl: true })}>
          Replace URL
        </button>
        {makesSecret && (
          <button class="btn small" type="button" disabled={isBusy} onClick={() => replace({ newSecret: true })}>
            Replace secret
          </button>
        )}
        <span class="small muted">The old one stops working.</span>
      </div>
      <TroubleNote trouble={trouble} title="Couldn’t save." />
    </FormDialog>
  );
}
