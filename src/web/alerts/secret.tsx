// The secret of a JSON webhook. The server tells it once: it is held in this page until the reader says that they have it.

import { Copyable } from "../parts/copy.tsx";
import { Icon } from "../parts/icon.tsx";
import { Away } from "../parts/words.tsx";

const fresh = new Map<string, string>();

/** To be shown where the webhook is shown next. */
export function holdSecret(alertId: string, secret: string): void {
  fresh.set(alertId, secret);
}

export function readSecret(alertId: string): string | null {
  return fresh.get(alertId) ?? null;
}

const example = `import { Webhook } from "standardwebhooks";

// body: the text as it came; it throws where the signature does not fit.
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
        This is the webhook’s secret. Copy it now.
      </h2>
      <p class="muted">It is shown this once. With it your program knows that a message is from Assay.</p>
      <Copyable text={secret} what="the secret" />
      <details>
        <summary>How to verify a message</summary>
        <div class="stack mt-3">
          <p class="muted">
            Each message bears <code>webhook-id</code>, <code>webhook-timestamp</code> and{" "}
            <code>webhook-signature</code>, as{" "}
            <Away url="https://www.standardwebhooks.com/">Standard Webhooks</Away> describes them; there are
            libraries for most languages. In JavaScript:
          </p>
          <Copyable text={example} what="the example" />
          <p class="muted">
            The same <code>webhook-id</code> may come twice, when an answer was lost: take it once.
          </p>
        </div>
      </details>
      <p>
        <button class="btn" type="button" onClick={keep}>
          I have copied it
        </button>
      </p>
    </section>
  );
}
