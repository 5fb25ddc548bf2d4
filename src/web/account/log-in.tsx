import { useState } from "preact/hooks";
import { call, type Trouble } from "../client/call.ts";
import { usePlace, useTitle } from "../client/router.tsx";
import { toReturnPath } from "../client/session.ts";
import { Field } from "../parts/form.tsx";
import { ErrorNote } from "../parts/states.tsx";
import { Brand } from "../shell.tsx";

export function LogInPage({ onLoggedIn }: { readonly onLoggedIn: (next: string) => void }) {
  useTitle("Log in");
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
      onLoggedIn(toReturnPath(query.get("next")));
    } catch (error) {
      setTrouble(error as Trouble);
      setBusy(false);
    }
  };

  const fieldError = (name: string) => (trouble?.field === name ? trouble.message : null);
  return (
    <main class="alone" id="main" tabIndex={-1}>
      <Brand />
      <h1>Log in</h1>
      {query.has("next") && <p class="muted">Then you are back where you were going.</p>}
      <form class="stack" onSubmit={send}>
        {trouble && trouble.field === null && (
          <ErrorNote title="You are not logged in." message={trouble.message} />
        )}
        <Field
          label="E-mail address"
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
          {isBusy ? "Logging in …" : "Log in"}
        </button>
      </form>
      <details class="small muted">
        <summary>No account, or a forgotten password?</summary>
        <p>
          Whoever runs this server can help: <code>assay setup-link</code> makes the first account,{" "}
          <code>assay user reset-password</code> a new password; members are invited by an owner.
        </p>
      </details>
    </main>
  );
}
