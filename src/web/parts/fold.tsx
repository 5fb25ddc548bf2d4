// A section of a long page that is folded until somebody wants it. Each person's choice is remembered in this browser. A page
// that the server renders holds all of it, folded.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useSession } from "../client/session.ts";
import { keep, readKept } from "../client/theme.ts";
import { Icon } from "./icon.tsx";
import { isStatic } from "./static.ts";

type FoldProps = {
  /** Of the section, in the page and in what is remembered. */
  readonly id: string;
  readonly title: string;
  readonly lead: ComponentChildren;
  /** What the ids of its parts begin with, where links lead to them. */
  readonly parts?: string;
  readonly children: () => ComponentChildren;
};

export function FoldedSection({ id, title, lead, parts, children }: FoldProps) {
  const { isOpen, setOpen, follow } = useFold(id);
  useNamed(id, parts, isOpen, setOpen);
  return (
    <section class="sec" id={id} aria-labelledby={`${id}-h`}>
      <details class="fold-s" open={isOpen} onToggle={follow}>
        <summary>
          <h2 id={`${id}-h`}>{title}</h2>
          <span class="chev">
            <Icon name="chev" />
          </span>
        </summary>
        {(isStatic || isOpen) && (
          <>
            <p class="fold-lead">{lead}</p>
            {children()}
          </>
        )}
      </details>
    </section>
  );
}

/** `follow` remembers what a person did; a link that leads into it opens it for once. */
export function useFold(id: string) {
  const reader = isStatic ? "" : useSession().person.user.id;
  const name = `assay-open-${reader}-${id}`;
  const [isOpen, setOpen] = useState(() => (isStatic ? false : readKept(name) === "yes"));
  const follow = ({ currentTarget: { open } }: { readonly currentTarget: HTMLDetailsElement }) => {
    // Otherwise it follows what was set here.
    if (open === isOpen) return;
    setOpen(open);
    keep(name, open ? "yes" : "no");
  };
  return { isOpen, setOpen, follow };
}

/** A link to the section, or to a part of it, opens it and leads there. */
function useNamed(
  id: string,
  parts: string | undefined,
  isOpen: boolean,
  setOpen: (isOpen: boolean) => void,
): void {
  const [wanted, setWanted] = useState<string | null>(null);
  const isOpenNow = useRef(isOpen);
  isOpenNow.current = isOpen;
  useEffect(() => {
    const look = () => {
      const named = window.location.hash.slice(1);
      if (named !== id && (parts === undefined || !named.startsWith(parts))) return;
      // What is open already needs no help to be found, also where the reader comes back to it.
      if (isOpenNow.current) return;
      setOpen(true);
      setWanted(named);
    };
    look();
    window.addEventListener("hashchange", look);
    return () => window.removeEventListener("hashchange", look);
  }, [id, parts]);
  useEffect(() => {
    if (!isOpen || wanted === null) return;
    document.getElementById(wanted)?.scrollIntoView();
    setWanted(null);
  }, [isOpen, wanted]);
}
