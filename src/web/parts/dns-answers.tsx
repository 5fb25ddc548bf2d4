// Answers of DNS as they came: a stranger wrote them, and they are text here.

import { useState } from "preact/hooks";
import { toDuration, toPlural } from "../client/words.ts";

type DnsAnswer = {
  readonly name: string;
  readonly type: string;
  readonly status: string;
  readonly durationMs: number;
  readonly ttlSeconds: number | null;
  readonly authenticated: boolean;
  readonly records: readonly Readonly<Record<string, unknown>>[];
};

const mostAnswers = 25;

export function DnsAnswers({ answers }: { readonly answers: readonly DnsAnswer[] }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? answers : answers.slice(0, mostAnswers);
  return (
    <div class="card flush">
      <div class="p-34 rule">
        <h3>{toPlural(answers.length, "answer of DNS", "answers of DNS")}</h3>
      </div>
      {shown.map((answer, index) => (
        <div class="dns" key={`${answer.type}-${answer.name}-${index}`}>
          <strong>{answer.type}</strong>
          <span class="q">{answer.name}</span>
          <span class="m">
            {toDuration(answer.durationMs)}
            {answer.ttlSeconds !== null && ` · TTL ${answer.ttlSeconds}`}
            {answer.authenticated && " · DNSSEC"}
          </span>
          <span class="a">{toAnswerText(answer)}</span>
        </div>
      ))}
      {answers.length > shown.length && (
        <p class="p-34">
          <button class="btn small" type="button" onClick={() => setWhole(true)}>
            Show all {answers.length}
          </button>
        </p>
      )}
    </div>
  );
}

const statusWords: Readonly<Record<string, string>> = {
  nxdomain: "no such name",
  nodata: "no such record",
  timeout: "not answered in time",
  servfail: "the name server failed",
  refused: "refused",
};

function toAnswerText({ status, records }: DnsAnswer): string {
  if (records.length === 0) return statusWords[status] ?? status;
  return records.map(toRecordText).join("\n");
}

function toRecordText({ type: _, parts, ...fields }: Readonly<Record<string, unknown>>): string {
  if (Array.isArray(parts)) return `"${parts.join("")}"`;
  return Object.values(fields)
    .filter((value) => value !== null && typeof value !== "object")
    .join(" ");
}
