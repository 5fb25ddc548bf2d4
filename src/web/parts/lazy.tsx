// A part of the app that is loaded when it is shown first, so that the first page stays small.

import type { ComponentType } from "preact";
import { useLoaded } from "../client/loading.ts";
import { ErrorNote, Skeleton } from "./states.tsx";

/** `what`: "the tokens". */
export function lazily<P extends object>(
  what: string,
  load: () => Promise<ComponentType<P>>,
): ComponentType<P> {
  return function Lazy(props: P) {
    const { loaded, reload } = useLoaded(what, async () => ({ component: await load() }));
    if (loaded.value !== null) return <loaded.value.component {...props} />;
    if (loaded.state !== "failed") return <Skeleton lines={4} what={what} />;
    return <ErrorNote title={`Couldn’t load ${what}.`} message={loaded.trouble.message} onRetry={reload} />;
  };
}
