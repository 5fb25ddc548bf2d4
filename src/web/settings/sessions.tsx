// Where the reader is logged in, and how to end that.

import { useState } from "preact/hooks";
import type { Session } from "../../api/accounts.ts";
import { call, Trouble } from "../client/call.ts";
import { useLoaded } from "../client/loading.ts";
import { toPlural } from "../client/words.ts";
import { Moment } from "../parts/moment.tsx";
import { toBrowserName } from "./browser-names.ts";
import { ConfirmDoing } from "./confirm-doing.tsx";
import { Reading } from "./section.tsx";

export function useSessions() {
  return useLoaded("sessions", async (signal) => {
    const { items } = await call("GET /api/sessions", { signal });
    return items;
  });
}

/** One that has ended meanwhile is as it should be. */
async function end({ id }: Session): Promise<void> {
  try {
    await call("DELETE /api/sessions/:id", { params: { id } });
  } catch (error) {
    if (!(error instanceof Trouble) || error.code !== "not_found") throw error;
  }
}

export function SessionList({ reading }: { readonly reading: ReturnType<typeof useSessions> }) {
  const [ended, setEnded] = useState<readonly Session[] | null>(null);
  const others = reading.loaded.value?.filter(({ current }) => !current) ?? [];
  return (
    <section class="card flush" aria-labelledby="sessions">
      <div class="settings-top rule">
        <h3 id="sessions">Where you are logged in</h3>
        {others.length > 1 && (
          <button class="btn small danger" type="button" onClick={() => setEnded(others)}>
            End all others
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
          From {address}, logged in <Moment time={createdAt} />
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
          End
          <span class="vh">
            {" "}
            the session of {name} from {address}
          </span>
        </button>
      )}
    </li>
  );
}

type EndProps = {
  readonly sessions: readonly Session[];
  readonly onClose: () => void;
  readonly onDone: () => void;
};

function EndSessions({ sessions, onClose, onDone }: EndProps) {
  const [first] = sessions;
  const isOne = sessions.length === 1 && first !== undefined;
  const what = isOne
    ? `the session of ${toBrowserName(first.agent)}`
    : toPlural(sessions.length, "session", "other sessions");
  return (
    <ConfirmDoing
      title={`End ${what}?`}
      action="End"
      act={() => Promise.all(sessions.map(end))}
      done={isOne ? "The session is ended." : "All other sessions are ended."}
      failed="Not all could be ended."
      onClose={onClose}
      onDone={onDone}
    >
      <p>
        Whoever uses {isOne ? "it" : "them"} has to log in again. If that was not you, change your password
        too.
      </p>
    </ConfirmDoing>
  );
}
