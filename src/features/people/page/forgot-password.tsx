import { useState } from "preact/hooks";
import { call } from "../../../web/client/call.ts";
import { useLoaded } from "../../../web/client/loading.ts";
import { useTitle } from "../../../web/client/router.tsx";
import { troubleAt, useDoing } from "../../../web/client/use-action.ts";
import { Field } from "../../../web/parts/form.tsx";
import { ErrorNote, LoadNote } from "../../../web/parts/states.tsx";
import { Command } from "../../../web/parts/text.tsx";
import { Brand } from "../../../web/shell.tsx";

/** Says the same for every address, so that it doesn't reveal who has an account. */
export function ForgotPasswordPage() {
  useTitle("Forgot your password?");
  const { loaded, reload } = useLoaded("log-in ways", (signal) => call("GET /api/login-ways", { signal }));
  const [sentTo, setSentTo] = useState<string | null>(null);
  return (
    <main class="alone" id="main" tabIndex={-1}>
      <Brand />
      <h1>{sentTo === null ? "Forgot your password?" : "Check your email"}</h1>
      <LoadNote loaded={loaded} onRetry={reload} lines={3} what="the form" failed="Couldn’t open this page." />
      {loaded.value !== null &&
        (!loaded.value.resetByEmail ? (
          <NotByEmail />
        ) : sentTo === null ? (
          <AddressForm isForEmergency={loaded.value.passwords === "emergency"} onSent={setSentTo} />
        ) : (
          <Sent to={sentTo} onAgain={() => setSentTo(null)} />
        ))}
      <p class="small mt-4">
        <a href="/login">Back to login</a>
      </p>
    </main>
  );
}

type FormProps = { readonly isForEmergency: boolean; readonly onSent: (email: string) => void };

function AddressForm({ isForEmergency, onSent }: FormProps) {
  const { isBusy, trouble, run } = useDoing();
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    const email = String(new FormData(event.currentTarget as HTMLFormElement).get("email"));
    void run(async () => {
      await call("POST /api/auth/reset/request", { body: { email } });
      onSent(email.trim());
    });
  };
  const fieldError = troubleAt(trouble, "email");
  return (
    <form class="stack" onSubmit={send}>
      <p class="muted">
        {isForEmergency
          ? "Only emergency accounts have a password here. If you log in with your organization, reset your password there."
          : "Enter the email address of your account. You’ll get a link to choose a new password."}
      </p>
      {trouble && fieldError === null && <ErrorNote title="Couldn’t send the email." message={trouble.message} />}
      <Field label="Email address" name="email" type="email" autoComplete="username" required error={fieldError} />
      <button class="btn primary wide" type="submit" disabled={isBusy}>
        {isBusy ? "Sending…" : "Email me a link"}
      </button>
    </form>
  );
}

function Sent({ to, onAgain }: { readonly to: string; readonly onAgain: () => void }) {
  return (
    <div class="stack" role="status">
      <p>
        If an account with a password has the address <strong>{to}</strong>, we’ve sent it a link. The link works once,
        for 60 minutes.
      </p>
      <p class="muted">
        No email after a few minutes? Look in your spam folder and check the address. You can get up to three emails an
        hour. If none arrives, ask your administrator to run <Command line="user reset-password" />.
      </p>
      <button class="btn wide" type="button" onClick={onAgain}>
        Use another address or send again
      </button>
    </div>
  );
}

function NotByEmail() {
  return (
    <p>
      This server can’t send password reset emails. Ask your administrator for a reset link. They get one with{" "}
      <Command line="user reset-password" />.
    </p>
  );
}
