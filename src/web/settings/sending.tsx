// What samples are sent from, and the keys that they are signed with.

import { useState } from "preact/hooks";
import type { DomainSummary } from "../../api/domains.ts";
import type { SeedInbox } from "../../api/seed-inboxes.ts";
import type { SigningKey } from "../../api/sends.ts";
import { call } from "../client/call.ts";
import { useLoaded } from "../client/loading.ts";
import { useDoing } from "../client/use-action.ts";
import { toDay } from "../client/words.ts";
import { Copyable } from "../parts/copy.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Field, FormActs } from "../parts/form.tsx";
import { EmptyState, sayDone } from "../parts/states.tsx";
import { Badge } from "../parts/tone.tsx";
import { ConfirmDoing, Reading, SectionHead, SelectField, TroubleNote, troubleOf } from "./parts.tsx";

export function SendingSection() {
  return (
    <>
      <SectionHead
        title="Sending"
        lead="Assay can send samples to your own seed inboxes, to show how your mail arrives. It writes to nobody else."
      />
      <Senders />
      <SigningKeys />
    </>
  );
}

type PossibleSenders = { readonly inboxes: readonly SeedInbox[]; readonly domains: readonly DomainSummary[] };

async function readSenders(signal: AbortSignal): Promise<PossibleSenders> {
  const [inboxes, domains] = await Promise.all([
    call("GET /api/seed-inboxes", { signal }),
    call("GET /api/domains", { signal }),
  ]);
  return { inboxes: inboxes.items, domains: domains.items };
}

function Senders() {
  const reading = useLoaded("senders", readSenders);
  return (
    <section class="card stack-2" aria-labelledby="senders">
      <h3 id="senders">Samples may be sent from</h3>
      <Reading reading={reading} what="the senders">
        {({ inboxes, domains }) => <SenderList inboxes={inboxes} domains={domains} />}
      </Reading>
    </section>
  );
}

function SenderList({ inboxes, domains }: PossibleSenders) {
  const verified = domains.filter((domain) => domain.verified);
  const others = domains.length - verified.length;
  const receiving = inboxes.filter(({ receives }) => receives);
  return (
    <>
      <dl class="settings-facts">
        <div>
          <dt>Your seed inboxes</dt>
          <dd>
            {receiving.map(({ id, address }) => (
              <code class="settings-each" key={id}>
                {address}
              </code>
            ))}
            {receiving.length === 0 && <span class="muted">None receives mail.</span>}
          </dd>
        </div>
        <div>
          <dt>Domains that are yours</dt>
          <dd>
            {verified.map(({ id, domain }) => (
              <a class="settings-each" key={id} href={`/domains/${id}`}>
                any address at {domain}
              </a>
            ))}
            {verified.length === 0 && <span class="muted">None is proven yet.</span>}
          </dd>
        </div>
      </dl>
      {(verified.length === 0 || others > 0) && (
        <p class="small muted measure">
          A <a href="/domains">monitored domain</a> counts as yours once it publishes the record that its page
          shows.
        </p>
      )}
    </>
  );
}

function SigningKeys() {
  const reading = useLoaded("signing-keys", async (signal) => {
    const { items } = await call("GET /api/signing-keys", { signal });
    return items;
  });
  const [isMaking, setMaking] = useState(false);
  const [deleted, setDeleted] = useState<SigningKey | null>(null);
  const isEmpty = reading.loaded.value?.length === 0;
  const make = (
    <button class="btn" type="button" onClick={() => setMaking(true)}>
      New signing keys
    </button>
  );
  return (
    <section class="mt-7" aria-labelledby="signing-keys">
      <div class="settings-h">
        <div class="sec-h">
          <h3 id="signing-keys">Signing keys</h3>
          <p>
            With a key, samples from your domain bear its DKIM signature: proof that the domain’s owner sent
            them. A key signs once its record stands in DNS.
          </p>
        </div>
        {!isEmpty && make}
      </div>
      <Reading reading={reading} what="the signing keys, each looked up in DNS">
        {(keys) =>
          keys.length === 0 ? (
            <EmptyState icon="lock" title="Samples are not signed yet">
              <p>Make keys for the domain that you send from, and publish the records that you are shown.</p>
              {make}
            </EmptyState>
          ) : (
            <ul class="stack">
              {keys.map((key) => (
                <li key={key.id}>
                  <SigningKeyCard
                    signingKey={key}
                    onLookAgain={reading.reload}
                    onDelete={() => setDeleted(key)}
                  />
                </li>
              ))}
            </ul>
          )
        }
      </Reading>
      {isMaking && <NewSigningKeys onClose={() => setMaking(false)} onDone={reading.reload} />}
      {deleted && (
        <ConfirmDoing
          title={`Delete the key ${deleted.selector} of ${deleted.domain}?`}
          action="Delete"
          act={() => call("DELETE /api/signing-keys/:id", { params: { id: deleted.id } })}
          done={`The key ${deleted.selector} is deleted.`}
          failed="The key is still there."
          onClose={() => setDeleted(null)}
          onDone={reading.reload}
        >
          <p>
            Nothing is signed with it any more. Leave its record in DNS for a few days, until what it signed
            has arrived.
          </p>
        </ConfirmDoing>
      )}
    </section>
  );
}

const both = "both";
const algorithms = [
  { value: both, label: "Both" },
  { value: "rsa", label: "RSA, 2,048 bits" },
  { value: "ed25519", label: "Ed25519" },
] as const;

function NewSigningKeys({ onClose, onDone }: { readonly onClose: () => void; readonly onDone: () => void }) {
  const { isBusy, trouble, run } = useDoing();
  const make = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const domain = String(form.get("domain")).trim();
    const algorithm = form.get("algorithm") as (typeof algorithms)[number]["value"];
    const body = { domain, ...(algorithm === both ? {} : { algorithm }) };
    if (!(await run(() => call("POST /api/signing-keys", { body })))) return;
    onClose();
    onDone();
    sayDone("The keys are made. Publish their records next.");
  };
  return (
    <Dialog title="New signing keys" onClose={onClose}>
      <form class="stack" onSubmit={(event) => void make(event)}>
        <Field
          label="Domain"
          name="domain"
          hint="The one that stands behind the @ of your From address."
          error={troubleOf(trouble, "domain", "The domain")}
        />
        <SelectField
          label="Kind of key"
          name="algorithm"
          hint="All receivers check RSA, few Ed25519, which is newer and shorter. With both, mail is signed twice."
          options={algorithms}
        />
        <TroubleNote trouble={trouble} title="No key was made." fields={["domain"]} />
        <FormActs action="Make the keys" busyAction="Making them …" isBusy={isBusy} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

const algorithmNames: Readonly<Record<SigningKey["algorithm"], string>> = {
  rsa: "RSA, 2,048 bits",
  ed25519: "Ed25519",
};

type CardProps = {
  readonly signingKey: SigningKey;
  readonly onLookAgain: () => void;
  readonly onDelete: () => void;
};

function SigningKeyCard({ signingKey, onLookAgain, onDelete }: CardProps) {
  const { domain, selector, algorithm, record, published, createdAt } = signingKey;
  const named = `${selector} of ${domain}`;
  return (
    <section class="card stack-2" aria-label={`Key ${named}`}>
      <div class="row between">
        <h4>{domain}</h4>
        <Published published={published} />
      </div>
      <p class="small muted">
        Selector <code>{selector}</code>, {algorithmNames[algorithm]}, made {toDay(createdAt)}
      </p>
      {published === true ? (
        <details>
          <summary class="small">The record as it stands in DNS</summary>
          <Record record={record} />
        </details>
      ) : (
        <>
          <p>
            {published === null
              ? "DNS did not answer, so nothing is known. Samples go unsigned until it does."
              : "Publish this record at your DNS provider. Samples are signed from then on."}
          </p>
          <Record record={record} />
        </>
      )}
      <div class="row">
        {published !== true && (
          <button class="btn small" type="button" onClick={onLookAgain}>
            Look again<span class="vh"> for {named}</span>
          </button>
        )}
        <button class="btn small danger" type="button" onClick={onDelete}>
          Delete<span class="vh"> {named}</span>
        </button>
      </div>
    </section>
  );
}

function Published({ published }: Pick<SigningKey, "published">) {
  if (published === null) return <Badge tone="unknown">DNS did not answer</Badge>;
  return published ? <Badge tone="good">Published</Badge> : <Badge tone="minor">Not published</Badge>;
}

function Record({ record: { name, type, value } }: Pick<SigningKey, "record">) {
  return (
    <div class="stack-2 mt-2">
      <p class="label">Name of the {type} record</p>
      <Copyable text={name} what="the record’s name" />
      <p class="label">Value, in one piece</p>
      <Copyable text={value} what="the record’s value" />
    </div>
  );
}
