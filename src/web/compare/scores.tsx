// The scores of both sides, all on one scale from 0 to 100.

import { toneOfScore } from "../../api/grade-words.ts";
import { toScore } from "../client/words.ts";
import type { Comparison, SideNames } from "./comparison.ts";

type Scores = Comparison["scores"];

export function ScoresCompared({ scores, names }: { readonly scores: Scores; readonly names: SideNames }) {
  return (
    <div class="card">
      <p class="key mb-3">
        <span>
          <svg aria-hidden="true">
            <rect class="was" width="14" height="12" />
          </svg>
          {names.before}
        </span>
        <span>
          <svg aria-hidden="true">
            <rect class="is" width="14" height="12" />
          </svg>
          {names.after}
        </span>
        <span>A full bar is 100</span>
      </p>
      <table class="table bare duel">
        <caption class="vh">Scores by area</caption>
        <thead class="vh">
          <tr>
            <th scope="col">Area</th>
            <th scope="col">To scale</th>
            <th scope="col">{names.before}</th>
            <th scope="col">{names.after}</th>
            <th scope="col">Difference</th>
          </tr>
        </thead>
        <tbody>
          {scores.map((score) => (
            <ScoreRow key={score.of} score={score} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ScoreRow({ score: { of, label, before, after } }: { readonly score: Scores[number] }) {
  const difference = before === null || after === null ? null : after - before;
  return (
    <tr class={`${toneOfScore(after)}${of === "composite" ? " all" : ""}`}>
      <th scope="row">{of === "composite" ? "Whole score" : label}</th>
      <td class="bars">
        <svg aria-hidden="true">
          <rect class="track" width="100%" height="100%" rx="2" />
          {before !== null && <rect class="was" y="0" width={`${before}%`} height="8" />}
          {after !== null && <rect class="is" y="10" width={`${after}%`} height="8" />}
        </svg>
      </td>
      <td class="num muted">{toText(before)}</td>
      <td class="num">
        <strong>{toText(after)}</strong>
      </td>
      <td class="num">
        <Difference points={difference} />
      </td>
    </tr>
  );
}

function toText(score: number | null): string {
  return score === null ? "–" : toScore(score);
}

export function Difference({ points }: { readonly points: number | null }) {
  if (points === null) return <span class="faint">–</span>;
  const rounded = Math.round(points * 10) / 10;
  if (rounded === 0) return <span class="faint">same</span>;
  return (
    <span class={`tone ${rounded > 0 ? "good" : "critical"}`}>
      {rounded > 0 ? "+" : "−"}
      {toScore(Math.abs(rounded))}
    </span>
  );
}
