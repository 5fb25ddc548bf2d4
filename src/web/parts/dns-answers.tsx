// All DNS answers behind a report, by name. Names with an unanswered lookup come first.

import { useMemo, useState } from "preact/hooks";
import { type DnsAnswer, groupByName, isUnanswered, toAnswerText } from "../../features/tests/words/dns-words.ts";
import { toCount, toDuration, toPlural } from "../client/words.ts";
import { countIn, FindField, Marked } from "./find.tsx";
import { isStatic } from "./static.ts";
import { Severity } from "./tone.tsx";

const mostNames = 15;

export function DnsAnswers({ answers: all }: { readonly answers: readonly DnsAnswer[] }) {
  const [word, setWord] = useState("");
  const [isWhole, setWhole] = useState(isStatic);
  const wanted = word.trim();
  const groups = useMemo(
    () => groupByName(all.filter((one) => wanted === "" || countIn(toFindable(one), wanted) > 0)),
    [all, wanted],
  );
  const shown = isWhole || wanted !== "" ? groups : groups.slice(0, mostNames);
  const open = all.filter(isUnanswered).length;
  const found = groups.reduce((sum, { answers }) => sum + answers.length, 0);
  return (
    <div class="card flush">
      <div class="p-34 rule row between">
        <h3>
          {toPlural(all.length, "DNS lookup", "DNS lookups")}
          {open > 0 && `, ${toCount(open)} unanswered`}
        </h3>
        <FindField
          where="in the DNS responses"
          placeholder="Find a name or record"
          word={word}
          onFind={setWord}
          found={found === 0 ? "No matches" : toPlural(found, "response", "responses")}
        />
      </div>
      {shown.map(({ name, answers }) => (
        <div class="dns-n" key={name}>
          <h4>
            <Marked text={name} word={wanted} />
          </h4>
          {answers.map((answer, index) => (
            <Answer key={`${answer.type}-${index}`} answer={answer} word={wanted} />
          ))}
        </div>
      ))}
      {groups.length === 0 && (
        <p class="p-34 muted">{all.length === 0 ? "No DNS lookups." : "No matching responses."}</p>
      )}
      {groups.length > shown.length && (
        <p class="p-34">
          <button class="btn small" type="button" onClick={() => setWhole(true)}>
            Show all {toCount(groups.length)} names
          </button>
        </p>
      )}
    </div>
  );
}

function toFindable(answer: DnsAnswer): string {
  return `${answer.type} ${answer.name} ${toAnswerText(answer)}`;
}

function Answer({ answer, word }: { readonly answer: DnsAnswer; readonly word: string }) {
  const { type, duration_ms, ttl_seconds, authenticated, aliases } = answer;
  return (
    <div class="dns">
      <strong>{type}</strong>
      <span class="q">
        {isUnanswered(answer) ? (
          <Severity tone="unknown">{toAnswerText(answer)}</Severity>
        ) : (
          <Marked text={toAnswerText(answer)} word={word} />
        )}
        {aliases.length > 0 && <span class="a">via {aliases.join(", ")}</span>}
      </span>
      <span class="m">
        {toDuration(duration_ms)}
        {ttl_seconds !== null && ` · TTL ${toDuration(ttl_seconds * 1_000)}`}
        {authenticated && " · DNSSEC"}
      </span>
    </div>
  );
}
