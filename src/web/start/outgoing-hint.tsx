// Offers to set the outgoing server, where mail comes from this computer or a private network.

import type { Receiving } from "../../api/receiving.ts";
import { useIsOwner, useSession } from "../client/session.ts";
import { OutgoingServerOffer } from "../parts/outgoing-server.tsx";

export function OutgoingHint({ receiving }: { readonly receiving: Receiving | null }) {
  const { outgoingServer } = useSession().workspace;
  const isOwner = useIsOwner();
  const isPrivate = receiving?.listeners.some(({ reach }) => reach !== "all") ?? false;
  if (!isOwner || outgoingServer !== null || !isPrivate) return null;
  return (
    <OutgoingServerOffer
      question="Try it from your own machine? Say where your mail leaves for the internet"
      action="Save"
    />
  );
}
