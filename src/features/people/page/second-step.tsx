// The second step of a login: a code, a passkey, or a recovery code.

import { useEffect, useState } from "preact/hooks";
import { call } from "../../../web/client/call.ts";
import { useDoing } from "../../../web/client/use-action.ts";
import { Field } from "../../../web/parts/form.tsx";
import { ErrorNote, Skeleton } from "../../../web/parts/states.tsx";
import { Command } from "../../../web/parts/text.tsx";
import { askPasskey } from "./passkeys.ts";

type Offer = Awaited<ReturnType<typeof offer>>;
type Way = "code" | "passkey" | "recovery";

const offer = () => call("POST /api/auth/second-factor/options");

export function SecondStep({ onLoggedIn, onBack }: { readonly onLoggedIn: () => void; readonly onBack: () => void }) {
  const [offered, setOffered] = useState<Offer | null>(null);
  const [chosen, setChosen] = useState<Way | null>(null);
  const loading = useDoing();
  const sending = useDoing();
  const load = () => void loading.run(async () => setOffered(await offer()));
  useEffect(load, []);
  const back = (
    <button class="btn ghost wide" type="button" onClick={onBack}>
      Back to the password
    </button>
  );
  if (loading.trouble !== null)
    return (
      <div class="stack">
        <ErrorNote title="Login failed." message={loading.trouble.message} />
        {back}
      </div>
    );
  if (offered === null) return <Skeleton lines={3} what="your second factors" />;
  const way = chosen ?? (offered.totp ? "code" : offered.passkey !== null ? "passkey" : "recovery");

  const send = (body: Parameters<typeof logIn>[0]) =>
    void sending.run(async () => {
      await logIn(body);
      onLoggedIn();
    });
  const usePasskey = () =>
    void sending.run(async () => {
      // A challenge works once.
      const { passkey } = await offer();
      await logIn({ passkey: await askPasskey(passkey ?? {}) });
      onLoggedIn();
    });
  return (
    <div class="stack">
      {sending.trouble && <ErrorNote title="Login failed." message={sending.trouble.message} />}
      {way === "passkey" ? (
        <button class="btn primary wide" type="button" disabled={sending.isBusy} onClick={usePasskey}>
          {sending.isBusy ? "Waiting for your passkey…" : "Use your passkey"}
        </button>
      ) : (
        <CodeForm way={way} isBusy={sending.isBusy} onSend={send} />
      )}
      <Others offered={offered} way={way} onChoose={setChosen} />
      {back}
    </div>
  );
}

function logIn(body: { code: string } | { recoveryCode: string } | { passkey: Record<string, unknown> }) {
  return call("POST /api/auth/second-factor", { body });
}

type CodeFormProps = {
  readonly way: "code" | "recovery";
  readonly isBusy: boolean;
  readonly onSend: (body: { code: string } | { recoveryCode: string }) => void;
};

function CodeForm({ way, isBusy, onSend }: CodeFormProps) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget as HTMLFormElement).get("code"));
    onSend(way === "code" ? { code: typed } : { recoveryCode: typed });
  };
  return (
    <form class="stack" onSubmit={submit} key={way}>
      {way === "code" ? (
        <Field
          label="Code"
          name="code"
          autoComplete="one-time-code"
          required
          hint="The six digits in your authenticator app."
        />
      ) : (
        <Field
          label="Recovery code"
          name="code"
          autoComplete="off"
          required
          hint="One of the codes that you saved when you added your second factor. Each works once."
        />
      )}
      <button class="btn primary wide" type="submit" disabled={isBusy}>
        {isBusy ? "Logging in…" : "Log in"}
      </button>
    </form>
  );
}

type OthersProps = { readonly offered: Offer; readonly way: Way; readonly onChoose: (way: Way) => void };

function Others({ offered, way, onChoose }: OthersProps) {
  const others: readonly (readonly [Way, string, boolean])[] = [
    ["code", "Use your authenticator app", offered.totp],
    ["passkey", "Use a passkey", offered.passkey !== null],
    ["recovery", "Use a recovery code", offered.recoveryCodesLeft > 0],
  ];
  return (
    <details class="small muted">
      <summary>Log in another way</summary>
      {others.map(([other, label, isThere]) =>
        isThere && other !== way ? (
          <p key={other}>
            <button class="btn small" type="button" onClick={() => onChoose(other)}>
              {label}
            </button>
          </p>
        ) : null,
      )}
      <p>
        Lost your phone and your recovery codes? Ask your administrator to run{" "}
        <Command line="user reset-second-factor" />.
      </p>
    </details>
  );
}
