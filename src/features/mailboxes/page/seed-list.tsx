// All seed addresses: a message sent to them gets a report that shows where it landed.

import { addressOf, call } from "../../../web/client/call.ts";
import { useLiveReload } from "../../../web/client/events.ts";
import { useLoaded } from "../../../web/client/loading.ts";
import { useNear } from "../../../web/client/near.ts";
import { toPlural } from "../../../web/client/words.ts";
import { Copyable, CopyButton } from "../../../web/parts/copy.tsx";
import { EmptyState } from "../../../web/parts/states.tsx";
import { Severity } from "../../../web/parts/tone.tsx";
import { toProviderName } from "../../../web/report/placement-row.ts";
import { Reading } from "../../../web/settings/parts.tsx";
import type { SeedAddress } from "../contract/seed-list.ts";

type ReachableAddress = SeedAddress & { readonly address: string };

export function SeedList() {
  const reading = useLoaded("seed-list", (signal) => call("GET /api/seed-list", { signal }));
  useLiveReload(reading.reload, ({ type }) => type === "integration.changed");
  return (
    <Reading reading={reading} what="the seed addresses">
      {({ items, token }) =>
        items.some(({ kind }) => kind === "mailbox") ? <Addresses addresses={items} token={token} /> : <NoMailbox />
      }
    </Reading>
  );
}

function NoMailbox() {
  return (
    <EmptyState icon="eye" title="No mailbox connected">
      <p>
        Placement is predicted until you connect a mailbox. Connect one at Gmail, Outlook, Yahoo, or another provider to
        see which folder your messages land in.
      </p>
      <a class="btn" href="/integrations?connect=imap">
        Connect mailbox
      </a>
    </EmptyState>
  );
}

type AddressesProps = { readonly addresses: readonly SeedAddress[]; readonly token: string };

function Addresses({ addresses, token }: AddressesProps) {
  const reachable = addresses.filter(
    (one): one is ReachableAddress => one.address !== null && one.status !== "reconnect",
  );
  const all = reachable.map(({ address }) => address);
  return (
    <div class="card flush">
      <ul class="plain seeds">
        {addresses.map((one) => (
          <AddressRow key={one.account} seed={one} />
        ))}
      </ul>
      <div class="seeds-all">
        <p>
          <strong>{toPlural(all.length, "address", "addresses")}</strong>
        </p>
        <div class="row">
          <CopyButton text={`${all.join("\n")}\n`} what="all addresses" label="Copy one per line" />
          <CopyButton text={all.join(", ")} what="all addresses" label="Copy comma-separated" />
          <a class="btn small" href={addressOf("/api/seed-list.txt")} download="seed-list.txt">
            Download .txt
          </a>
        </div>
      </div>
      <details class="seeds-token small">
        <summary>If your email service rewrites messages</summary>
        <div class="stack-2 mt-2">
          <p class="muted">
            Assay matches copies by Message-ID, or by sender and subject. If your service changes those for each
            recipient, add this marker to the message text or to an <code>X-Assay-Id</code> header. Use each marker for
            one message only.
          </p>
          <Copyable text={token} what="the marker" />
        </div>
      </details>
    </div>
  );
}

function AddressRow({ seed }: { readonly seed: SeedAddress }) {
  const { kind, address, account, status } = seed;
  const isInbox = kind === "inbox";
  return (
    <li>
      <div class="seed-at">
        <code class="any">{address ?? account}</code>
        <span class="label">{isInbox ? "Your seed inbox (creates the test)" : toShown(seed)}</span>
      </div>
      {status === "reconnect" ? (
        <span class="row">
          <Severity tone="critical">Access lost</Severity>
          <a class="small" href="/integrations">
            Reconnect
          </a>
        </span>
      ) : address === null ? (
        <Severity tone="unknown">Address unknown</Severity>
      ) : (
        <CopyButton text={address} what={address} />
      )}
    </li>
  );
}

function toShown({ provider }: SeedAddress): string {
  return provider === null ? "Shows placement in this mailbox only" : `Shows placement at ${toProviderName(provider)}`;
}

export function InboxPlacement() {
  const { place, isNear } = useNear<HTMLElement>();
  return (
    <section id="seed-list" aria-labelledby="seed-list-h" ref={place}>
      <div class="sec-h mt-7">
        <h2 id="seed-list-h">Inbox placement</h2>
        <p>
          Send one message to several addresses at once. Your seed inbox creates the test, and your seed mailboxes show
          which folder the message landed in.
        </p>
      </div>
      {isNear && <SeedList />}
    </section>
  );
}
