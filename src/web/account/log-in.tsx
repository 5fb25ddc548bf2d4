import { useState } from "preact/hooks";
import { call, type Trouble } from "../client/call.ts";
import { useLoaded } from "../client/loading.ts";
import { usePlace, useTitle } from "../client/router.tsx";
import { toReturnPath } from "../client/session.ts";
import { Field } from "../parts/form.tsx";
import { ErrorNote } from "../parts/states.tsx";
import { Brand } from "../shell.tsx";
import { IssuerButtons, LinkForm, ProblemNote, readProblem, type Ways } from "./organization.tsx";

type LogInProps = { readonly onLoggedIn: (next: string) => void };

export function LogInPage({ onLoggedIn }: LogInProps) {
  useTitle("Log in");
  const { query } = usePlace();
  const { loaded } = useLoaded("log-in ways", (signal) => call("GET /api/login-ways", { signal }));
  const ways = loaded.value;
  const problem = readProblem(query, ways);
  const next = toReturnPath(query.get("next"));
  return (
    <main class="alone" id="main" tabIndex={-1}>
      <Brand />
      <h1>Log in</h1>
      {problem !== null && <ProblemNote problem={problem} next={next} />}
      {problem === null && query.has("next") && <p class="muted">Log in to continue.</p>}
      {problem === null && query.has("out") && (
        <p class="muted" role="status">
          You’re logged out.
        </p>
      )}
      {problem?.code === "account_exists" ? (
        <LinkForm />
      ) : (
        // The password form waits for the ways, so that it doesn't move or vanish. A server that fails has it, too.
        loaded.state !== "loading" && <AllWays ways={ways} next={next} onLoggedIn={onLoggedIn} />
      )}
    </main>
  );
}

function AllWays({
  ways,
  next,
  onLoggedIn,
}: LogInProps & { readonly ways: Ways | null; readonly next: string }) {
  const issuers = ways?.issuers ?? [];
  const form = <PasswordForm next={next} onLoggedIn={onLoggedIn} isFirst={issuers.length === 0} />;
  if (issuers.length === 0)
    return (
      <>
        {form}
        <Help />
      </>
    );
  return (
    <>
      <IssuerButtons issuers={issuers} next={next} />
      {ways?.passwords === "emergency" ? (
        <details class="small">
          <summary>Emergency login</summary>
          <p class="muted mt-3 mb-4">
            For emergency accounts, when your organization’s login isn’t available. Each use is logged.
          </p>
          {form}
        </details>
      ) : (
        <>
          <p class="muted">or with a password</p>
          {form}
          <Help />
        </>
      )}
    </>
  );
}

/** `isFirst`: there is no other way, so its button stands out. */
function PasswordForm({
  next,
  onLoggedIn,
  isFirst,
}: LogInProps & { readonly next: string; readonly isFirst: boolean }) {
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
      onLoggedIn(next);
    } catch (error) {
      setTrouble(error as Trouble);
      setBusy(false);
    }
  };

  const fieldError = (name: string) => (trouble?.field === name ? trouble.message : null);
  return (
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
      <button class={isFirst ? "btn primary wide" : "btn wide"} type="submit" disabled={isBusy}>
        {isBusy ? "Logging in…" : "Log in"}
      </button>
    </form>
  );
}

function Help() {
  return (
    <details class="small muted">
      <summary>No account yet? Forgot your password?</summary>
      <p>
        Ask your administrator. To create the first account on a new server, open the setup link from the
        terminal, or print a new one: <code>npm run -s assay -- setup-link</code>. To reset a password:{" "}
        <code>npm run -s assay -- user reset-password</code>. Workspace owners can invite members.
      </p>
    </details>
  );
}
