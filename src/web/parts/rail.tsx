// The sections of a long page, beside it or above it, with the one marked that is being read.

import { useEffect, useRef, useState } from "preact/hooks";

type Section = { readonly id: string; readonly label: string };

type RailProps = {
  readonly label: string;
  /** The same list each time. */
  readonly sections: readonly Section[];
};

export function Rail({ label, sections }: RailProps) {
  const current = useCurrentSection(sections);
  const entries = sections.map((section) => ({ ...section, address: `#${section.id}` }));
  return <RailLinks label={label} entries={entries} current={current} mark="true" />;
}

type RailLinksProps = {
  readonly label: string;
  readonly entries: readonly (Section & { readonly address: string })[];
  readonly current: string | undefined;
  /** What the current one is: a part of this page, or the page itself. */
  readonly mark: "true" | "page";
};

export function RailLinks({ label, entries, current, mark }: RailLinksProps) {
  const list = useRef<HTMLOListElement>(null);
  // On a phone the strip is wider than the window.
  useEffect(() => {
    const marked = list.current?.querySelector<HTMLElement>("[aria-current]");
    if (marked) list.current?.scrollTo({ left: marked.offsetLeft - marked.offsetWidth });
  }, [current]);
  return (
    <nav class="rail" aria-label={label}>
      <ol ref={list}>
        {entries.map(({ id, label, address }) => (
          <li key={id}>
            <a href={address} aria-current={id === current ? mark : undefined}>
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
