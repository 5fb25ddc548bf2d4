// A collapsed section of a long page. This browser remembers what each person expanded. Pages that the server renders
// contain everything, collapsed.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { keep, readKept } from "../client/kept.ts";
import { useSession } from "../client/session.ts";
import { Icon } from "./icon.tsx";
import { isStatic } from "./static.ts";

type FoldProps = {
  /** The section's id, on the page and in storage. */
  readonly id: string;
  readonly title: string;
  readonly lead: ComponentChildren;
  /** The prefix of the ids inside it that links lead to. */
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

/** `follow` remembers the reader's choice. A link into the section expands it just this once. */
export function useFold(id: string) {
  const reader = isStatic ? "" : useSession().person.user.id;
  const name = `assay-open-${reader}-${id}`;
  const [isOpen, setOpen] = useState(() => (isStatic ? false : readKept(name) === "yes"));
  const follow = ({ currentTarget: { open } }: { readonly currentTarget: HTMLDetailsElement }) => {
    // Otherwise the code below changed it, not the reader.
    if (open === isOpen) return;
    setOpen(open);
    keep(name, open ? "yes" : "no");
  };
  return { isOpen, setOpen, follow };
}

/** A link to the section or a part of it expands it and scrolls there. */
function useNamed(id: string, parts: string | undefined, isOpen: boolean, setOpen: (isOpen: boolean) => void): void {
  const [wanted, setWanted] = useState<string | null>(null);
  const isOpenNow = useRef(isOpen);
  isOpenNow.current = isOpen;
  useEffect(() => {
    const look = () => {
      const named = window.location.hash.slice(1);
      if (named !== id && (parts === undefined || !named.startsWith(parts))) return;
      // If it is open, the browser scrolls there, or restores the position on the way back.
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
