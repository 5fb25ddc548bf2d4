// Which stored mail a rule would match, so that a person sees whether it fits.

import { call } from "../../../web/client/call.ts";
import { useLoaded } from "../../../web/client/loading.ts";
import { toCount, toPlural } from "../../../web/client/words.ts";
import { Note } from "../../../web/parts/states.tsx";
import { Moment } from "../../../web/parts/text.tsx";
import type { ExpectedMatch } from "../contract/expected.ts";

export type Match = ExpectedMatch;

export function Preview({ match }: { readonly match: Match }) {
  const { inboxId, label, sender, subjectContains } = match;
  if ((inboxId ?? label ?? sender ?? subjectContains) === null)
    return <Note>Enter a sender, a label, or words of the subject to see which stored mail matches.</Note>;
  return <Matching match={match} />;
}

function Matching({ match }: { readonly match: Match }) {
  const { loaded } = useLoaded(JSON.stringify(match), (signal) =>
    call("POST /api/monitors/expected/preview", { body: { match }, signal }),
  );
  const found = loaded.value;
  if (loaded.state === "failed") return <Note tone="unknown">{loaded.trouble.message}</Note>;
  if (found === null) return <Note>Comparing with stored mail…</Note>;
  if (found.compared === 0) return <Note>No mail was stored in the last 30 days to compare with.</Note>;
  const [newest] = found.newest;
  return (
    <div role="status">
      <Note tone={found.matching === 0 ? "minor" : "info"}>
        {toCount(found.matching)} of {toPlural(found.compared, "message", "messages")} of the last 30 days{" "}
        {found.matching === 1 ? "matches" : "match"}
        {found.isCut && " (only the newest were compared)"}.
        {newest && (
          <>
            {" "}
            Newest: “<bdi>{newest.subject ?? "no subject"}</bdi>”, <Moment time={newest.receivedAt} />.
          </>
        )}
        {found.newestOther !== null && (
          <>
            {" "}
            {toPlural(found.otherWords, "message", "messages")} from this sender didn’t have these words. Newest: “
            <bdi>{found.newestOther.subject ?? "no subject"}</bdi>”, <Moment time={found.newestOther.receivedAt} />.
          </>
        )}
        {found.isTextSkipped && " The words in the text were not compared."}
      </Note>
    </div>
  );
}
