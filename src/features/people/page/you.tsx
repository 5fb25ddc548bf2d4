// The reader's account: password, sessions, and preferences stored in this browser.

import type { ComponentType } from "preact";
import { useState } from "preact/hooks";
import { call, Trouble } from "../../../web/client/call.ts";
import type { AnswerTo } from "../../../web/client/endpoints.ts";
import { areSingleKeysOn, turnSingleKeys } from "../../../web/client/keys.ts";
import { useLoaded } from "../../../web/client/loading.ts";
import { useSession } from "../../../web/client/session.ts";
import { troubleAt, useDoing } from "../../../web/client/use-action.ts";
import { toPlural } from "../../../web/client/words.ts";
import { Choice, Field } from "../../../web/parts/form.tsx";
import { sayDone } from "../../../web/parts/states.tsx";
import { Moment } from "../../../web/parts/text.tsx";
import { ThemeChoice } from "../../../web/parts/theme-choice.tsx";
import { ConfirmDoing, Reading, SectionHead, TroubleNote } from "../../../web/settings/parts.tsx";
import type { Session } from "../contract/accounts.ts";
import { toBrowserName } from "./browser-names.ts";
import { SecondFactors } from "./second-factors.tsx";

type LogInListProps = { readonly logIns: AnswerTo<"GET /api/identities">; readonly onChanged: () => void };

export function YouSection({ LogInList }: { readonly LogInList?: ComponentType<LogInListProps> }) {
  const { person } = useSession();
  const sessions = useSessions();
  const { loaded, reload } = useLoaded("identities", (signal) => call("GET /api/identities", { signal }));
  const logIns = loaded.value;
  return (
    <>
      <SectionHead
        title={person.user.name}
        lead={<>Logged in as {person.user.email}. You use the same account in all workspaces.</>}
      />
      <div class="stack">
        {logIns !== null && LogInList && <LogInList logIns={logIns} onChanged={reload} />}
        {/* An account without a password has no form for it. If we can't tell, the server says so. */}
        {loaded.state !== "loading" && logIns?.password !== false && <PasswordForm onChanged={sessions.reload} />}
        {logIns?.password !== false && <SecondFactors />}
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
        <h3 id="browser">Preferences in this browser</h3>
      </div>
      <ul class="plain">
        <li>
          <span>
            <strong>Theme</strong>
            <span class="settings-sub">Auto follows your system setting.</span>
          </span>
          <ThemeChoice />
        </li>
        <li>
          <span>
            <strong>Keyboard shortcuts</strong>
            <span class="settings-sub">
              Press <kbd>?</kbd> to see all of them. Turn them off if you use voice input.
            </span>
          </span>
          <Choice legend="Keyboard shortcuts" options={onOff} value={areOn ? "on" : "off"} onChoose={turn} />
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
    sayDone("Password changed. You’re logged out everywhere else.");
  };
  const isWrong = trouble?.code === "invalid_credentials";
  return (
    <section class="card stack" aria-labelledby="password">
      <h3 id="password">Password</h3>
      <form class="stack settings-form" onSubmit={(event) => void change(event)}>
        <Field
          label="Current password"
          name="current"
          type="password"
          autoComplete="current-password"
          required
          error={isWrong ? "Wrong password." : null}
        />
        <Field
          label="New password"
          name="next"
          type="password"
          autoComplete="new-password"
          required
          hint="At least 10 characters. Three or four unrelated words work well."
          error={troubleAt(trouble, "next")}
        />
        {!isWrong && <OtherTrouble trouble={trouble} />}
        <p class="small muted">You’ll be logged out of all other sessions. Your API tokens keep working.</p>
        <button class="btn" type="submit" disabled={isBusy}>
          {isBusy ? "Changing…" : "Change password"}
        </button>
      </form>
    </section>
  );
}

function OtherTrouble({ trouble }: { readonly trouble: Trouble | null }) {
  return <TroubleNote trouble={trouble} title="Couldn’t change the password." fields={["next"]} />;
}

// The reader's sessions, and how to end them.

function useSessions() {
  return useLoaded("sessions", async (signal) => {
    const { items } = await call("GET /api/sessions", { signal });
    return items;
  });
}

/** A session that has already ended is fine. */
async function end({ id }: Session): Promise<void> {
  try {
    await call("DELETE /api/sessions/:id", { params: { id } });
  } catch (error) {
    if (!(error instanceof Trouble) || error.code !== "not_found") throw error;
  }
}

function SessionList({ reading }: { readonly reading: ReturnType<typeof useSessions> }) {
  const [ended, setEnded] = useState<readonly Session[] | null>(null);
  const others = reading.loaded.value?.filter(({ current }) => !current) ?? [];
  return (
    <section class="card flush" aria-labelledby="sessions">
      <div class="settings-top rule">
        <h3 id="sessions">Your sessions</h3>
        {others.length > 1 && (
          <button class="btn small danger" type="button" onClick={() => setEnded(others)}>
            Log out all other sessions
          </button>
        )}
      </div>
      <Reading reading={reading} what="your sessions">
        {(sessions) => (
          <ul class="plain">
            {sessions.map((session) => (
              <SessionRow key={session.id} session={session} onEnd={() => setEnded([session])} />
            ))}
          </ul>
        )}
      </Reading>
      {ended && <EndSessions sessions={ended} onClose={() => setEnded(null)} onDone={reading.reload} />}
    </section>
  );
}

function SessionRow({ session, onEnd }: { readonly session: Session; readonly onEnd: () => void }) {
  const { agent, address, current, createdAt, lastSeenAt } = session;
  const name = toBrowserName(agent);
  return (
    <li>
      <span>
        <strong title={agent}>{name}</strong>
        <span class="settings-sub">
          {address}, logged in <Moment time={createdAt} />
          {!current && (
            <>
              , last seen <Moment time={lastSeenAt} />
            </>
          )}
        </span>
      </span>
      {current ? (
        <span class="tag">This browser</span>
      ) : (
        <button class="btn small danger" type="button" onClick={onEnd}>
          Log out
          <span class="vh">
            {" "}
            {name} at {address}
          </span>
        </button>
      )}
    </li>
  );
}

type EndProps = { readonly sessions: readonly Session[]; readonly onClose: () => void; readonly onDone: () => void };

function EndSessions({ sessions, onClose, onDone }: EndProps) {
  const [first] = sessions;
  const isOne = sessions.length === 1 && first !== undefined;
  const what = isOne ? toBrowserName(first.agent) : toPlural(sessions.length, "session", "other sessions");
  return (
    <ConfirmDoing
      title={`Log out ${what}?`}
      action="Log out"
      act={() => Promise.all(sessions.map(end))}
      done={isOne ? "Session ended." : "All other sessions ended."}
      failed={isOne ? "Couldn’t end the session." : "Couldn’t end some sessions."}
      onClose={onClose}
      onDone={onDone}
    >
      <p>
        {isOne ? "That browser has" : "Those browsers have"} to log in again. If it wasn’t you, also change your
        password.
      </p>
    </ConfirmDoing>
  );
}
