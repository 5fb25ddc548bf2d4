// Whether the odds can be believed: where spam was said with 30 %, 30 of 100 should be seen in spam. A point for each tenth
// of the odds of which there are enough; on the line said and seen are alike.

import { toCount, toPercent } from "../client/words.ts";
import type { FullFigures } from "./calibration.ts";

type Bin = FullFigures["reliability"][number];
type FullBin = Bin & { readonly predicted: number; readonly observed: number };

type ReliabilityProps = {
  readonly bins: readonly Bin[];
  readonly name: string;
  readonly needed: number;
};

export function Reliability({ bins, name, needed }: ReliabilityProps) {
  const told = bins.filter(isTold);
  return (
    <figure class="relia">
      <figcaption>
        <strong>Odds of spam, said and seen</strong>
        <span class="small muted">
          {told.length === 0
            ? `No tenth of the scale has ${needed} messages yet.`
            : "On the line both are alike. Above it more was spam than was said, below it less."}
        </span>
      </figcaption>
      {told.length > 0 && <Plot bins={told} name={name} />}
      <details class="small">
        <summary>The same as a table</summary>
        <table class="table bare">
          <thead>
            <tr>
              <th scope="col">Odds of spam</th>
              <th scope="col" class="num">
                Messages
              </th>
              <th scope="col" class="num">
                Said
              </th>
              <th scope="col" class="num">
                Seen
              </th>
            </tr>
          </thead>
          <tbody>
            {bins
              .filter(({ count }) => count > 0)
              .map((bin) => (
                <tr key={bin.from}>
                  <th scope="row">
                    {toPercent(bin.from)} to {toPercent(bin.to)}
                  </th>
                  <td class="num">{toCount(bin.count)}</td>
                  {isTold(bin) ? (
                    <>
                      <td class="num">{toPercent(bin.predicted)}</td>
                      <td class="num">{toPercent(bin.observed)}</td>
                    </>
                  ) : (
                    <td class="num faint" colSpan={2}>
                      too few
                    </td>
                  )}
                </tr>
              ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

function isTold(bin: Bin): bin is FullBin {
  return bin.predicted !== null && bin.observed !== null;
}

const left = 44;
const top = 12;
const side = 220;
const marks = [0, 0.5, 1];

const xAt = (share: number) => left + share * side;
const yAt = (share: number) => top + (1 - share) * side;

function Plot({ bins, name }: { readonly bins: readonly FullBin[]; readonly name: string }) {
  const most = Math.max(...bins.map(({ count }) => count));
  const said = bins.map(
    ({ count, predicted, observed }) =>
      `of ${toCount(count)} said with ${toPercent(predicted)}, ${toPercent(observed)} were seen in spam`,
  );
  return (
    <svg viewBox="0 0 290 280" role="img" aria-label={`${name}: ${said.join("; ")}.`}>
      {marks.map((share) => (
        <g key={share}>
          <path class="gl" d={`M${left} ${yAt(share)}h${side}M${xAt(share)} ${top}v${side}`} />
          <text class="y" x={left - 6} y={yAt(share) + 4}>
            {toPercent(share)}
          </text>
          <text class="x" x={xAt(share)} y={top + side + 18}>
            {toPercent(share)}
          </text>
        </g>
      ))}
      <path class="alike" d={`M${xAt(0)} ${yAt(0)}L${xAt(1)} ${yAt(1)}`} />
      {bins.map(({ from, count, predicted, observed }) => (
        <g key={from}>
          <path class="off" d={`M${xAt(predicted)} ${yAt(predicted)}V${yAt(observed)}`} />
          <circle cx={xAt(predicted)} cy={yAt(observed)} r={4 + 5 * Math.sqrt(count / most)} />
        </g>
      ))}
      <text class="x axis" x={xAt(0.5)} y={top + side + 40}>
        said
      </text>
      <text class="x axis" x={left - 20} y={yAt(0.25)}>
        seen
      </text>
    </svg>
  );
}
