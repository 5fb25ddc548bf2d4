import type { DomainSummary } from "../../api/domains.ts";
import { toneOfScore } from "../../api/grade-words.ts";
import { toScore } from "../client/words.ts";
import { Moment } from "../parts/moment.tsx";
import { Severity } from "../parts/tone.tsx";
import { hasDriftedLately, isSilent, VerdictSign, verdictMechanisms, verdictNames } from "./verdicts.tsx";

export function DomainRow({ domain }: { readonly domain: DomainSummary }) {
  const { id, domain: name, checkedAt, nextCheckAt, lastDriftAt, unstable } = domain;
  return (
    <tr>
      <th scope="row">
        <a href={`/domains/${id}`}>{name}</a>
        {lastDriftAt !== null && hasDriftedLately(domain) && (
          <span class="under">
            <Severity tone="minor">
              Changed <Moment time={lastDriftAt} />
            </Severity>
          </span>
        )}
        {unstable && (
          <span class="under">
            <Severity tone="unknown">Goes to and fro</Severity>
          </span>
        )}
      </th>
      {verdictMechanisms.map((mechanism) => (
        <td key={mechanism} data-l={verdictNames[mechanism]}>
          <VerdictSign mechanism={mechanism} verdict={domain[mechanism]} />
        </td>
      ))}
      <td data-l="Score">
        <PlainScore domain={domain} />
      </td>
      <td data-l="Checked" class="small muted">
        {checkedAt === null ? "Not yet" : <Moment time={checkedAt} />}
      </td>
      <td data-l="Next" class="small muted">
        <NextCheck at={nextCheckAt} />
      </td>
    </tr>
  );
}

/** A time that has passed: it is waiting for its turn. */
export function NextCheck({ at }: { readonly at: string | null }) {
  if (at === null || Date.parse(at) <= Date.now()) return <>soon</>;
  return <Moment time={at} />;
}

function PlainScore({ domain }: { readonly domain: DomainSummary }) {
  if (domain.score === null || isSilent(domain)) return <span class="faint">–</span>;
  return <span class={`score tone ${toneOfScore(domain.score)}`}>{toScore(domain.score)}</span>;
}
