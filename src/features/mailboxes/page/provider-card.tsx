// A provider: what it offers, whether it is configured, and a button to connect it.

import type { OauthProvider } from "../../../platform/settings/config.ts";
import { useDoing } from "../../../web/client/use-action.ts";
import { toCount } from "../../../web/client/words.ts";
import { ErrorNote } from "../../../web/parts/states.tsx";
import { Severity } from "../../../web/parts/tone.tsx";
import type { Integration } from "../contract/integrations.ts";
import { oauthFacts } from "../rules/list.ts";
import { leaveForConsent } from "./rows.ts";

type ProviderCardProps = {
  /** All rows of the provider. A row without an id isn't a connection. */
  readonly rows: readonly Integration[];
  readonly provider: OauthProvider;
  readonly isOwner: boolean;
};

/** A provider that connects over OAuth. */
export function ProviderCard({ rows, provider, isOwner }: ProviderCardProps) {
  const { isBusy, trouble, run } = useDoing();
  const [first] = rows;
  if (first === undefined) return null;
  const { configured, label } = first;
  const { title, what, says, note } = oauthFacts[provider].card;
  const count = countConnected(rows);
  return (
    <section class="card provider" aria-label={title}>
      <CardHead title={title} rows={rows} />
      <p>{says}</p>
      {note !== null && <p class="small muted">{note}</p>}
      {configured ? (
        <details class="small">
          <summary>Permissions {label} will ask for</summary>
          <ul class="mt-2">
            {first.scopes.map((scope) => (
              <li key={scope}>
                <code>{scope}</code>
              </li>
            ))}
          </ul>
        </details>
      ) : (
        <SetUp provider={provider} label={label} isOwner={isOwner} />
      )}
      {trouble !== null && <ErrorNote title={`${label} can’t be connected right now.`} message={trouble.message} />}
      {configured && (
        <button class="btn" type="button" disabled={isBusy} onClick={() => void run(() => leaveForConsent(provider))}>
          {isBusy ? `Opening ${label}…` : `Connect ${count > 0 ? "another" : "a"} ${what}`}
        </button>
      )}
    </section>
  );
}

type CardHeadProps = Pick<ProviderCardProps, "rows"> & { readonly title: string };

export function CardHead({ title, rows }: CardHeadProps) {
  return (
    <div>
      <h3>{title}</h3>
      <ProviderState rows={rows} />
    </div>
  );
}

function ProviderState({ rows }: Pick<ProviderCardProps, "rows">) {
  const count = countConnected(rows);
  const stopped = rows.filter(({ status }) => status === "reconnect").length;
  if (stopped > 0)
    return (
      <Severity tone="critical">
        {toCount(stopped)} of {toCount(count)} to reconnect
      </Severity>
    );
  if (count > 0) return <Severity tone="good">{toCount(count)} connected</Severity>;
  const isConfigured = rows.some(({ configured }) => configured);
  return (
    <Severity tone={isConfigured ? "info" : "unknown"}>{isConfigured ? "Not connected" : "Not configured"}</Severity>
  );
}

function countConnected(rows: readonly Integration[]): number {
  return rows.filter(({ connected }) => connected).length;
}

type SetUpProps = { readonly provider: Integration["provider"]; readonly label: string; readonly isOwner: boolean };

function SetUp({ provider, label, isOwner }: SetUpProps) {
  if (!isOwner)
    return (
      <p class="small muted">{label} isn’t configured on this server. Workspace owners can see how to set it up.</p>
    );
  const setting = `ASSAY_OAUTH_${provider.toUpperCase()}`;
  return (
    <details class="small">
      <summary>How to configure {label}</summary>
      <div class="stack-2 mt-2">
        <p>Create an OAuth client at {label} with this redirect URL:</p>
        <code class="set-up">
          {window.location.origin}/api/integrations/{provider}/callback
        </code>
        <p>Set these environment variables and restart Assay:</p>
        <code class="set-up">
          {setting}_CLIENT_ID
          <br />
          {setting}_CLIENT_SECRET
        </code>
      </div>
    </details>
  );
}
