import type { ComponentChildren } from "preact";

type Heading = {
  readonly title: ComponentChildren;
  /** Above the title: its context. */
  readonly label?: ComponentChildren;
  /** One sentence: the result on this page, or what to do here. */
  readonly lead?: ComponentChildren;
  /** Actions for the whole page. */
  readonly children?: ComponentChildren;
};

/** The heading of every page except reports. */
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
