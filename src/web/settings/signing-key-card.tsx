import type { SigningKey } from "../../api/sends.ts";
import { toDay } from "../client/words.ts";
import { Copyable } from "../parts/copy.tsx";
import { Badge } from "../parts/tone.tsx";

const algorithmNames: Readonly<Record<SigningKey["algorithm"], string>> = {
  rsa: "RSA, 2,048 bits",
  ed25519: "Ed25519",
};

type CardProps = {
  readonly signingKey: SigningKey;
  readonly onLookAgain: () => void;
  readonly onDelete: () => void;
};

export function SigningKeyCard({ signingKey, onLookAgain, onDelete }: CardProps) {
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
