import type { ComponentChildren } from "preact";
import { roomAt } from "../client/rooms.ts";
import { usePlace } from "../client/router.tsx";

type Heading = {
  readonly title: ComponentChildren;
  /** Above the title: its context. */
  readonly label?: ComponentChildren;
  /** One sentence: the result on this page, or what to do here. */
  readonly lead?: ComponentChildren;
  /** Actions for the whole page. */
  readonly children?: ComponentChildren;
};

/** The heading of a page that is a tab of a room, with links to the other tabs. */
export function RoomHeading({ lead, children }: Pick<Heading, "lead" | "children">) {
  const { path: here } = usePlace();
  const { label = "", tabs = {} } = roomAt(here) ?? {};
  return (
    <>
      <div class="room-h">
        <h1>{label}</h1>
        <nav class="tablist" aria-label={`Pages of ${label}`}>
          {Object.entries(tabs).map(([path, label]) => (
            <a key={path} href={path} aria-current={path === here ? "page" : undefined}>
              {label}
            </a>
          ))}
        </nav>
      </div>
      {(lead || children) && (
        <div class="page-h">
          <p>{lead}</p>
          {children && <div class="row">{children}</div>}
        </div>
      )}
    </>
  );
}

/** The heading of every other page except reports. */
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
