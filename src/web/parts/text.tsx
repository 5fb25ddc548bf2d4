import { toPreciseMoment, toShortTime } from "../client/words.ts";

/** A short time in the reader's time zone. The tooltip has the full time and the zone. */
export function Moment({ time, words = toShortTime(time) }: { readonly time: string; readonly words?: string }) {
  return (
    <time dateTime={time} title={toPreciseMoment(time)}>
      {words}
    </time>
  );
}

/** A command for the server's terminal, as it is with the installed program and in a checkout. */
export function Command({ line }: { readonly line: string }) {
  return (
    <>
      <code>assay {line}</code> (in a checkout: <code>npm run -s assay -- {line}</code>)
    </>
  );
}

/** Text between backticks is code. */
export function Words({ text }: { readonly text: string }) {
  return <>{text.split("`").map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>;
}

/** An external link, only over https: a sender's text must never link to this server. */
export function Away({ url, children }: { readonly url: string | null; readonly children: string }) {
  if (url === null || !url.startsWith("https://")) return <>{children}</>;
  return (
    <a href={url} rel="noreferrer noopener" target="_blank">
      {children}
    </a>
  );
}
