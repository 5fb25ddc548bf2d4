// A provider: what connecting it gives, whether it can be connected here, and the way there.

import type { ComponentChildren } from "preact";
import type { Integration } from "../../api/integrations.ts";
import { useDoing } from "../client/use-action.ts";
import { toPlural } from "../client/words.ts";
import { ErrorNote } from "../parts/states.tsx";
import { Severity } from "../parts/tone.tsx";
import { leaveForConsent } from "./rows.ts";

type ProviderCardProps = {
  /** All rows of the provider; one without an id where there is no connection. */
  readonly rows: readonly Integration[];
  readonly title: string;
  /** That is connected: "Gmail mailbox". */
  readonly what: string;
  readonly isOwner: boolean;
  readonly children: ComponentChildren;
};

/** One that is connected by consent on the provider's own page. */
export function ProviderCard({ rows, title, what, isOwner, children }: ProviderCardProps) {
  const { isBusy, trouble, run } = useDoing();
  const [first] = rows;
  if (first === undefined) return null;
  const { provider, configured, label } = first;
  const count = countConnected(rows);
  return (
    <section class="card provider" aria-label={title}>
      <CardHead title={title} rows={rows} />
      {children}
      {configured ? (
        <details class="small">
          <summary>What {label} will ask you to allow</summary>
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
      {trouble !== null && (
        <ErrorNote title={`${label} cannot be connected now.`} message={trouble.message} />
      )}
      {configured && (
        <button
          class="btn"
          type="button"
          disabled={isBusy}
          onClick={() => void run(() => leaveForConsent(provider))}
        >
          {isBusy ? `Going to ${label} …` : `Connect ${count > 0 ? "another" : "a"} ${what}`}
        </button>
      )}
    </section>
  );
}

type CardHeadProps = Pick<ProviderCardProps, "title" | "rows">;

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
        {stopped} of {count} {stopped === 1 ? "needs" : "need"} you
      </Severity>
    );
  if (count > 0) return <Severity tone="good">{toPlural(count, "connected", "connected")}</Severity>;
  const isConfigured = rows.some(({ configured }) => configured);
  return (
    <Severity tone={isConfigured ? "info" : "unknown"}>
      {isConfigured ? "Not connected" : "Not set up on this server"}
    </Severity>
  );
}

function countConnected(rows: readonly Integration[]): number {
  return rows.filter(({ connected }) => connected).length;
}

type SetUpProps = {
  readonly provider: Integration["provider"];
  readonly label: string;
  readonly isOwner: boolean;
};

function SetUp({ provider, label, isOwner }: SetUpProps) {
  if (!isOwner)
    return (
      <p class="small muted">
        Whoever runs this server has not set up {label} yet. An owner of the workspace sees what it takes.
      </p>
    );
  const setting = `ASSAY_OAUTH_${provider.toUpperCase()}`;
  return (
    <details class="small">
      <summary>How the server’s operator sets {label} up</summary>
      <div class="stack-2 mt-2">
        <p>Make a client at {label} with this address to return to:</p>
        <code class="set-up">
          {window.location.origin}/api/integrations/{provider}/callback
        </code>
        <p>Set its two values, and start Assay again:</p>
        <code class="set-up">
          {setting}_CLIENT_ID
          <br />
          {setting}_CLIENT_SECRET
        </code>
      </div>
    </details>
  );
}
