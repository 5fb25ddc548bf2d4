import type { ComponentChildren } from "preact";

type Heading = {
  readonly title: ComponentChildren;
  /** Above it: of what, since when. */
  readonly label?: ComponentChildren;
  /** One sentence: what this page says, or what to do on it. */
  readonly lead?: ComponentChildren;
  /** What can be done with the whole page. */
  readonly children?: ComponentChildren;
};

/** The head of every page but a report's. */
export function PageHeading({ title, label, lead, children }: Heading) {
  return (
    <div class="page-h">
      <div>
        {label !== undefined && <p class="label">{label}</p>}
        <h1>{title}</h1>
        {lead !== undefined && <p>{lead}</p>}
      </div>
      {children !== undefined && <div class="row">{children}</div>}
    </div>
  );
}
