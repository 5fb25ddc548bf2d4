// The recipient of an email alert: whether the address has confirmed, and a button to ask again.

import { call } from "../../../web/client/call.ts";
import { useDoing } from "../../../web/client/use-action.ts";
import { Icon } from "../../../web/parts/icon.tsx";
import { ErrorNote, sayDone } from "../../../web/parts/states.tsx";
import { Moment } from "../../../web/parts/text.tsx";
import type { Alert } from "../contract/alerts.ts";

type EmailStateProps = { readonly alert: Alert; readonly put: (alert: Alert) => void };
type Email = NonNullable<Alert["email"]>;

/** Nothing for a webhook, and for an address that has confirmed. */
export function EmailState({ alert: { id, email }, put }: EmailStateProps) {
  const doing = useDoing();
  if (email === null || email.state === "confirmed") return null;
  const ask = () =>
    void doing.run(async () => {
      const asked = await call("POST /api/alerts/:id/confirmation", { params: { id } });
      put(asked);
      if (asked.email?.problem === null) sayDone(`Confirmation email sent to ${email.address}.`);
    });
  const isWaiting = email.state === "pending" && email.problem === null;
  return (
    <>
      <div class={`note ${isWaiting ? "minor" : "critical"} mb-4`}>
        <Icon name={isWaiting ? "minor" : "critical"} />
        <span>
          <EmailWords email={email} />
        </span>
        <button class="btn small" type="button" disabled={doing.isBusy} onClick={ask}>
          {doing.isBusy ? "Sending…" : email.askedAt === null ? "Send confirmation" : "Send again"}
        </button>
      </div>
      {doing.trouble !== null && (
        <div class="mb-4">
          <ErrorNote title="Couldn’t send the confirmation email." message={doing.trouble.message} />
        </div>
      )}
    </>
  );
}

function EmailWords({ email: { address, state, problem, askedAt } }: { readonly email: Email }) {
  if (state === "unsubscribed")
    return (
      <>
        <strong>{address} unsubscribed.</strong> {problem} To send alerts there again, ask the recipient to confirm
        again.
      </>
    );
  if (state === "bounced")
    return (
      <>
        <strong>Mail to {address} bounces.</strong> {problem} When the mailbox works again, send a new confirmation
        email.
      </>
    );
  if (problem !== null)
    return (
      <>
        <strong>The confirmation email wasn’t sent.</strong> {problem}
      </>
    );
  if (askedAt === null) return <strong>{address} hasn’t been asked to confirm.</strong>;
  return (
    <>
      <strong>{address} hasn’t confirmed yet.</strong> A confirmation email was sent <Moment time={askedAt} />. Its link
      works for 48 hours.
    </>
  );
}
