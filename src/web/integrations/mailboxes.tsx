import type { Integration } from "../../api/integrations.ts";
import { passwordMailboxes } from "../../api/provider-words.ts";
import { goTo } from "../client/router.tsx";
import { toList, toWord } from "../client/words.ts";
import { Connections } from "./connections.tsx";
import { CardHead, ProviderCard } from "./provider-card.tsx";
import { connectAddress, connectionsOf, type SectionProps } from "./rows.ts";

const providers: readonly Integration["provider"][] = ["google", "microsoft", "imap"];

export function Mailboxes({ integrations, isOwner, onChanged }: SectionProps) {
  const rowsOf = (provider: Integration["provider"]) =>
    integrations.filter((one) => one.provider === provider);
  const mailboxes = connectionsOf(integrations, providers);
  return (
    <section aria-labelledby="mailboxes-h">
      <div class="sec-h">
        <h2 id="mailboxes-h">{toConclusion(mailboxes)}</h2>
        <p class="measure">
          A seed mailbox is one of yours at a real provider. Send a message to it and to your seed inbox at
          once: the report then shows in which folder it was seen, beside what was predicted.
        </p>
      </div>
      <Connections kind="mailbox" connections={mailboxes} onChanged={onChanged} />
      <div class="grid providers">
        <PasswordCard rows={rowsOf("imap")} />
        <ProviderCard
          rows={rowsOf("google")}
          title="Gmail with Google’s consent"
          what="Gmail mailbox"
          isOwner={isOwner}
        >
          <p>Shows placement at Gmail, without a password kept here.</p>
          <p class="small muted">
            Try an app password first: unless Google has verified this server’s client, each consent ends
            after 7 days.
          </p>
        </ProviderCard>
        <ProviderCard
          rows={rowsOf("microsoft")}
          title="Outlook and Microsoft 365"
          what="mailbox at Microsoft"
          isOwner={isOwner}
        >
          <p>Shows placement at Outlook.com. Microsoft takes no passwords over IMAP any more.</p>
          <p class="small muted">A consent that is not used for 90 days ends.</p>
        </ProviderCard>
      </div>
      <WhatIsRead />
      {mailboxes.length > 0 && (
        <p class="row mt-4">
          <a href="/start#seed-list">Addresses to send to</a>
          <a href="/predictions">How good the predictions are</a>
        </p>
      )}
    </section>
  );
}

function toConclusion(mailboxes: readonly Integration[]): string {
  if (mailboxes.length === 0) return "Seed mailboxes: none is connected yet";
  const stopped = mailboxes.filter(({ status }) => status === "reconnect").length;
  const all = `Seed mailboxes: ${toWord(mailboxes.length)}`;
  if (stopped === 0) return `${all} connected`;
  return `${all} connected, ${toWord(stopped)} of which ${stopped === 1 ? "needs" : "need"} you`;
}

function PasswordCard({ rows }: { readonly rows: readonly Integration[] }) {
  return (
    <section class="card provider" aria-label="Any mailbox, by its password">
      <CardHead title="Any mailbox, by its password" rows={rows} />
      <p>
        {toList(passwordMailboxes.map(({ label }) => label))} by an app password; every other mailbox that is
        read over IMAP by its own.
      </p>
      <p class="small muted">The password is kept encrypted, and is shown to nobody.</p>
      <button class="btn primary" type="button" onClick={() => goTo(connectAddress)}>
        Connect a mailbox
      </button>
    </section>
  );
}

function WhatIsRead() {
  return (
    <details class="small mt-4 measure">
      <summary>What Assay reads in a mailbox, and what it never does</summary>
      <div class="stack-2 mt-2">
        <p>
          It reads the list of folders and, of new mail, the headers, the time of arrival and at most 96 KB of
          text. When a mailbox is connected, the last hour counts as new.
        </p>
        <p>
          It marks nothing as read, moves nothing, answers nothing and deletes nothing; it opens no link and
          loads no image. Use mailboxes that are for nothing else: what opens them opens all that is in them.
        </p>
      </div>
    </details>
  );
}
