import { toPreciseMoment, toShortTime } from "../client/words.ts";

/** Short, in the reader's zone; the whole of it, with the zone, under the pointer. */
export function Moment({
  time,
  words = toShortTime(time),
}: {
  readonly time: string;
  readonly words?: string;
}) {
  return (
    <time dateTime={time} title={toPreciseMoment(time)}>
      {words}
    </time>
  );
}
