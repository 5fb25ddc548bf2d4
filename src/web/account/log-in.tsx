import { useState } from "preact/hooks";
import { call, Trouble } from "../client/call.ts";
import { usePlace, useTitle } from "../client/router.tsx";
import { toReturnPath } from "../client/session.ts";
import { Field } from "../parts/form.tsx";
import { ErrorNote } from "../parts/states.tsx";
import { Brand } from "../shell.tsx";
import { SecondStep } from "./second-step.tsx";

export function LogInPage({ onLoggedIn }: { readonly onLoggedIn: (next: string) => void }) {
  useTitle("Log in");
  const { query } = usePlace();
  // Invitations and password resets lead here, too.
  const [isSecond, setSecond] = useState(query.has("second-factor"));
  const enter = () => onLoggedIn(toReturnPath(query.get("next")));
  return (
    <main class="alone" id="main" tabIndex={-1}>
      <Brand />
      <h1>{isSecond ? "Second factor" : "Log in"}</h1>
      {isSecond ? (
        <SecondStep onLoggedIn={enter} onBack={() => setSecond(false)} />
      ) : (
        <PasswordStep onLoggedIn={enter} onSecondFactor={() => setSecond(true)} />
      )}
    </main>
  );
}

type PasswordStepProps = { readonly onLoggedIn: () => void; readonly onSecondFactor: () => void };

function PasswordStep({ onLoggedIn, onSecondFactor }: PasswordStepProps) {
  const { query } = usePlace();
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const [isBusy, setBusy] = useState(false);

  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget as HTMLFormElement);
    setTrouble(null);
    setBusy(true);
    try {
      const body = { email: String(typed.get("email")), password: String(typed.get("password")) };
      await call("POST /api/auth/login", { body });
      onLoggedIn();
    } catch (error) {
      if (error instanceof Trouble && error.code === "second_factor_required") return onSecondFactor();
      setTrouble(error as Trouble);
      setBusy(false);
    }
  };

  const fieldError = (name: string) => (trouble?.field === name ? trouble.message : null);
  return (
    <>
      {query.has("next") && <p class="muted">Log in to continue.</p>}
      <form class="stack" onSubmit={send}>
        {trouble && trouble.field === null && <ErrorNote title="Login failed." message={trouble.message} />}
        <Field
          label="Email address"
          name="email"
          type="email"
          autoComplete="username"
          required
          error={fieldError("email")}
        />
        <Field
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
          error={fieldError("password")}
        />
        <button class="btn primary wide" type="submit" disabled={isBusy}>
          {isBusy ? "Logging in…" : "Log in"}
        </button>
      </form>
      <details class="small muted">
        <summary>No account yet? Forgot your password?</summary>
        <p>
          Ask your administrator. To create the first account on a new server, open the setup link from the
          terminal, or print a new one: <code>npm run -s assay -- setup-link</code>. To reset a password:{" "}
          <code>npm run -s assay -- user reset-password</code>. Workspace owners can invite members.
        </p>
      </details>
    </>
  );
}
