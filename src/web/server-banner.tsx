// What keeps the server from receiving mail, on every page, with what to do. Each answer of the API says whether there is
// something to show.

import { useEffect, useState } from "preact/hooks";
import { postponedWords } from "../platform/contract/server-state-words.ts";
import { call, watchTrouble } from "./client/call.ts";
import { useLoaded } from "./client/loading.ts";
import { Icon } from "./parts/icon.tsx";
import { Note } from "./parts/states.tsx";

/** Otherwise it would stay on a page that asks for nothing. */
const readAgainMs = 30_000;

export function ServerBanner() {
  const [trouble, setTrouble] = useState("");
  useEffect(() => watchTrouble(setTrouble), []);
  return trouble === "" ? null : <Banner key={trouble} />;
}

function Banner() {
  const { loaded, reload } = useLoaded("server-state", (signal) => call("GET /api/server-state", { signal }));
  useEffect(() => {
    const timer = setInterval(reload, readAgainMs);
    return () => clearInterval(timer);
  }, [reload]);
  const state = loaded.value;
  if (state === null) return null;
  const { items, postponed } = state;
  if (items.length === 0 && postponed.length === 0) return null;
  return (
    <div class="stack mb-4" role="status" aria-label="Server status">
      {items.map(({ code, message, fix, deferred }) => (
        <div key={code} class="note critical">
          <Icon name="critical" />
          <span>
            <strong>{message}</strong>{" "}
            {deferred > 0 && `Deferred so far: ${deferred.toLocaleString()}. Senders try again. `}
            {fix}
          </span>
        </div>
      ))}
      {postponed.length > 0 && items.length === 0 && (
        <Note>
          This server has more to do than it can finish at once:{" "}
          {postponed.map((work) => postponedWords[work]).join(", ")}.
        </Note>
      )}
    </div>
  );
}
