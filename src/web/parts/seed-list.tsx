// The addresses that one message goes to, so that its report shows where it landed: the seed inbox, and the seed mailboxes.

import { useCallback } from "preact/hooks";
import type { SeedAddress } from "../../api/seed-inboxes.ts";
import { addressOf, call } from "../client/call.ts";
import { useEvents } from "../client/events.ts";
import { useLoaded } from "../client/loading.ts";
import { toPlural } from "../client/words.ts";
import { toProviderName } from "../report/placement-row.ts";
import { Copyable, CopyButton } from "./copy.tsx";
import { EmptyState, ErrorNote, Skeleton } from "./states.tsx";
import { Severity } from "./tone.tsx";

type ReachableAddress = SeedAddress & { readonly address: string };

export function SeedList() {
  const { loaded, reload } = useLoaded("seed-list", (signal) => call("GET /api/seed-list", { signal }));
  useEvents(
    useCallback(
      ({ type }) => {
        if (type === "integration.changed" || type === "reset") reload();
      },
      [reload],
    ),
  );
  const list = loaded.value;
  if (list === null)
    return loaded.state === "failed" ? (
      <ErrorNote title="The addresses were not read." message={loaded.trouble.message} onRetry={reload} />
    ) : (
      <Skeleton lines={4} what="the addresses" />
    );
  if (!list.items.some(({ kind }) => kind === "mailbox")) return <NoMailbox />;
  return <Addresses addresses={list.items} token={list.token} />;
}

function NoMailbox() {
  return (
    <EmptyState icon="eye" title="No seed mailbox is connected">
      <p>
        Where a message lands is only predicted. Connect a mailbox of yours at Gmail, Outlook, Yahoo or
        another provider, and reports show in which folder it was seen.
      </p>
      <a class="btn" href="/integrations?connect=imap">
        Connect a mailbox
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
          <strong>All {toPlural(all.length, "address", "addresses")}:</strong>
        </p>
        <div class="row">
          <CopyButton text={`${all.join("\n")}\n`} what="of all addresses" label="Copy, one a line" />
          <CopyButton text={all.join(", ")} what="of all addresses" label="Copy, with commas" />
          <a class="btn small" href={addressOf("/api/seed-list.txt")} download="seed-list.txt">
            Download .txt
          </a>
        </div>
      </div>
      <details class="seeds-token small">
        <summary>If your sending platform rewrites messages: a mark to put into the text</summary>
        <div class="stack-2 mt-2">
          <p class="muted">
            Copies are known by their Message-ID, or by sender and subject. Where something on the way changes
            those, they are known by this word, anywhere in the text or in a header <code>X-Assay-Id</code>.
            It is good for one message.
          </p>
          <Copyable text={token} what="the mark" />
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
        <span class="label">{isInbox ? "your seed inbox: makes the test" : toShown(seed)}</span>
      </div>
      {status === "reconnect" ? (
        <span class="row">
          <Severity tone="critical">Nothing is seen in it</Severity>
          <a class="small" href="/integrations">
            Connect it again
          </a>
        </span>
      ) : address === null ? (
        <Severity tone="unknown">Its address is not known</Severity>
      ) : (
        <CopyButton text={address} what={address} />
      )}
    </li>
  );
}

function toShown({ provider }: SeedAddress): string {
  return provider === null
    ? "a mailbox that shows its own placement"
    : `shows placement at ${toProviderName(provider)}`;
}
