import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { messageOf } from "../client/call.ts";
import type { laterPages } from "../later-pages.tsx";
import { ErrorNote, Skeleton } from "./states.tsx";

type Props = Readonly<Record<string, string>>;
type Pages = typeof laterPages;

let loaded: Pages | null = null;

/** A page of later-pages.tsx, which is loaded when it is opened. */
export function toLater(name: keyof Pages): ComponentType<Props> {
  return function LaterPage(props) {
    const [pages, setPages] = useState<Pages | null>(loaded);
    const [problem, setProblem] = useState<string | null>(null);
    const open = () => {
      setProblem(null);
      import("../later-pages.tsx").then(
        ({ laterPages: found }) => {
          loaded = found;
          setPages(found);
        },
        (error: unknown) => setProblem(messageOf(error)),
      );
    };
    useEffect(() => {
      if (pages === null) open();
    }, []);
    if (problem !== null) return <ErrorNote title="Couldn’t load this page." message={problem} onRetry={open} />;
    if (pages === null) return <Skeleton lines={8} what="the page" />;
    // The path of the page names the props (pages.tsx).
    const Page = pages[name] as unknown as ComponentType<Props>;
    return <Page {...(props as Props)} />;
  };
}
