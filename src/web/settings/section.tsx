// What every section of the settings begins with, and how it waits for what it shows.

import type { ComponentChildren } from "preact";
import type { Trouble } from "../client/call.ts";
import type { useLoaded } from "../client/loading.ts";
import { toSentence } from "../client/words.ts";
import { ErrorNote, Skeleton } from "../parts/states.tsx";

type HeadProps = {
  readonly title: string;
  /** What it is, in a sentence. */
  readonly lead: ComponentChildren;
  /** The one action of the section. */
  readonly children?: ComponentChildren;
};

export function SectionHead({ title, lead, children }: HeadProps) {
  return (
    <div class="settings-h">
      <div class="sec-h">
        <h2 id="section">{title}</h2>
        <p>{lead}</p>
      </div>
      {children}
    </div>
  );
}

type ReadingProps<T> = {
  readonly reading: Pick<ReturnType<typeof useLoaded<T>>, "loaded" | "reload">;
  /** In the plural: "the tokens". */
  readonly what: string;
  readonly lines?: number;
  readonly children: (value: T) => ComponentChildren;
};

/** What was there stays, beside the trouble that the newer could not be read. */
export function Reading<T>({ reading: { loaded, reload }, what, lines = 4, children }: ReadingProps<T>) {
  return (
    <>
      {loaded.state === "failed" && (
        <ErrorNote
          title={`${toSentence(what)} could not be read.`}
          message={loaded.trouble.message}
          onRetry={reload}
        />
      )}
      {loaded.value === null && loaded.state === "loading" && <Skeleton lines={lines} what={what} />}
      {loaded.value !== null && children(loaded.value)}
    </>
  );
}

/** The interface names a field as programs do; a person reads its label. */
export function troubleOf(trouble: Trouble | null, field: string, label: string): string | null {
  if (trouble?.field !== field) return null;
  return trouble.message.replace(`"${field}"`, label);
}

/** What is about no field of the form. */
export function TroubleNote({
  trouble,
  title,
  fields = [],
}: {
  readonly trouble: Trouble | null;
  readonly title: string;
  readonly fields?: readonly string[];
}) {
  if (trouble === null || (trouble.field !== null && fields.includes(trouble.field))) return null;
  return <ErrorNote title={title} message={trouble.message} />;
}
