import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { usePlace } from "../client/router.tsx";

type MenuProps = {
  readonly label: string;
  readonly summary: ComponentChildren;
  readonly children: ComponentChildren;
};

/** Closes on Escape, on a click beside it, and when one goes elsewhere. */
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
        // It is spent: no other is to be closed by it.
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
