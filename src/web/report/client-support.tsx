// How common mail programs take what this message uses of HTML and CSS: each with the share of it that it shows, and what
// it lacks by name.

import { toDay, toPercent, toPlural } from "../client/words.ts";
import { Severity } from "../parts/tone.tsx";
import type { Eml } from "./content.tsx";

type Support = NonNullable<Eml["client_support"]>;

export function ClientSupport({ support }: { readonly support: Support }) {
  const { programs, features, as_of } = support;
  return (
    <div class="card">
      <h3>Shown as designed: {toConclusion(support)}</h3>
      {features.length === 0 ? (
        <p class="muted">It uses no HTML or CSS that common mail programs are known to differ in.</p>
      ) : (
        <>
          <p class="mb-3 muted small">
            How much each program shows of the{" "}
            {toPlural(features.length, "feature that differs", "features that differ")} and that this message
            uses. By data of caniemail.com, {toDay(as_of)}; not looked at in the programs themselves.
          </p>
          <ul class="supp-l">
            {programs.map(({ name, share }, at) => (
              <Program key={name} name={name} share={share} features={features} at={at} />
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function toConclusion({ programs, features }: Support): string {
  const lacking = programs.filter((_, at) => features.some(({ standings }) => standings[at] === "missing"));
  if (features.length === 0 || lacking.length === 0) return "everywhere, as far as is known";
  return lacking.length === programs.length
    ? "no program shows all of it"
    : `${toPlural(lacking.length, "program leaves", "programs leave")} something out`;
}

type ProgramProps = {
  readonly name: string;
  readonly share: number;
  readonly features: Support["features"];
  readonly at: number;
};

function Program({ name, share, features, at }: ProgramProps) {
  const namesOf = (standing: string) =>
    features.flatMap((feature) => (feature.standings[at] === standing ? [feature.name] : []));
  const missing = namesOf("missing");
  const partly = namesOf("partly");
  const unknown = namesOf("unknown");
  const known = features.length - unknown.length;
  const shown = known - missing.length - partly.length;
  const said = [
    { words: "Not shown", names: missing },
    { words: "Partly", names: partly },
    { words: "Not known", names: unknown },
  ].filter(({ names }) => names.length > 0);
  return (
    <li>
      <span>
        {name} <span class="label">{toPercent(share / 100)} of readers</span>
      </span>
      <svg aria-hidden="true">
        <rect width="100%" height="100%" rx="2" class="f-none" />
        <rect
          width={`${known === 0 ? 0 : (shown / features.length) * 100}%`}
          height="100%"
          rx="2"
          class="f-score"
        />
      </svg>
      <span class="n">
        {shown} of {features.length}
      </span>
      <span class="small muted what">
        {said.length === 0 ? (
          <Severity tone="good">All of it</Severity>
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
