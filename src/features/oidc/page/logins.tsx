// How the reader logs in: a password, organizations, or both.

import { useState } from "preact/hooks";
import { call } from "../../../web/client/call.ts";
import type { AnswerTo } from "../../../web/client/endpoints.ts";
import { usePlace } from "../../../web/client/router.tsx";
import { Note } from "../../../web/parts/states.tsx";
import { Moment } from "../../../web/parts/text.tsx";
import { ConfirmDoing, FormDialog, OwnPassword } from "../../../web/settings/parts.tsx";
import { type LogInProblem, logInProblems } from "../words.ts";

type LogIns = AnswerTo<"GET /api/identities">;
type Identity = LogIns["items"][number];
type Connectable = LogIns["connectable"][number];

/** Nothing where no organization is used. */
export function LogInList({ logIns, onChanged }: { readonly logIns: LogIns; readonly onChanged: () => void }) {
  const [left, setLeft] = useState<Identity | null>(null);
  const [chosen, setChosen] = useState<Connectable | null>(null);
  const { items, password, connectable } = logIns;
  if (items.length + connectable.length === 0) return null;
  return (
    <section class="card flush" aria-labelledby="logins">
      <div class="settings-top rule">
        <h3 id="logins">How you log in</h3>
      </div>
      <ConnectProblem logIns={logIns} />
      <ul class="plain">
        {password && (
          <li>
            <strong>Password</strong>
          </li>
        )}
        {items.map((identity) => (
          <li key={identity.id}>
            <span>
              <strong>{identity.label}</strong>
              <span class="settings-sub">
                {identity.email !== null && <>{identity.email}, </>}last login <Moment time={identity.lastLoginAt} />
                {identity.issuer === null && ". This server no longer uses it."}
              </span>
            </span>
            {(password || items.length > 1) && (
              <button class="btn small danger" type="button" onClick={() => setLeft(identity)}>
                Disconnect<span class="vh"> {identity.label}</span>
              </button>
            )}
          </li>
        ))}
        {connectable.map((issuer) => (
          <li key={issuer.name}>
            <span>
              <strong>{issuer.label}</strong>
              <span class="settings-sub">Not connected</span>
            </span>
            <button class="btn small" type="button" onClick={() => setChosen(issuer)}>
              Connect<span class="vh"> {issuer.label}</span>
            </button>
          </li>
        ))}
      </ul>
      {left && <Disconnect identity={left} onClose={() => setLeft(null)} onDone={onChanged} />}
      {chosen && <Connect issuer={chosen} asksPassword={password} onClose={() => setChosen(null)} />}
    </section>
  );
}

function ConnectProblem({ logIns: { items, connectable } }: { readonly logIns: LogIns }) {
  const { query } = usePlace();
  const code = query.get("problem") ?? "";
  if (!Object.hasOwn(logInProblems, code)) return null;
  const { title, text } = logInProblems[code as LogInProblem];
  const at = query.get("at");
  const known = [...connectable, ...items.map(({ issuer: name, label }) => ({ name, label }))];
  const label = known.find(({ name }) => name === at)?.label ?? "your organization";
  return (
    <div class="settings-top" role="alert">
      <Note tone="minor">
        <strong>{title}.</strong> {text(label)}
      </Note>
    </div>
  );
}

type DisconnectProps = { readonly identity: Identity; readonly onClose: () => void; readonly onDone: () => void };

function Disconnect({ identity: { id, label }, onClose, onDone }: DisconnectProps) {
  return (
    <ConfirmDoing
      title={`Disconnect ${label}?`}
      action="Disconnect"
      act={() => call("DELETE /api/identities/:id", { params: { id } })}
      done={`${label} disconnected.`}
      failed={`Couldn’t disconnect ${label}.`}
      onClose={onClose}
      onDone={onDone}
    >
      <p>
        You can’t log in with {label} anymore. Workspaces that you have access to because of your groups there are no
        longer open to you, and your API tokens in them end.
      </p>
    </ConfirmDoing>
  );
}

type ConnectProps = { readonly issuer: Connectable; readonly asksPassword: boolean; readonly onClose: () => void };

function Connect({ issuer: { name, label }, asksPassword, onClose }: ConnectProps) {
  const connect = async (typed: FormData) => {
    const password = asksPassword ? { password: String(typed.get("password")) } : {};
    const { path } = await call("POST /api/identities", { body: { issuer: name, ...password } });
    window.location.assign(path);
  };
  return (
    <FormDialog
      title={`Connect ${label}`}
      action="Continue"
      asksPassword
      act={connect}
      failed={`Couldn’t connect ${label}.`}
      onClose={onClose}
    >
      <p>You log in at {label} next. After that, you can log in to Assay with it.</p>
      {asksPassword && <OwnPassword label="Your Assay password" />}
    </FormDialog>
  );
}
