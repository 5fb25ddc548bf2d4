// The four verdicts, each with what it means here and the record that was found.

import type { MonitoredDomain } from "../../api/domains.ts";
import type { Finding } from "../../api/judgment.ts";
import { toSentence } from "../client/words.ts";
import { Moment } from "../parts/moment.tsx";
import { type Tone, tones } from "../parts/tone.tsx";
import { Words } from "../parts/words.tsx";
import { toAnchor } from "../report/findings.ts";
import { toKeys } from "./facts.ts";
import {
  type Mechanism,
  toVerdictTone,
  toVerdictWord,
  type Verdict,
  VerdictBadge,
  verdictMechanisms,
  verdictNames,
} from "./verdicts.tsx";

const glosses: Readonly<Record<Mechanism, string>> = {
  spf: "Who may send",
  dkim: "The keys of its signatures",
  dmarc: "What becomes of forged mail",
  bimi: "The logo beside its mail",
};

/** What tells most of a mechanism that is in order. */
const telling: Readonly<Record<Mechanism, readonly string[]>> = {
  spf: ["spf-lookups", "spf-record"],
  dkim: ["dkim-selectors", "dkim-key"],
  dmarc: ["dmarc-policy", "dmarc-record"],
  bimi: ["bimi-record", "bimi-logo"],
};

export function VerdictCards({ domain }: { readonly domain: MonitoredDomain }) {
  return (
    <section class="grid g4" id="verdicts" aria-label="Verdicts">
      {verdictMechanisms.map((mechanism) => (
        <VerdictCard key={mechanism} mechanism={mechanism} domain={domain} />
      ))}
    </section>
  );
}

type CardProps = { readonly mechanism: Mechanism; readonly domain: MonitoredDomain };

function VerdictCard({ mechanism, domain }: CardProps) {
  const verdict = domain[mechanism];
  const detail = domain.details?.[mechanism];
  return (
    <div class={`card verdict-card ${toVerdictTone(mechanism, verdict)}`}>
      <div class="row between">
        <h2 class="t4">{verdictNames[mechanism]}</h2>
        <VerdictBadge mechanism={mechanism} verdict={verdict} />
      </div>
      <p class="label">{glosses[mechanism]}</p>
      {verdict === "error" && detail ? (
        <Silence unknown={detail.unknown} lastKnown={detail.lastKnown} />
      ) : (
        <Meaning mechanism={mechanism} verdict={verdict} findings={detail?.findings ?? []} />
      )}
      {mechanism === "dkim" ? (
        <Keys facts={detail?.facts ?? null} />
      ) : (
        detail?.record && <pre class="quote">{detail.record}</pre>
      )}
    </div>
  );
}

type MeaningProps = {
  readonly mechanism: Mechanism;
  readonly verdict: Verdict;
  readonly findings: readonly Finding[];
};

function Meaning({ mechanism, verdict, findings }: MeaningProps) {
  const [worst] = findings
    .filter(({ severity }) => severity !== "good")
    .toSorted((a, b) => rankOf(a.severity) - rankOf(b.severity));
  const good = telling[mechanism].flatMap((id) => findings.filter(({ check }) => check === id));
  const told = worst ?? good[0] ?? findings[0];
  if (!told) return verdict === "missing" ? <p class="small muted">None is known.</p> : null;
  const isFault = told.severity !== "good" && told.severity !== "info";
  return (
    <p class="small muted">
      {isFault && <a href={`#${toAnchor(told.id)}`}>{told.title}</a>}
      <span class={isFault ? "under" : undefined}>
        <Words text={told.summary} />
      </span>
    </p>
  );
}

export function rankOf(tone: Tone): number {
  return tones.indexOf(tone);
}

function Keys({ facts }: { readonly facts: unknown }) {
  const keys = toKeys(facts);
  if (keys.length === 0) return null;
  return (
    <dl class="quote key-list">
      {keys.map(({ selector, says }) => (
        <div key={selector}>
          <dt>{selector}</dt>
          <dd>{says}</dd>
        </div>
      ))}
    </dl>
  );
}

type Detail = NonNullable<MonitoredDomain["details"]>[string];

/** What was known before stays in force. */
function Silence({ unknown, lastKnown }: Pick<Detail, "unknown" | "lastKnown">) {
  const why = toSentence(unknown ?? "DNS did not answer");
  if (lastKnown === null) return <p class="small muted">{why}. It was never read so far.</p>;
  return (
    <p class="small muted">
      {why}: not a change. It was {toVerdictWord(lastKnown.verdict).toLowerCase()} when last read,{" "}
      <Moment time={lastKnown.at} />.
    </p>
  );
}
