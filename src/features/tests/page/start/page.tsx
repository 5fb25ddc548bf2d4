// The ways to start a test. The seed address comes first, with what an app must enter to reach it. A message that
// arrives here opens.

import type { ComponentChildren } from "preact";
import { useArrival, useTitle } from "../../../../web/client/router.tsx";
import { useIsOwner, useSession } from "../../../../web/client/session.ts";
import type { Receiving } from "../../../intake/contract/receiving.ts";
import { ArrivalNote, LastHour, useRecent } from "./arrivals.tsx";
import { RehearsalHint } from "./rehearsal-hint.tsx";
import { SampleCard } from "./sample.tsx";
import { Connection, ReachNote, SeedAddress, Snippets, useReceiving } from "./send-here.tsx";
import { PasteCard } from "./ways.tsx";

/** `children`: what features add at its end. */
export function StartPage({ children }: { readonly children?: ComponentChildren }) {
  useTitle("New test");
  const { seedAddress } = useSession().workspace;
  const recent = useRecent();
  const receiving = useReceiving();
  useArrival(receiving.loaded.state !== "loading");
  return (
    <>
      <ArrivalNote recent={recent} />
      <section id="send" aria-labelledby="send-h">
        <div class="page-h">
          <div>
            <h1 id="send-h">Send an email to this address</h1>
            <p>
              Use the app or service you want to test, just as you’d send to your subscribers. Your report opens
              automatically. <span class="live">Waiting for mail</span>
            </p>
          </div>
        </div>
        <SeedAddress isMain />
        <div class="stack mt-4">
          <ReachNote receiving={receiving} />
          <div class="grid g2 late top">
            <PasteCard />
            <div class="stack">
              <Connection receiving={receiving} />
              <LastHour recent={recent} />
            </div>
          </div>
        </div>
        <Snippets receiving={receiving} />
        <OutgoingHint receiving={receiving.loaded.value} />
        <RehearsalHint receiving={receiving.loaded.value} />
      </section>
      <h2 class="mt-7 mb-4">No email ready?</h2>
      {seedAddress !== null && <SampleCard seedAddress={seedAddress} />}
      <p class="small muted mt-4">
        Or look at ready-made emails, healthy ones and some with problems, in the{" "}
        <a href="/laboratory">sample gallery</a>. To receive mail from any server on the internet,{" "}
        <a href="/settings/receiving#own-domain">set up your own domain</a>.
      </p>
      {/* Later, because a short page would have it near at once. */}
      {receiving.loaded.value !== null && children}
    </>
  );
}

/** Where mail comes from this computer or a private network. */
function OutgoingHint({ receiving }: { readonly receiving: Receiving | null }) {
  const { outgoingServer } = useSession().workspace;
  const isOwner = useIsOwner();
  const isPrivate = receiving?.listeners.some(({ reach }) => reach !== "all") ?? false;
  if (!isOwner || outgoingServer !== null || !isPrivate) return null;
  return (
    <p class="small muted mt-4">
      Do you send from your own machine?{" "}
      <a href="/settings/sending#outgoing-server">Set where your mail leaves for the internet</a>.
    </p>
  );
}
