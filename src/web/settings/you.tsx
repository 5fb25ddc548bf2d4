// The reader's own: who they are, their password, where they are logged in, and what this browser keeps of them.

import { useState } from "preact/hooks";
import { areSingleKeysOn, turnSingleKeys } from "../client/keys.ts";
import { useSession } from "../client/session.ts";
import { Choice } from "../parts/field.tsx";
import { ThemeChoice } from "../parts/theme-choice.tsx";
import { PasswordForm } from "./password.tsx";
import { SectionHead } from "./section.tsx";
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
