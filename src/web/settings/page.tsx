// What a workspace and its people have set: one section at a time, each with an address.

import type { ComponentType } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useArrival, useTitle } from "../client/router.tsx";
import { PageHeading } from "../parts/heading.tsx";
import { ArrivalsSection } from "./arrivals.tsx";
import { MembersSection } from "./members.tsx";
import { PlanSection } from "./plan.tsx";
import { SeedInboxesSection } from "./seed-inboxes.tsx";
import { SendingSection } from "./sending.tsx";
import { TokensSection } from "./tokens.tsx";
import { WorkspaceSection } from "./workspace.tsx";
import { YouSection } from "./you.tsx";

type Section = { readonly name: string; readonly label: string; readonly component: ComponentType };

const tokens: Section = { name: "tokens", label: "API tokens", component: TokensSection };
const sections: readonly Section[] = [
  tokens,
  { name: "members", label: "Members", component: MembersSection },
  { name: "seed-inboxes", label: "Seed inboxes", component: SeedInboxesSection },
  { name: "sending", label: "Sending", component: SendingSection },
  { name: "workspace", label: "Workspace", component: WorkspaceSection },
  { name: "plan", label: "Plan", component: PlanSection },
  { name: "arrivals", label: "What else arrived", component: ArrivalsSection },
  { name: "you", label: "You", component: YouSection },
];

export function SettingsPage({ section }: Readonly<Record<string, string>>) {
  const current = sections.find(({ name }) => name === section) ?? tokens;
  useTitle(current.label);
  useArrival(true);
  return (
    <>
      <PageHeading title="Settings" />
      <div class="report">
        <Rail current={current} />
        <section aria-labelledby="section">
          <current.component />
        </section>
      </div>
    </>
  );
}

function Rail({ current }: { readonly current: Section }) {
  const list = useRef<HTMLOListElement>(null);
  // On a phone the strip is wider than the window.
  useEffect(() => {
    const marked = list.current?.querySelector<HTMLElement>("[aria-current]");
    if (marked) list.current?.scrollTo({ left: marked.offsetLeft - marked.offsetWidth });
  }, [current]);
  return (
    <nav class="rail" aria-label="Settings">
      <ol ref={list}>
        {sections.map(({ name, label }) => (
          <li key={name}>
            <a href={`/settings/${name}`} aria-current={name === current.name ? "page" : undefined}>
              {label}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
