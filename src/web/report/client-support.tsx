// How well common email clients support the HTML and CSS of this message, and what each doesn't support.

import { toCount, toDay, toPercent, toPlural } from "../client/words.ts";
import { Severity } from "../parts/tone.tsx";
import type { Eml } from "./content.tsx";

type Support = NonNullable<Eml["client_support"]>;

export function ClientSupport({ support }: { readonly support: Support }) {
  const { programs, features, as_of } = support;
  return (
    <div class="card">
      <h3>Email clients: {toConclusion(support)}</h3>
      {features.length === 0 ? (
        <p class="muted">
          This message uses no HTML or CSS that’s known to behave differently across common email clients.
        </p>
      ) : (
        <>
          <p class="mb-3 muted small">
            Support for {toPlural(features.length, "feature", "features")} in this message that some clients don’t
            support. Based on caniemail.com data from {toDay(as_of)}, not on tests in the clients.
          </p>
          <ul class="supp-l">
            {programs.map(({ name, share }, at) => (
              <Client key={name} name={name} share={share} features={features} at={at} />
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function toConclusion({ programs, features }: Support): string {
  const lacking = programs.filter((_, at) => features.some(({ standings }) => standings[at] === "missing"));
  if (features.length === 0 || lacking.length === 0) return "no known problems";
  return lacking.length === programs.length
    ? "none support everything"
    : `${toCount(lacking.length)} of ${toCount(programs.length)} ${programs.length === 1 ? "lacks" : "lack"} support`;
}

type ClientProps = {
  readonly name: string;
  readonly share: number;
  readonly features: Support["features"];
  readonly at: number;
};

function Client({ name, share, features, at }: ClientProps) {
  const namesOf = (standing: string) =>
    features.flatMap((feature) => (feature.standings[at] === standing ? [feature.name] : []));
  const missing = namesOf("missing");
  const partly = namesOf("partly");
  const unknown = namesOf("unknown");
  const known = features.length - unknown.length;
  const shown = known - missing.length - partly.length;
  const said = [
    { words: "Not supported", names: missing },
    { words: "Partly supported", names: partly },
    { words: "Unknown", names: unknown },
  ].filter(({ names }) => names.length > 0);
  return (
    <li>
      <span>
        {name} <span class="label">about {toPercent(share / 100)} of recipients</span>
      </span>
      <svg aria-hidden="true">
        <rect width="100%" height="100%" rx="2" class="f-none" />
        <rect width={`${known === 0 ? 0 : (shown / features.length) * 100}%`} height="100%" rx="2" class="f-score" />
      </svg>
      <span class="n">
        {toCount(shown)} of {toCount(features.length)}
      </span>
      <span class="small muted what">
        {said.length === 0 ? (
          <Severity tone="good">All supported</Severity>
        ) : (
          said.map(({ words, names }) => (
            <span key={words}>
              {words}: {names.map((one, index) => [index > 0 && ", ", <code key={one}>{one}</code>])}
            </span>
          ))
        )}
      </span>
    </li>
  );
}
