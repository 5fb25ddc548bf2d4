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

/** What is to be pasted stands between backticks. */
export function Words({ text }: { readonly text: string }) {
  return (
    <>{text.split("`").map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>
  );
}

/** Leads away from here, over https only: what a stranger wrote is never an address of ours. */
export function Away({ url, children }: { readonly url: string | null; readonly children: string }) {
  if (url === null || !url.startsWith("https://")) return <>{children}</>;
  return (
    <a href={url} rel="noreferrer noopener" target="_blank">
      {children}
    </a>
  );
}
