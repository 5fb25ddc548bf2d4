// Where an alert is sent.

import type { AnswerOf } from "../../../platform/contract/endpoint.ts";
import { call } from "../../../web/client/call.ts";
import { useLoaded } from "../../../web/client/loading.ts";
import { Field } from "../../../web/parts/form.tsx";
import { Note } from "../../../web/parts/states.tsx";
import { OperatorTask } from "../../../web/settings/parts.tsx";
import type { readAlertEmail } from "../contract/alert-options.ts";
import type { Alert } from "../contract/alerts.ts";
import { type AlertService, serviceNames } from "../words.ts";
import { serviceWords } from "./words.ts";

type EmailStatus = AnswerOf<typeof readAlertEmail>;

/** Null until it is known. `version`: changes with the settings. */
export function useEmailStatus(version = ""): EmailStatus | null {
  const { loaded } = useLoaded(`alert-email ${version}`, (signal) => call("GET /api/alert-email", { signal }));
  return loaded.value;
}

type TargetFieldsProps = {
  readonly service: AlertService;
  readonly alert: Alert | null;
  /** As typed so far. */
  readonly url: string;
  readonly error: string | null;
};

export function TargetFields({ service, alert, url, error }: TargetFieldsProps) {
  const { credentials = [] } = serviceWords[service];
  return (
    <>
      <AddressField service={service} alert={alert} error={error} />
      <UrlWarning service={service} url={url} />
      {credentials.map(({ name, label, hint, isOptional }) => (
        <Field
          key={name}
          label={label}
          name={name}
          required={alert === null && !isOptional}
          autoComplete="off"
          hint={alert === null ? hint : "Leave it empty to keep the current one."}
        />
      ))}
    </>
  );
}

/** Instead of the fields, so that they aren't filled in for nothing. */
export function MissingSettings() {
  return (
    <Note tone="minor">
      This server can’t send email yet. <OperatorTask to="/settings/server#email" task="set up email" />
    </Note>
  );
}

type AddressFieldProps = Pick<TargetFieldsProps, "service" | "alert" | "error">;

/** The URL of a chat service is a secret, so the server masks it. */
function AddressField({ service, alert, error }: AddressFieldProps) {
  const { address } = serviceWords[service];
  if (address === null) return null;
  if (service === "email")
    return (
      <Field
        label="Email address"
        name="url"
        type="email"
        required
        value={alert?.email?.address ?? ""}
        hint={address}
        error={error}
      />
    );
  const isMasked = alert !== null && service !== "json";
  return (
    <Field
      label={isMasked ? "New URL" : "URL"}
      name="url"
      required={!isMasked}
      value={isMasked || alert === null ? "" : alert.url}
      autoComplete="off"
      hint={isMasked ? `Leave it empty to keep ${alert.url}.` : address}
      error={error}
    />
  );
}

/** Other software understands Slack's and Discord's format too, so this is no error. */
function UrlWarning({ service, url }: Pick<TargetFieldsProps, "service" | "url">) {
  const { begins } = serviceWords[service];
  const label = serviceNames[service];
  const isTyped = /^https?:\/\/[^/]+\/./i.test(url.trim());
  if (begins === undefined || !isTyped || begins.some((one) => url.trim().startsWith(one))) return null;
  return (
    <div role="status">
      <Note tone="minor">
        This isn’t a {label} webhook URL. Add it only if the service there accepts {label}’s format. For your own code,
        choose JSON.
      </Note>
    </div>
  );
}
