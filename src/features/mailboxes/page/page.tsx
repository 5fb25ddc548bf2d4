// Connected mailboxes, which show placement, and channels, which receive alerts.

import { useEffect, useState } from "preact/hooks";
import { call } from "../../../web/client/call.ts";
import { useLiveReload } from "../../../web/client/events.ts";
import { useLoaded } from "../../../web/client/loading.ts";
import { goTo, usePlace } from "../../../web/client/router.tsx";
import { useIsOwner } from "../../../web/client/session.ts";
import { toCount } from "../../../web/client/words.ts";
import { Icon } from "../../../web/parts/icon.tsx";
import { LoadNote } from "../../../web/parts/states.tsx";
import { SectionHead } from "../../../web/settings/parts.tsx";
import type { Integration } from "../contract/integrations.ts";
import { givesMailbox, oauthProviders } from "../rules/list.ts";
import { toProblemWords } from "../words.ts";
import { ConnectMailbox } from "./connect-mailbox.tsx";
import { Connections } from "./connections.tsx";
import { Mailboxes } from "./mailboxes.tsx";
import { ProviderCard } from "./provider-card.tsx";
import { connectionsOf, type SectionProps } from "./rows.ts";

/** Stays on the current page if the reader left while the server logged in. */
function closeForm(): void {
  const { pathname, search } = window.location;
  if (new URLSearchParams(search).has("connect")) goTo(pathname, { replace: true });
}

export function IntegrationsSection() {
  const arrived = useArrived();
  const { query } = usePlace();
  const { loaded, reload } = useLoaded("integrations", async (signal) => {
    const { items } = await call("GET /api/integrations", { signal });
    return items;
  });
  useLiveReload(reload, ({ type }) => type === "integration.changed" || type === "alert.delivery");
  const isOwner = useIsOwner();
  const integrations = loaded.value;
  return (
    <>
      <SectionHead
        title="Mailboxes and integrations"
        lead="Connect mailboxes to see placement, and channels to receive alerts."
      />
      <LoadNote loaded={loaded} onRetry={reload} lines={9} what="the integrations" />
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

function Channels({ integrations, isOwner, onChanged }: SectionProps) {
  const isChannel = (provider: Integration["provider"]) => !givesMailbox(provider);
  const channels = connectionsOf(integrations, isChannel);
  return (
    <section class="mt-7" aria-labelledby="channels-h">
      <div class="sec-h">
        <h2 id="channels-h">
          {channels.length === 0 ? "Alert channels" : `Alert channels: ${toCount(channels.length)} connected`}
        </h2>
        <p class="measure">
          Channels are notified when a domain’s DNS changes, a test scores low, or a bounce or complaint arrives. To
          send alerts anywhere else, <a href="/alerts">add a webhook under Alerts</a>.
        </p>
      </div>
      <Connections kind="channel" connections={channels} onChanged={onChanged} />
      <div class="grid providers">
        {oauthProviders.filter(isChannel).map((provider) => {
          const rows = integrations.filter((one) => one.provider === provider);
          return <ProviderCard key={provider} provider={provider} rows={rows} isOwner={isOwner} />;
        })}
      </div>
    </section>
  );
}

// The result after returning from a provider. The URL contains codes, which are read once and then removed.

type ConnectResult = { readonly provider: string; readonly problem: string | null };

/** Null: a normal visit. */
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

/** Shows no text from the URL: only known codes, translated to sentences. */
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
          <strong>{known ? `Couldn’t connect ${known.label}.` : "Couldn’t connect."}</strong> {toProblemWords(problem)}
        </span>
      </p>
    );
  if (!known?.connected) return null;
  return (
    <p class="note good arrival" role="status">
      <Icon name="good" />
      <span>
        <strong>{known.label} connected.</strong> {known.purpose}
      </span>
    </p>
  );
}
