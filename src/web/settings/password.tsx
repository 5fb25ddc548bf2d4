import { ask, type Trouble } from "../client/ask.ts";
import { useDoing } from "../client/doing.ts";
import { Field } from "../parts/field.tsx";
import { sayDone } from "../parts/toast.tsx";
import { TroubleNote, troubleOf } from "./section.tsx";

export function PasswordForm({ onChanged }: { readonly onChanged: () => void }) {
  const { isBusy, trouble, run } = useDoing();
  const change = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const typed = new FormData(form);
    const body = { current: String(typed.get("current")), next: String(typed.get("next")) };
    if (!(await run(() => ask("POST", "/api/auth/password", { body })))) return;
    form.reset();
    onChanged();
    sayDone("Your password is changed. You are logged out everywhere else.");
  };
  const isWrong = trouble?.code === "invalid_credentials";
  return (
    <section class="card stack" aria-labelledby="password">
      <h3 id="password">Password</h3>
      <form class="stack settings-form" onSubmit={(event) => void change(event)}>
        <Field
          label="Your password now"
          name="current"
          type="password"
          autoComplete="current-password"
          required
          error={isWrong ? "This is not your password." : null}
        />
        <Field
          label="New password"
          name="next"
          type="password"
          autoComplete="new-password"
          required
          hint="At least 10 characters. A few words that nobody would put together are best."
          error={troubleOf(trouble, "next", "The new password")}
        />
        {!isWrong && <OtherTrouble trouble={trouble} />}
        <p class="small muted">All your other sessions end with it. Your API tokens stay.</p>
        <button class="btn" type="submit" disabled={isBusy}>
          {isBusy ? "Changing it …" : "Change the password"}
        </button>
      </form>
    </section>
  );
}

function OtherTrouble({ trouble }: { readonly trouble: Trouble | null }) {
  return <TroubleNote trouble={trouble} title="The password is as it was." fields={["next"]} />;
}
