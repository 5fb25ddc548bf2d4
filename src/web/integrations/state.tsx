// How a connection fares, in a word with its shape, and since when.

import type { Integration } from "../../api/integrations.ts";
import { Moment } from "../parts/moment.tsx";
import { Badge, type Tone } from "../parts/tone.tsx";

type Look = { readonly tone: Tone; readonly word: string };

const looks: Readonly<Record<NonNullable<Integration["status"]>, Look>> = {
  connecting: { tone: "info", word: "Connecting" },
  connected: { tone: "good", word: "Works" },
  trouble: { tone: "minor", word: "Trouble" },
  reconnect: { tone: "critical", word: "Needs you" },
};

export function ConnectionState({ connection }: { readonly connection: Integration }) {
  const { status, problem, statusSince, server } = connection;
  if (status === null) return null;
  const { tone, word } = looks[status];
  // Of a channel only its webhook knows.
  const since = server === null ? null : statusSince;
  return (
    <div class="conn-state">
      <Badge tone={tone}>{word}</Badge>
      <p class="small">
        {problem ?? calm[status]}{" "}
        {since !== null && status !== "connecting" && (
          <span class="faint">
            Since <Moment time={since} />.
          </span>
        )}{" "}
        {status === "trouble" &&
          (server === null ? <a href="/alerts">Look at its webhook</a> : "Assay tries again by itself.")}
      </p>
    </div>
  );
}

const calm: Readonly<Record<NonNullable<Integration["status"]>, string>> = {
  connecting: "Assay logs in and reads its list of folders.",
  connected: "",
  trouble: "It does not answer as it should.",
  reconnect: "Connect it again.",
};
