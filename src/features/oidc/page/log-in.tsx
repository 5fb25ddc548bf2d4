// What the login page shows after a login with an organization: what went wrong there, and connecting an account that
// was here before.

import { call } from "../../../web/client/call.ts";
import type { AnswerTo } from "../../../web/client/endpoints.ts";
import { useDoing } from "../../../web/client/use-action.ts";
import { Field } from "../../../web/parts/form.tsx";
import { ErrorNote, Note } from "../../../web/parts/states.tsx";
import { type LogInProblem, logInProblems } from "../words.ts";

type LogInWays = AnswerTo<"GET /api/login-ways">;

/** With these, the person may have another account at the issuer. */
const othersMayWork: readonly LogInProblem[] = ["no_role", "no_email", "unverified_email", "taken"];

/** From the URL, which anyone can make up, so only known codes and issuers count. */
export function readReturn(query: URLSearchParams, ways: LogInWays | null, next: string) {
  const code = query.get("problem");
  if (code === null || !Object.hasOwn(logInProblems, code)) return null;
  const problem = code as LogInProblem;
  const issuer = ways?.issuers.find(({ name }) => name === query.get("at"));
  const { title, text } = logInProblems[problem];
  const note = (
    <div role="alert">
      <Note tone={problem === "account_exists" ? "info" : "minor"}>
        <strong>{title}.</strong> {text(issuer?.label ?? "Your organization")}
        {issuer && othersMayWork.includes(problem) && (
          <>
            {" "}
            <a href={`${issuer.path}?${new URLSearchParams({ next, again: "1" })}`}>Use another account</a>
          </>
        )}
      </Note>
    </div>
  );
  return { note, form: problem === "account_exists" ? <LinkForm /> : null };
}

/** The person proves that the account is theirs. */
function LinkForm() {
  const { isBusy, trouble, run } = useDoing();
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    const password = String(new FormData(event.currentTarget as HTMLFormElement).get("password"));
    void run(async () => window.location.assign((await call("POST /api/auth/oidc/link", { body: { password } })).path));
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
