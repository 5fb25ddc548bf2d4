import { passwordMailboxes } from "../../../analyzer/words/provider-words.ts";
import { goTo } from "../../../web/client/router.tsx";
import { toCount, toList } from "../../../web/client/words.ts";
import type { Integration } from "../contract/integrations.ts";
import { givesMailbox, oauthProviders } from "../rules/list.ts";
import { Connections } from "./connections.tsx";
import { HitRates } from "./hit-rates.tsx";
import { CardHead, ProviderCard } from "./provider-card.tsx";
import { connectAddress, connectionsOf, type SectionProps } from "./rows.ts";

export function Mailboxes({ integrations, isOwner, onChanged }: SectionProps) {
  const rowsOf = (provider: Integration["provider"]) => integrations.filter((one) => one.provider === provider);
  const mailboxes = connectionsOf(integrations, givesMailbox);
  return (
    <section aria-labelledby="mailboxes-h">
      <div class="sec-h">
        <h2 id="mailboxes-h">{toConclusion(mailboxes)}</h2>
        <p class="measure">
          A seed mailbox is your own mailbox at a provider such as Gmail. Send a message to it and to your seed inbox.
          The report then shows which folder the message landed in, next to the prediction. A mailbox can also be a seed
          inbox: then each new message in it becomes a test.{" "}
          <a href="/docs/without-port-25#read-a-mailbox-over-imap">How that works</a>
        </p>
      </div>
      <Connections kind="mailbox" connections={mailboxes} onChanged={onChanged} />
      <div class="grid providers">
        <PasswordCard rows={rowsOf("imap")} />
        {oauthProviders.filter(givesMailbox).map((provider) => (
          <ProviderCard key={provider} provider={provider} rows={rowsOf(provider)} isOwner={isOwner} />
        ))}
      </div>
      <WhatIsRead />
      {mailboxes.length > 0 && (
        <p class="mt-4">
          <a href="/start#seed-list">Seed addresses</a>
        </p>
      )}
      <HitRates />
    </section>
  );
}

const statusWords: readonly (readonly [Integration["status"], string])[] = [
  ["connected", "connected"],
  ["connecting", "connecting"],
  ["trouble", "with a problem"],
  ["reconnect", "to reconnect"],
];

function toConclusion(mailboxes: readonly Integration[]): string {
  if (mailboxes.length === 0) return "Seed mailboxes";
  const words = statusWords.flatMap(([status, word]) => {
    const count = mailboxes.filter((one) => one.status === status).length;
    return count === 0 ? [] : [`${toCount(count)} ${word}`];
  });
  return `Seed mailboxes: ${words.join(", ")}`;
}

function PasswordCard({ rows }: { readonly rows: readonly Integration[] }) {
  return (
    <section class="card provider" aria-label="IMAP mailbox">
      <CardHead title="IMAP mailbox" rows={rows} />
      <p>
        {toList(passwordMailboxes.map(({ label }) => label))} with an app password, or any other IMAP mailbox with its
        password.
      </p>
      <p class="small muted">Passwords are stored encrypted and never shown.</p>
      <button class="btn primary" type="button" onClick={() => goTo(connectAddress)}>
        Connect mailbox
      </button>
    </section>
  );
}

function WhatIsRead() {
  return (
    <details class="small mt-4 measure">
      <summary>What Assay reads in your mailbox</summary>
      <div class="stack-2 mt-2">
        <p>
          Assay reads the list of folders. For new mail, it also reads the headers, the arrival time, and up to 96 KB of
          text. When you connect a mailbox, mail from the last hour counts as new. If new mail becomes tests, Assay
          reads whole messages that arrive after you connect the mailbox, and stores them.
        </p>
        <p>
          It never marks mail as read, and never moves, replies to, or deletes it. It doesn’t open links or load images.
          Use dedicated mailboxes, because the password gives access to everything in them.
        </p>
      </div>
    </details>
  );
}
