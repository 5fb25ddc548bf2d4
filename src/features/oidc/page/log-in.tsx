// Login with an organization: its buttons, what went wrong there, and connecting an account that was here before.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { call, type Trouble } from "../../../web/client/call.ts";
import { Field } from "../../../web/parts/form.tsx";
import { ErrorNote, Note } from "../../../web/parts/states.tsx";
import { type LogInProblem, logInProblems } from "../words.ts";

export type Ways = {
  readonly passwords: "everyone" | "emergency";
  readonly resetByEmail: boolean;
  readonly issuers: readonly { readonly name: string; readonly label: string; readonly path: string }[];
};

/** `path`: null if this server has no such issuer. */
type Problem = { readonly code: LogInProblem; readonly label: string; readonly path: string | null };

/** From the URL, which anyone can make up, so only known codes and issuers count. */
export function readProblem(query: URLSearchParams, ways: Ways | null): Problem | null {
  const code = query.get("problem");
  if (code === null || !Object.hasOwn(logInProblems, code)) return null;
  const issuer = ways?.issuers.find(({ name }) => name === query.get("at"));
  const { label = "Your organization", path = null } = issuer ?? {};
  return { code: code as LogInProblem, label, path };
}

function toStart(path: string, query: Readonly<Record<string, string>>): string {
  const asked = new URLSearchParams(query).toString();
  return asked === "" ? path : `${path}?${asked}`;
}

const toNext = (next: string) => (next === "/" ? {} : { next });

export function IssuerButtons({ issuers, next }: { readonly issuers: Ways["issuers"]; readonly next: string }) {
  return (
    <div class="stack">
      {issuers.map(({ name, label, path }) => (
        <a key={name} class="btn primary wide" href={toStart(path, toNext(next))}>
          Log in with {label}
        </a>
      ))}
    </div>
  );
}

/** With these, the person may have another account at the issuer. */
const othersMayWork: readonly LogInProblem[] = ["no_role", "no_email", "unverified_email", "taken"];

export function ProblemNote({ problem, next }: { readonly problem: Problem; readonly next: string }) {
  const { code, label, path } = problem;
  const { title, text } = logInProblems[code];
  const words: ComponentChildren = (
    <>
      <strong>{title}.</strong> {text(label)}
      {path !== null && othersMayWork.includes(code) && (
        <>
          {" "}
          <a href={toStart(path, { ...toNext(next), again: "1" })}>Use another account</a>
        </>
      )}
    </>
  );
  return (
    <div role="alert">
      <Note tone={code === "account_exists" ? "info" : "minor"}>{words}</Note>
    </div>
  );
}

/** The person proves that the account is theirs. */
export function LinkForm() {
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const [isBusy, setBusy] = useState(false);
  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    const password = String(new FormData(event.currentTarget as HTMLFormElement).get("password"));
    setTrouble(null);
    setBusy(true);
    try {
      const { path } = await call("POST /api/auth/oidc/link", { body: { password } });
      window.location.assign(path);
    } catch (error) {
      setTrouble(error as Trouble);
      setBusy(false);
    }
  };
  const isWrong = trouble?.code === "invalid_credentials";
  return (
    <form class="stack" onSubmit={send}>
      {trouble && !isWrong && <ErrorNote title="Couldn’t connect your account." message={trouble.message} />}
      <Field
        label="Password of your account"
        name="password"
        type="password"
        autoComplete="current-password"
        required
        error={isWrong ? "Wrong password." : null}
      />
      <button class="btn primary wide" type="submit" disabled={isBusy}>
        {isBusy ? "Connecting…" : "Connect and log in"}
      </button>
      <a class="small" href="/login">
        Back to login
      </a>
    </form>
  );
}
