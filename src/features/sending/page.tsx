// The sender addresses for samples, and the DKIM keys that sign them.

import { useState } from "preact/hooks";
import { call } from "../../web/client/call.ts";
import { useLoaded } from "../../web/client/loading.ts";
import { toDay } from "../../web/client/words.ts";
import { Copyable } from "../../web/parts/copy.tsx";
import { Field } from "../../web/parts/form.tsx";
import { EmptyState } from "../../web/parts/states.tsx";
import { Badge } from "../../web/parts/tone.tsx";
import { ConfirmDoing, FormDialog, Reading, SectionHead, SelectField } from "../../web/settings/parts.tsx";
import type { SigningKey } from "./contract.ts";

export function SamplesSection() {
  const reading = useLoaded("signing-keys", async (signal) => {
    const { items } = await call("GET /api/signing-keys", { signal });
    return items;
  });
  const [isCreating, setCreating] = useState(false);
  const [deleted, setDeleted] = useState<SigningKey | null>(null);
  const isEmpty = reading.loaded.value?.length === 0;
  const createButton = (
    <button class="btn" type="button" onClick={() => setCreating(true)}>
      Create keys
    </button>
  );
  return (
    <>
      <SectionHead
        title="Samples and signing keys"
        lead={
          <>
            Assay sends samples from your seed addresses and <a href="/domains">verified domains</a>, and only to your
            seed addresses. Those from a domain are signed with DKIM once you create a key and publish its record.
          </>
        }
      >
        {!isEmpty && createButton}
      </SectionHead>
      <Reading reading={reading} what="the signing keys">
        {(keys) =>
          keys.length === 0 ? (
            <EmptyState icon="lock" title="No signing keys yet">
              <p>Create keys for your sending domain and publish their DNS records.</p>
              {createButton}
            </EmptyState>
          ) : (
            <ul class="stack">
              {keys.map((key) => (
                <li key={key.id}>
                  <SigningKeyCard signingKey={key} onCheckAgain={reading.reload} onDelete={() => setDeleted(key)} />
                </li>
              ))}
            </ul>
          )
        }
      </Reading>
      {isCreating && <NewSigningKeys onClose={() => setCreating(false)} onDone={reading.reload} />}
      {deleted && (
        <ConfirmDoing
          title={`Delete key ${deleted.selector} for ${deleted.domain}?`}
          action="Delete"
          act={() => call("DELETE /api/signing-keys/:id", { params: { id: deleted.id } })}
          done={`Key ${deleted.selector} deleted.`}
          failed="Couldn’t delete the key."
          onClose={() => setDeleted(null)}
          onDone={reading.reload}
        >
          <p>
            Samples will no longer be signed with it. Leave its record in DNS for a few days, until all signed messages
            have arrived.
          </p>
        </ConfirmDoing>
      )}
    </>
  );
}

const both = "both";
const algorithms = [
  { value: both, label: "Both" },
  { value: "rsa", label: "RSA, 2048 bits" },
  { value: "ed25519", label: "Ed25519" },
] as const;

function NewSigningKeys(shown: { readonly onClose: () => void; readonly onDone: () => void }) {
  const create = (typed: FormData) => {
    const domain = String(typed.get("domain")).trim();
    const algorithm = typed.get("algorithm") as (typeof algorithms)[number]["value"];
    return call("POST /api/signing-keys", { body: { domain, ...(algorithm === both ? {} : { algorithm }) } });
  };
  return (
    <FormDialog
      {...shown}
      title="Create signing keys"
      action="Create keys"
      busyAction="Creating…"
      act={create}
      done="Keys created. Publish their records next."
      failed="Couldn’t create keys."
    >
      <Field label="Domain" name="domain" hint="The part after the @ of your From address." />
      <SelectField
        label="Key type"
        name="algorithm"
        hint="All receivers support RSA. Ed25519 is newer and shorter, but few support it. With both, messages get two signatures."
        options={algorithms}
      />
    </FormDialog>
  );
}

const algorithmNames: Readonly<Record<SigningKey["algorithm"], string>> = { rsa: "RSA, 2048 bits", ed25519: "Ed25519" };

type CardProps = { readonly signingKey: SigningKey; readonly onCheckAgain: () => void; readonly onDelete: () => void };

function SigningKeyCard({ signingKey, onCheckAgain, onDelete }: CardProps) {
  const { domain, selector, algorithm, record, published, createdAt } = signingKey;
  const named = `${selector} of ${domain}`;
  return (
    <section class="card stack-2" aria-label={`Key ${named}`}>
      <div class="row between">
        <h3>{domain}</h3>
        <Published published={published} />
      </div>
      <p class="small muted">
        Selector <code>{selector}</code>, {algorithmNames[algorithm]}, created {toDay(createdAt)}
      </p>
      {published === true ? (
        <details>
          <summary class="small">Published record</summary>
          <Record record={record} />
        </details>
      ) : (
        <>
          <p>
            {published === null
              ? "DNS didn’t respond. Samples won’t be signed until Assay finds this record."
              : "Publish this record at your DNS provider. Assay will then sign your samples."}
          </p>
          <Record record={record} />
        </>
      )}
      <div class="row">
        {published !== true && (
          <button class="btn small" type="button" onClick={onCheckAgain}>
            Check again<span class="vh"> for {named}</span>
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
  if (published === null) return <Badge tone="unknown">No DNS response</Badge>;
  return published ? <Badge tone="good">Published</Badge> : <Badge tone="minor">Not published</Badge>;
}

function Record({ record: { name, type, value } }: Pick<SigningKey, "record">) {
  return (
    <div class="stack-2 mt-2">
      <p class="label">{type} record name</p>
      <Copyable text={name} what="the record name" />
      <p class="label">Value</p>
      <Copyable text={value} what="the record value" />
    </div>
  );
}
