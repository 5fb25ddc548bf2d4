// What the workspace is connected to: mailboxes that show where mail lands, and channels that hear when something breaks.

import { useCallback } from "preact/hooks";
import type { AnswerOf } from "../../api/endpoint.ts";
import type { listIntegrations } from "../../api/integrations.ts";
import { ask } from "../client/ask.ts";
import { useEvents } from "../client/events.ts";
import { useLoaded } from "../client/loading.ts";
import { goTo, useArrival, usePlace, useTitle } from "../client/router.tsx";
import { useIsOwner } from "../client/session.ts";
import { PageHeading } from "../parts/heading.tsx";
import { ErrorNote, Skeleton } from "../parts/states.tsx";
import { ArrivalNote, useArrived } from "./arrival.tsx";
import { Channels } from "./channels.tsx";
import { ConnectMailbox } from "./connect-mailbox.tsx";
import { Mailboxes } from "./mailboxes.tsx";

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
    const { items } = await ask<AnswerOf<typeof listIntegrations>>("GET", "/api/integrations", { signal });
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
