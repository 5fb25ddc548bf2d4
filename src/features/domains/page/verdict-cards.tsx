// The four verdicts, each with its meaning and the record found.

import { toSentence } from "../../../web/client/words.ts";
import { Moment, Words } from "../../../web/parts/text.tsx";
import { type Tone, tones } from "../../../web/parts/tone.tsx";
import { toAnchor } from "../../../web/report/findings.ts";
import type { Finding } from "../../tests/contract/judgment.ts";
import type { CheckedDomain } from "../contract/domains.ts";
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
  spf: "Allowed senders",
  dkim: "Signing keys",
  dmarc: "Policy for spoofed mail",
  bimi: "Brand logo",
};

/** The most informative checks of a mechanism without issues. */
const telling: Readonly<Record<Mechanism, readonly string[]>> = {
  spf: ["spf-lookups", "spf-record"],
  dkim: ["dkim-selectors", "dkim-key"],
  dmarc: ["dmarc-policy", "dmarc-record"],
  bimi: ["bimi-record", "bimi-logo"],
};

export function VerdictCards({ domain }: { readonly domain: CheckedDomain }) {
  return (
    <section class="grid g4" id="verdicts" aria-label="Status">
      {verdictMechanisms.map((mechanism) => (
        <VerdictCard key={mechanism} mechanism={mechanism} domain={domain} />
      ))}
    </section>
  );
}

type CardProps = { readonly mechanism: Mechanism; readonly domain: CheckedDomain };

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

type MeaningProps = { readonly mechanism: Mechanism; readonly verdict: Verdict; readonly findings: readonly Finding[] };

function Meaning({ mechanism, verdict, findings }: MeaningProps) {
  const [worst] = findings
    .filter(({ severity }) => severity !== "good")
    .toSorted((a, b) => rankOf(a.severity) - rankOf(b.severity));
  const good = telling[mechanism].flatMap((id) => findings.filter(({ check }) => check === id));
  const shown = worst ?? good[0] ?? findings[0];
  if (!shown) return verdict === "missing" ? <p class="small muted">None found.</p> : null;
  const isIssue = shown.severity !== "good" && shown.severity !== "info";
  return (
    <p class="small muted">
      {isIssue && <a href={`#${toAnchor(shown.id)}`}>{shown.title}</a>}
      <span class={isIssue ? "under" : undefined}>
        <Words text={shown.summary} />
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

type Detail = NonNullable<CheckedDomain["details"]>[string];

/** The last known result still applies. */
function Silence({ unknown, lastKnown }: Pick<Detail, "unknown" | "lastKnown">) {
  const why = toSentence(unknown ?? "no DNS response");
  if (lastKnown === null) return <p class="small muted">{why}. Never checked successfully.</p>;
  return (
    <p class="small muted">
      {why}. Last result: {toVerdictWord(lastKnown.verdict).toLowerCase()}, <Moment time={lastKnown.at} />.
    </p>
  );
}

// The facts of a domain in words. Each mechanism has its own shape of facts, which the API doesn't guarantee, so
// unexpected values are ignored.

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.flatMap((one) => textOf(one) ?? []) : [];
}

/** The value of a known fact. */
function knownOf(fact: unknown): unknown {
  const { known, value } = fieldsOf(fact);
  return known === true ? value : null;
}

type Key = {
  readonly selector: string;
  /** Its type, and how Assay found it. */
  readonly says: string;
};

const sourceWords: Readonly<Record<string, string>> = {
  configured: "set by you",
  seen: "learned from your test mail",
  probed: "common selector",
};

function toKeys(facts: unknown): readonly Key[] {
  return listOf(facts).flatMap((key) => {
    const selector = textOf(key.selector);
    if (selector === null) return [];
    const words = [
      textOf(key.type),
      typeof key.bits === "number" ? `${key.bits} bits` : null,
      key.revoked === true ? "revoked" : null,
      textsOf(key.records).length === 0 ? "not found" : null,
      sourceWords[textOf(key.source) ?? ""] ?? null,
    ];
    return [{ selector, says: words.filter((word) => word !== null).join(", ") }];
  });
}

const readers: Readonly<Record<string, (facts: Fields) => string | null>> = {
  mx: (facts) => {
    if (facts.nullMx === true) return "Null MX: accepts no mail";
    const names = listOf(facts.hosts).flatMap(({ name }) => textOf(name) ?? []);
    return names.length === 0 ? "No MX record" : names.join(", ");
  },
  mtaSts: ({ records, policy }) => {
    if (textsOf(records).length === 0) return "No policy published";
    const { mode } = fieldsOf(fieldsOf(knownOf(policy)).policy);
    return textOf(mode) === null ? "Published" : `Mode ${mode}`;
  },
  tlsRpt: ({ rua }) => {
    const targets = textsOf(rua).map((uri) => uri.replace(/^mailto:/, ""));
    return targets.length === 0 ? "No report address" : `To ${targets.join(", ")}`;
  },
  dnssec: ({ bogus, signed }) => {
    if (bogus === true) return "Invalid signatures";
    return signed === true ? "Signed" : "Not signed";
  },
  dane: ({ hosts }) => {
    const all = listOf(hosts).map(({ fact }) => fieldsOf(knownOf(fact)));
    const having = all.filter(({ records }) => Array.isArray(records) && records.length > 0);
    if (having.length === 0) return "No TLSA records";
    return `TLSA records for ${having.length} of ${all.length} MX hosts`;
  },
};

/** Null: unknown. */
export function toFound(mechanism: string, facts: unknown): string | null {
  return facts === null ? null : (readers[mechanism]?.(fieldsOf(facts)) ?? null);
}
