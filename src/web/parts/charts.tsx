// A chart of days as plain SVG. Thirty points need no library: labels are text, it prints, and it follows both themes. It
// uses no style attributes, which the content security policy blocks. Lengths are percentages, so nothing is measured.

import type { ComponentChildren } from "preact";
import { toDateWords } from "../client/words.ts";

type ChartDay = {
  /** Unique, if several are of one day. */
  readonly id?: string;
  /** "2026-11-21". */
  readonly date: string;
  /** Instead of the date. */
  readonly word?: string;
  /** No data. Drawn gray, never as zero. */
  readonly isEmpty: boolean;
};

/** `height`: from 0 at the bottom to 1. */
type Mark = { readonly height: number; readonly word: string };

type DayChartProps = {
  /** The chart in one sentence. */
  readonly label: string;
  readonly days: readonly ChartDay[];
  readonly marks: readonly Mark[];
  /** The index of the day to describe. */
  readonly at: number;
  /** False: the reader hasn't picked a day. */
  readonly isChosen: boolean;
  readonly onRead: (at: number | null) => void;
  /** That day in words. */
  readonly reading: string;
  /** SVG elements, positioned with `toPercentage` and `centreOf`. */
  readonly children: ComponentChildren;
};

export const toPercentage = (share: number) => `${(share * 100).toFixed(3)}%`;
export const centreOf = (index: number, count: number) => toPercentage((index + 0.5) / count);

/** A slider, so that screen readers pass on the arrow keys and announce each day. */
export function DayChart(props: DayChartProps) {
  const { label, days, marks, at, isChosen, onRead, reading, children } = props;
  const count = days.length;
  const point = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = (currentTarget as Element).getBoundingClientRect();
    onRead(within(Math.floor(((clientX - left) / width) * count), count));
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === "Escape") return onRead(null);
    const to = toNextDay(event.key, at, count);
    if (to === null) return;
    event.preventDefault();
    onRead(to);
  };
  return (
    <div class="chart">
      <div
        class="plot"
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-orientation="horizontal"
        aria-valuemin={1}
        aria-valuemax={count}
        aria-valuenow={at + 1}
        aria-valuetext={reading}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => onRead(null)}
        onKeyDown={press}
        onFocus={() => onRead(at)}
        onBlur={() => onRead(null)}
      >
        <svg aria-hidden="true" focusable="false">
          <Ground days={days} marks={marks} />
          {children}
          {isChosen && (
            <rect class="at" x={toPercentage(at / count)} width={toPercentage(1 / count)} height="100%" rx="2" />
          )}
        </svg>
      </div>
    </div>
  );
}

function Ground({ days, marks }: Pick<DayChartProps, "days" | "marks">) {
  const count = days.length;
  const apart = Math.max(1, Math.round(count / 5));
  const dated = days.flatMap(({ date, id = date, word = toDateWords(date) }, index) =>
    index % apart === 0 ? [{ id, word, index }] : [],
  );
  return (
    <>
      {days.map(({ date, isEmpty, id = date }, index) => {
        if (!isEmpty) return null;
        const width = toPercentage(1 / count);
        return <rect key={id} class="empty" x={toPercentage(index / count)} width={width} height="100%" />;
      })}
      {marks.map(({ height, word }) => (
        <g key={word}>
          <line class="gl" x2="100%" y1={toPercentage(1 - height)} y2={toPercentage(1 - height)} />
          <text class="y" x="-10" y={toPercentage(1 - height)} dy="0.35em">
            {word}
          </text>
        </g>
      ))}
      {dated.map(({ id, word, index }, at) =>
        word === dated[at - 1]?.word ? null : (
          <text key={id} class={at % 2 === 1 ? "x second" : "x"} x={toPercentage(index / count)} y="100%" dy="1.6em">
            {word}
          </text>
        ),
      )}
    </>
  );
}

const week = 7;

function toNextDay(key: string, at: number, count: number): number | null {
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: -1,
    ArrowDown: -1,
    ArrowRight: 1,
    ArrowUp: 1,
    PageDown: -week,
    PageUp: week,
  };
  const step = steps[key];
  return step === undefined ? null : within(at + step, count);
}

function within(index: number, count: number): number {
  return Math.min(Math.max(index, 0), count - 1);
}

// Shares of a whole as parts of one bar. SVG geometry, because the content security policy blocks style attributes.

export type ShareStyle = {
  readonly word: string;
  /** A pattern of the page; null: the class sets the color. */
  readonly fill: string | null;
  readonly className: string | undefined;
};

type Share<L extends ShareStyle> = L & { readonly share: number; readonly left: number };

/** One after the other. A share that is too small to show still takes its space. */
export function toShares<L extends ShareStyle>(
  looks: readonly L[],
  shareOf: (look: L) => number,
  isShown: (share: number) => boolean,
): Share<L>[] {
  let left = 0;
  return looks.flatMap((look) => {
    const share = shareOf(look);
    const placed = { ...look, share, left };
    left += share;
    return isShown(share) ? [placed] : [];
  });
}

/** Belongs inside an SVG element. */
export function ShareRects({ shares }: { readonly shares: readonly Share<ShareStyle>[] }) {
  return (
    <>
      {shares.map(({ word, share, left, fill, className }) => (
        <rect
          key={word}
          x={`${left * 100}%`}
          width={`${share * 100}%`}
          height="100%"
          class={className}
          fill={fill ?? undefined}
        />
      ))}
    </>
  );
}
