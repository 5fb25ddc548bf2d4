// What the workspace is connected to: mailboxes that show where mail lands, and channels that hear when something breaks.

import { useCallback, useEffect, useState } from "preact/hooks";
import type { ConnectProblem, Integration } from "../../api/integrations.ts";
import { call } from "../client/call.ts";
import { useEvents } from "../client/events.ts";
import { useLoaded } from "../client/loading.ts";
import { goTo, useArrival, usePlace, useTitle } from "../client/router.tsx";
import { useIsOwner } from "../client/session.ts";
import { toWord } from "../client/words.ts";
import { PageHeading } from "../parts/heading.tsx";
import { Icon } from "../parts/icon.tsx";
import { ErrorNote, Skeleton } from "../parts/states.tsx";
import { ConnectMailbox } from "./connect-mailbox.tsx";
import { Connections } from "./connections.tsx";
import { Mailboxes } from "./mailboxes.tsx";
import { ProviderCard } from "./provider-card.tsx";
import { connectionsOf, type SectionProps } from "./rows.ts";

/** Whoever went elsewhere while it logged in is not led back. */
function closeForm(): void {
  const { pathname, search } = window.location;
  if (new URLSearchParams(search).has("connect")) goTo(pathname, { replace: true });
}

export function IntegrationsPage() {
  useTitle("Integrations");
  const arrived = useArrived();
  const { query } = usePlace();
  const { loaded, reload } = useLoaded("integrations", async (signal) => {
    const { items } = await call("GET /api/integrations", { signal });
    return items;
  });
  useEvents(
    useCallback(
      ({ type }) => {
        if (type === "integration.changed" || type === "alert.delivery" || type === "reset") reload();
      },
      [reload],
    ),
  );
  useArrival(loaded.value !== null);
  const isOwner = useIsOwner();
  const integrations = loaded.value;
  return (
    <>
      <PageHeading
        title="Integrations"
        lead="Mailboxes of yours show where your mail lands. Channels of yours hear when something breaks."
      />
      {loaded.state === "failed" && (
        <ErrorNote title="The list was not read." message={loaded.trouble.message} onRetry={reload} />
      )}
      {integrations === null && loaded.state === "loading" && <Skeleton lines={9} what="what is connected" />}
      {integrations !== null && (
        <>
          {arrived !== null && <ArrivalNote arrived={arrived} integrations={integrations} />}
          <Mailboxes integrations={integrations} isOwner={isOwner} onChanged={reload} />
          <Channels integrations={integrations} isOwner={isOwner} onChanged={reload} />
        </>
      )}
      {query.get("connect") === "imap" && <ConnectMailbox onClose={closeForm} onChanged={reload} />}
    </>
  );
}

const providers = ["slack", "discord"] as const satisfies readonly Integration["provider"][];

function Channels({ integrations, isOwner, onChanged }: SectionProps) {
  const channels = connectionsOf(integrations, providers);
  return (
    <section class="mt-7" aria-labelledby="channels-h">
      <div class="sec-h">
        <h2 id="channels-h">
          {channels.length === 0
            ? "Alert channels: none is connected yet"
            : `Alert channels: ${toWord(channels.length)} connected`}
        </h2>
        <p class="measure">
          A channel hears of a domain whose DNS changed, of a test that scored low, and of a bounce or
          complaint. Any other receiver is added <a href="/alerts">as a webhook under Alerts</a>.
        </p>
      </div>
      <Connections kind="channel" connections={channels} onChanged={onChanged} />
      <div class="grid providers">
        {providers.map((provider) => {
          const rows = integrations.filter((one) => one.provider === provider);
          const label = rows[0]?.label ?? "";
          return (
            <ProviderCard
              key={provider}
              rows={rows}
              title={label}
              what={`${label} channel`}
              isOwner={isOwner}
            >
              <p>Posts alerts to a channel that you choose on {label}’s own page. It reads nothing there.</p>
            </ProviderCard>
          );
        })}
      </div>
    </section>
  );
}

// What a person learns who comes back from a provider. The address says it in codes; it is read once and taken out of it.

type ConnectResult = { readonly provider: string; readonly problem: string | null };

/** Null: nobody arrives, this is a visit like any other. */
function useArrived(): ConnectResult | null {
  const { path, query } = usePlace();
  const [arrived, setArrived] = useState(() => readArrival(query));
  useEffect(() => {
    const here = readArrival(query);
    if (here === null) return;
    setArrived(here);
    goTo(path, { replace: true });
  }, [query]);
  return arrived;
}

function readArrival(query: URLSearchParams): ConnectResult | null {
  const [connected, problem] = [query.get("connected"), query.get("problem")];
  if (connected !== null) return { provider: connected, problem: null };
  return problem === null ? null : { provider: query.get("provider") ?? "", problem };
}

/** Nothing of the address is shown: names and codes that we know stand for words of ours. */
function ArrivalNote({
  arrived: { provider, problem },
  integrations,
}: {
  readonly arrived: ConnectResult;
  readonly integrations: readonly Integration[];
}) {
  const known = integrations.find((one) => one.provider === provider);
  if (problem !== null)
    return (
      <p class="note critical arrival" role="alert">
        <Icon name="critical" />
        <span>
          <strong>{known ? `${known.label} was not connected.` : "Nothing was connected."}</strong>{" "}
          {toProblemWords(problem)}
        </span>
      </p>
    );
  if (!known?.connected) return null;
  return (
    <p class="note good arrival" role="status">
      <Icon name="good" />
      <span>
        <strong>{known.label} is connected.</strong> {known.purpose}
      </span>
    </p>
  );
}

// Why nothing was connected, as a person reads it behind a sentence that says that much.

const problems: Readonly<Record<ConnectProblem, string>> = {
  denied: "The consent was not given.",
  unknown_state: "This answer belongs to no request of ours, or was used already. Begin again on this page.",
  expired: "More than 10 minutes passed before the answer came. Begin again.",
  logged_out:
    "You were not logged in here when the answer came, so nobody could say whose connection it is. Begin again.",
  other_user:
    "Somebody else began this, and you are logged in here. Whoever began it must finish it in their own browser.",
  not_a_member: "You are no longer a member of the workspace for which this began.",
  wrong_issuer: "The answer came from another server than the one that was asked, which may be an attack.",
  provider_refused:
    "The provider refused to finish this. Begin again; if it happens again, the log of this server says why.",
  provider_silent: "The provider did not answer in time. Try again later.",
  scope_missing:
    "The access that is needed was not allowed on the page of consent. Begin again, and leave its box ticked.",
  no_refresh: "The provider gave access for a short while only (no refresh token), which is no use here.",
  no_account:
    "The provider did not say which mailbox or channel this is. Whoever runs this server checks the client’s scopes.",
  bad_webhook: "The provider named a webhook at an address that this server may not call.",
  plan_limit: "The plan’s ceiling for alert webhooks is reached.",
  too_many: "The workspace has as many connections or alert webhooks as it may have.",
  not_configured: "The provider’s client is no longer set on this server.",
};

/** An address may name any code. */
function toProblemWords(code: string): string {
  return Object.hasOwn(problems, code) ? problems[code as ConnectProblem] : "The reason is not known.";
}
