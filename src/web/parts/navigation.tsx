import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { usePlace } from "../client/router.tsx";

export type Tab = { readonly name: string; readonly content: () => ComponentChildren };

/** Keeps its own current tab. */
export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
  const [current, setCurrent] = useState<string | undefined>(undefined);
  const known = tabs.some(({ name }) => name === current) ? current : tabs[0]?.name;
  return (
    <TabPanels
      label={label}
      tabs={tabs.map(({ name }) => ({ name, label: name }))}
      current={known ?? ""}
      onChoose={setCurrent}
      panels={Object.fromEntries(tabs.map(({ name, content }) => [name, content]))}
    />
  );
}

type PanelProps<Name extends string> = {
  readonly label: string;
  readonly tabs: readonly { readonly name: Name; readonly label: string }[];
  readonly current: Name;
  readonly onChoose: (name: Name) => void;
  readonly panels: Readonly<Record<Name, () => ComponentChildren>>;
};

/** The arrow keys move between tabs (ARIA tabs pattern). What was opened stays, so that nothing is loaded twice. */
export function TabPanels<Name extends string>({ label, tabs, current, onChoose, panels }: PanelProps<Name>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState<ReadonlySet<Name>>(new Set([current]));
  if (!seen.has(current)) setSeen(new Set([...seen, current]));
  const turn = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = (tabs.findIndex(({ name }) => name === current) + step + tabs.length) % tabs.length;
    const to = tabs[next];
    if (to) onChoose(to.name);
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[next]?.focus();
  };
  return (
    <div class="tabs">
      <div class="tablist" role="tablist" aria-label={label} ref={list} onKeyDown={turn}>
        {tabs.map(({ name, label: says }, index) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-tab-${index}`}
            aria-selected={name === current}
            aria-controls={`${id}-panel-${index}`}
            tabIndex={name === current ? 0 : -1}
            onClick={() => onChoose(name)}
          >
            {says}
          </button>
        ))}
      </div>
      {tabs.map(({ name }, index) => (
        <div
          key={name}
          role="tabpanel"
          id={`${id}-panel-${index}`}
          aria-labelledby={`${id}-tab-${index}`}
          hidden={name !== current}
        >
          {(name === current || seen.has(name)) && panels[name]()}
        </div>
      ))}
    </div>
  );
}

// Links to the sections of a long page, beside or above it. The current section is marked.

type Section = { readonly id: string; readonly label: string };

type RailProps = {
  readonly label: string;
  /** The same list each time. */
  readonly sections: readonly Section[];
};

export function Rail({ label, sections }: RailProps) {
  const current = useCurrentSection(sections);
  const list = useRef<HTMLOListElement>(null);
  // On a phone the list is wider than the screen.
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

/** The last section whose top is in the upper third of the window. */
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

type PagerProps = {
  /** Plural. */
  readonly of: string;
  readonly className?: string;
  readonly cursor: string | null;
  readonly next: string | null;
  /** Null: of the newest page. */
  readonly addressAt: (cursor: string | null) => string;
};

/** Through a list that begins with the newest. */
export function Pager({ of, className = "", cursor, next, addressAt }: PagerProps) {
  if (cursor === null && next === null) return null;
  return (
    <nav class={`row between ${className}`} aria-label={`Pages of ${of}`}>
      {cursor === null ? (
        <span />
      ) : (
        <a class="btn small" href={addressAt(null)}>
          Newest
        </a>
      )}
      {next !== null && (
        <a class="btn small" href={addressAt(next)}>
          Older
        </a>
      )}
    </nav>
  );
}

type MenuProps = { readonly label: string; readonly summary: ComponentChildren; readonly children: ComponentChildren };

/** Closes on Escape, on a click outside and on navigation. */
export function Menu({ label, summary, children }: MenuProps) {
  const details = useRef<HTMLDetailsElement>(null);
  const { path } = usePlace();
  useEffect(() => details.current?.removeAttribute("open"), [path]);
  useEffect(() => {
    const close = (event: Event) => {
      const menu = details.current;
      if (!menu?.open) return;
      if (event instanceof KeyboardEvent) {
        if (event.key !== "Escape") return;
        // Only this menu handles the key, not a dialog behind it.
        event.preventDefault();
        menu.querySelector("summary")?.focus();
      } else if (event.target instanceof Node && menu.contains(event.target)) return;
      menu.open = false;
    };
    document.addEventListener("click", close);
    document.addEventListener("keydown", close);
    return () => {
      document.removeEventListener("click", close);
      document.removeEventListener("keydown", close);
    };
  }, []);
  return (
    <details class="popup" ref={details}>
      <summary aria-label={label}>{summary}</summary>
      <div>{children}</div>
    </details>
  );
}
