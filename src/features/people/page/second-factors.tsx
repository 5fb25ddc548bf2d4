// Authenticator apps, passkeys, and recovery codes of the reader's account.

import { useState } from "preact/hooks";
import { call } from "../../../web/client/call.ts";
import { useLoaded } from "../../../web/client/loading.ts";
import { useSession } from "../../../web/client/session.ts";
import { toPlural } from "../../../web/client/words.ts";
import { CopyButton } from "../../../web/parts/copy.tsx";
import { Moment } from "../../../web/parts/text.tsx";
import { Severity } from "../../../web/parts/tone.tsx";
import { Reading, ShownOnce } from "../../../web/settings/parts.tsx";
import type { SecondFactor } from "../contract/second-factors.ts";
import { AddFactor, kindWords, NewCodes, RemoveFactor } from "./second-factor-forms.tsx";

type Kind = SecondFactor["kind"];
type Open =
  | { readonly what: "add"; readonly kind: Kind }
  | { readonly what: "remove"; readonly factor: SecondFactor }
  | { readonly what: "codes" };

export function SecondFactors() {
  const { renew } = useSession();
  const reading = useLoaded("second factors", (signal) => call("GET /api/auth/second-factors", { signal }));
  const [open, setOpen] = useState<Open | null>(null);
  const [codes, setCodes] = useState<readonly string[]>([]);
  const close = () => setOpen(null);
  const change = (fresh: readonly string[] = []) => {
    close();
    if (fresh.length > 0) setCodes(fresh);
    reading.reload();
    void renew();
  };
  return (
    <section class="card stack" aria-labelledby="second-factors" id="second-factor">
      <h3 id="second-factors">Second factor</h3>
      <p class="muted">
        A code from your phone or a passkey, in addition to your password. Someone who learns your password still can’t
        log in.
      </p>
      {codes.length > 0 && <RecoveryCodes codes={codes} onClose={() => setCodes([])} />}
      <Reading reading={reading} what="your second factors">
        {({ items, recoveryCodesLeft, passkeyProblem }) => (
          <>
            {items.length === 0 ? (
              <p>You log in with your password alone.</p>
            ) : (
              <ul class="plain">
                {items.map((factor) => (
                  <FactorRow key={factor.id} factor={factor} onRemove={() => setOpen({ what: "remove", factor })} />
                ))}
                <CodesRow left={recoveryCodesLeft} onNew={() => setOpen({ what: "codes" })} />
              </ul>
            )}
            <p>
              <button class="btn" type="button" onClick={() => setOpen({ what: "add", kind: "totp" })}>
                Add authenticator app
              </button>{" "}
              {passkeyProblem === null && (
                <button class="btn" type="button" onClick={() => setOpen({ what: "add", kind: "passkey" })}>
                  Add passkey
                </button>
              )}
            </p>
            {passkeyProblem !== null && <p class="small muted">{passkeyProblem}</p>}
          </>
        )}
      </Reading>
      {open?.what === "add" && <AddFactor kind={open.kind} onClose={close} onDone={change} />}
      {open?.what === "remove" && <RemoveFactor factor={open.factor} onClose={close} onDone={change} />}
      {open?.what === "codes" && <NewCodes onClose={close} onDone={change} />}
    </section>
  );
}

function FactorRow({ factor, onRemove }: { readonly factor: SecondFactor; readonly onRemove: () => void }) {
  const { kind, name, createdAt, lastUsedAt, usable } = factor;
  return (
    <li>
      <span>
        <strong>{name}</strong>
        <span class="settings-sub">
          {kindWords[kind]}, added <Moment time={createdAt} />
          {lastUsedAt !== null && (
            <>
              , last used <Moment time={lastUsedAt} />
            </>
          )}
        </span>
        {!usable && (
          <Severity tone="minor">
            Its secret was lost with the server’s secret key. Remove it and add it again.
          </Severity>
        )}
      </span>
      <button class="btn small danger" type="button" onClick={onRemove}>
        Remove<span class="vh"> {name}</span>
      </button>
    </li>
  );
}

function CodesRow({ left, onNew }: { readonly left: number; readonly onNew: () => void }) {
  return (
    <li>
      <span>
        <strong>Recovery codes</strong>
        <span class="settings-sub">
          {left === 0 ? "None left. Create new ones." : `${toPlural(left, "code", "codes")} left`}
        </span>
      </span>
      <button class="btn small" type="button" onClick={onNew}>
        Create new codes
      </button>
    </li>
  );
}

function RecoveryCodes({ codes, onClose }: { readonly codes: readonly string[]; readonly onClose: () => void }) {
  return (
    <ShownOnce title="Save your recovery codes" action="I’ve saved them" onClose={onClose}>
      <p class="muted">
        Without your phone or passkey, one of these codes logs you in. Each works once. Keep them in your password
        manager or on paper. They won’t be shown again.
      </p>
      <pre class="code">{codes.join("\n")}</pre>
      <CopyButton text={codes.join("\n")} what="the recovery codes" />
    </ShownOnce>
  );
}
