import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { call, Trouble } from "../../../web/client/call.ts";
import type { AnswerTo } from "../../../web/client/endpoints.ts";
import { useLoaded } from "../../../web/client/loading.ts";
import { toReturnPath } from "../../../web/client/return-path.ts";
import { usePlace, useTitle } from "../../../web/client/router.tsx";
import { troubleAt, useDoing } from "../../../web/client/use-action.ts";
import { Field } from "../../../web/parts/form.tsx";
import { ErrorNote } from "../../../web/parts/states.tsx";
import { Command } from "../../../web/parts/text.tsx";
import { Brand } from "../../../web/shell.tsx";
import { SecondStep } from "./second-step.tsx";

type LogInWays = AnswerTo<"GET /api/login-ways">;
type LogInProps = { readonly onLoggedIn: (next: string) => void };

/** What another way to log in shows to people whom it leads back here. Null: they come from elsewhere. */
type ReadReturn = (query: URLSearchParams, ways: LogInWays | null, next: string) => Returned | null;
type Returned = { readonly note: ComponentChildren; readonly form: ComponentChildren };

export function LogInPage({ onLoggedIn, readReturn }: LogInProps & { readonly readReturn?: ReadReturn }) {
  useTitle("Log in");
  const { query } = usePlace();
  const { loaded } = useLoaded("log-in ways", (signal) => call("GET /api/login-ways", { signal }));
  // Invitations and password resets lead here, too.
  const [isSecond, setSecond] = useState(query.has("second-factor"));
  const ways = loaded.value;
  const next = toReturnPath(query.get("next"));
  const returned = readReturn?.(query, ways, next) ?? null;
  if (isSecond)
    return (
      <main class="alone" id="main" tabIndex={-1}>
        <Brand />
        <h1>Second factor</h1>
        <SecondStep onLoggedIn={() => onLoggedIn(next)} onBack={() => setSecond(false)} />
      </main>
    );
  const given = { next, onLoggedIn, onSecondFactor: () => setSecond(true) };
  return (
    <main class="alone" id="main" tabIndex={-1}>
      <Brand />
      <h1>Log in</h1>
      {returned?.note}
      {returned === null && query.has("next") && <p class="muted">Log in to continue.</p>}
      {returned === null && query.has("out") && (
        <p class="muted" role="status">
          You’re logged out.
        </p>
      )}
      {/* The password form waits for the ways, so that it doesn't move or vanish. A server that fails has it, too. */}
      {returned?.form ?? (loaded.state !== "loading" && <AllWays ways={ways} {...given} />)}
    </main>
  );
}

type StepProps = LogInProps & { readonly next: string; readonly onSecondFactor: () => void };

function AllWays({ ways, ...step }: StepProps & { readonly ways: LogInWays | null }) {
  const issuers = ways?.issuers ?? [];
  const isByEmail = ways?.resetByEmail ?? false;
  const form = (
    <>
      <PasswordForm {...step} isFirst={issuers.length === 0} />
      {isByEmail && (
        <p class="small">
          <a href="/forgot-password">Forgot your password?</a>
        </p>
      )}
    </>
  );
  const help = isByEmail ? <NoAccountHelp /> : <Help />;
  if (issuers.length === 0)
    return (
      <>
        {form}
        {help}
      </>
    );
  return (
    <>
      <IssuerButtons issuers={issuers} next={step.next} />
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
          {help}
        </>
      )}
    </>
  );
}

function IssuerButtons({ issuers, next }: { readonly issuers: LogInWays["issuers"]; readonly next: string }) {
  return (
    <div class="stack">
      {issuers.map(({ name, label, path }) => (
        <a key={name} class="btn primary wide" href={`${path}?${new URLSearchParams({ next })}`}>
          Log in with {label}
        </a>
      ))}
    </div>
  );
}

/** `isFirst`: there is no other way, so its button stands out. */
function PasswordForm({ next, onLoggedIn, onSecondFactor, isFirst }: StepProps & { readonly isFirst: boolean }) {
  const { isBusy, trouble, run } = useDoing();
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget as HTMLFormElement);
    void run(async () => {
      const body = { email: String(typed.get("email")), password: String(typed.get("password")) };
      try {
        await call("POST /api/auth/login", { body });
      } catch (error) {
        if (error instanceof Trouble && error.code === "second_factor_required") return onSecondFactor();
        throw error;
      }
      onLoggedIn(next);
    });
  };
  return (
    <form class="stack" onSubmit={send}>
      {trouble && trouble.field === null && <ErrorNote title="Login failed." message={trouble.message} />}
      <Field
        label="Email address"
        name="email"
        type="email"
        autoComplete="username"
        required
        error={troubleAt(trouble, "email")}
      />
      <Field
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        required
        error={troubleAt(trouble, "password")}
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
        Ask your administrator. To create the first account on a new server, open the setup link from the terminal, or
        print a new one: <Command line="setup-link" />. To reset a password: <Command line="user reset-password" />.
        Workspace owners can invite members.
      </p>
    </details>
  );
}

/** Where people reset their passwords themselves. */
function NoAccountHelp() {
  return (
    <details class="small muted">
      <summary>No account yet?</summary>
      <p>
        Ask a workspace owner to invite you. To create the first account on a new server, open the setup link from the
        terminal, or print a new one: <Command line="setup-link" />.
      </p>
    </details>
  );
}
