// The reader's own: who they are, their password, where they are logged in, and what this browser keeps of them.

import { useState } from "preact/hooks";
import { call, type Trouble } from "../client/call.ts";
import { areSingleKeysOn, turnSingleKeys } from "../client/keys.ts";
import { useSession } from "../client/session.ts";
import { useDoing } from "../client/use-action.ts";
import { Choice, Field } from "../parts/field.tsx";
import { ThemeChoice } from "../parts/theme-choice.tsx";
import { sayDone } from "../parts/toast.tsx";
import { SectionHead, TroubleNote, troubleOf } from "./section.tsx";
import { SessionList, useSessions } from "./sessions.tsx";

export function YouSection() {
  const { person } = useSession();
  const sessions = useSessions();
  return (
    <>
      <SectionHead
        title={person.user.name}
        lead={<>You log in as {person.user.email}. Your account is the same in all your workspaces.</>}
      />
      <div class="stack">
        <PasswordForm onChanged={sessions.reload} />
        <Browser />
        <SessionList reading={sessions} />
      </div>
    </>
  );
}

const onOff = [
  { value: "on", label: "On" },
  { value: "off", label: "Off" },
] as const;

function Browser() {
  const [areOn, setOn] = useState(areSingleKeysOn);
  const turn = (value: "on" | "off") => {
    turnSingleKeys(value === "on");
    setOn(value === "on");
  };
  return (
    <section class="card flush" id="keys" aria-labelledby="browser">
      <div class="settings-top rule">
        <h3 id="browser">In this browser</h3>
      </div>
      <ul class="plain">
        <li>
          <span>
            <strong>Theme</strong>
            <span class="settings-sub">Auto follows your system.</span>
          </span>
          <ThemeChoice />
        </li>
        <li>
          <span>
            <strong>Single keys</strong>
            <span class="settings-sub">
              <kbd>/</kbd> searches, <kbd>j</kbd> goes to the next, <kbd>?</kbd> shows them all. Off suits
              speech input.
            </span>
          </span>
          <Choice legend="Single keys" options={onOff} value={areOn ? "on" : "off"} onChoose={turn} />
        </li>
      </ul>
    </section>
  );
}

function PasswordForm({ onChanged }: { readonly onChanged: () => void }) {
  const { isBusy, trouble, run } = useDoing();
  const change = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const typed = new FormData(form);
    const body = { current: String(typed.get("current")), next: String(typed.get("next")) };
    if (!(await run(() => call("POST /api/auth/password", { body })))) return;
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
