// The sections of a long page, beside it or above it, with the one marked that is being read.

import { useEffect, useRef, useState } from "preact/hooks";

export type Section = { readonly id: string; readonly label: string };

type RailProps = {
  readonly label: string;
  /** The same list each time. */
  readonly sections: readonly Section[];
};

export function Rail({ label, sections }: RailProps) {
  const current = useCurrentSection(sections);
  const list = useRef<HTMLOListElement>(null);
  // On a phone the strip is wider than the window.
  useEffect(() => {
    const marked = list.current?.querySelector<HTMLElement>("[aria-current]");
    if (marked) list.current?.scrollTo({ left: marked.offsetLeft - marked.offsetWidth });
  }, [current]);
  return (
    <nav class="rail" aria-label={label}>
      <ol ref={list}>
        {sections.map(({ id, label }) => (
          <li key={id}>
            <a href={`#${id}`} aria-current={id === current ? "true" : undefined}>
              {label}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** The last whose heading has passed the upper third of the window. */
function useCurrentSection(sections: readonly Section[]): string | undefined {
  const first = sections[0]?.id;
  const [current, setCurrent] = useState(first);
  useEffect(() => {
    const look = () => {
      const passed = sections.filter(({ id }) => {
        const top = document.getElementById(id)?.getBoundingClientRect().top;
        return top !== undefined && top < window.innerHeight / 3;
      });
      setCurrent(passed.at(-1)?.id ?? first);
    };
    window.addEventListener("scroll", look, { passive: true });
    return () => window.removeEventListener("scroll", look);
  }, [sections]);
  return current;
}
