import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { Icon } from "../parts/icon.tsx";

type ShownOnceProps = {
  readonly title: string;
  readonly action: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
};

/** A secret that nobody can show again. It goes only when its reader says so. */
export function ShownOnce({ title, action, onClose, children }: ShownOnceProps) {
  const id = useId();
  return (
    <section class="seen-now card good stack-2 mb-4" role="status" aria-labelledby={id}>
      <h3 id={id}>
        <span class="tone">
          <Icon name="good" />
        </span>{" "}
        {title}
      </h3>
      {children}
      <button class="btn mt-4" type="button" onClick={onClose}>
        {action}
      </button>
    </section>
  );
}
