// The secret of a JSON webhook. The server sends it only once, so the page keeps it until the reader has copied it.

import { Copyable } from "../../../web/parts/copy.tsx";
import { Icon } from "../../../web/parts/icon.tsx";
import { Away } from "../../../web/parts/text.tsx";

const fresh = new Map<string, string>();

/** The page of the alert shows it. */
export function holdSecret(alertId: string, secret: string): void {
  fresh.set(alertId, secret);
}

export function readSecret(alertId: string): string | null {
  return fresh.get(alertId) ?? null;
}

const example = `import { Webhook } from "standardwebhooks";

// body: the raw request body. verify() throws if the signature is invalid.
const event = new Webhook(process.env.ASSAY_SECRET).verify(body, headers);`;

type SecretCardProps = { readonly alertId: string; readonly secret: string; readonly onKept: () => void };

export function SecretCard({ alertId, secret, onKept }: SecretCardProps) {
  const keep = () => {
    fresh.delete(alertId);
    onKept();
  };
  return (
    <section class="seen-now card good stack mb-4" aria-labelledby="secret-title">
      <h2 id="secret-title" class="t4">
        <span class="tone">
          <Icon name="good" />
        </span>{" "}
        Copy the webhook’s secret now
      </h2>
      <p class="muted">It won’t be shown again. Your receiver needs it to verify that messages come from Assay.</p>
      <Copyable text={secret} what="the secret" />
      <details>
        <summary>How to verify a message</summary>
        <div class="stack mt-3">
          <p class="muted">
            Each message has the headers <code>webhook-id</code>, <code>webhook-timestamp</code> and{" "}
            <code>webhook-signature</code>, as defined by{" "}
            <Away url="https://www.standardwebhooks.com/">Standard Webhooks</Away>. Libraries exist for most languages.
            In JavaScript:
          </p>
          <Copyable text={example} what="the example" />
          <p class="muted">
            If a response is lost, Assay sends the same <code>webhook-id</code> again. Process each ID only once.
          </p>
        </div>
      </details>
      <p>
        <button class="btn" type="button" onClick={keep}>
          I’ve copied it
        </button>
      </p>
    </section>
  );
}
