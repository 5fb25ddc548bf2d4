// What a workspace and its people have set: one section at a time, each with an address.

import type { ComponentType } from "preact";
import { useArrival, useTitle } from "../client/router.tsx";
import { PageHeading } from "../parts/heading.tsx";
import { RailLinks } from "../parts/rail.tsx";
import { ArrivalsSection } from "./arrivals.tsx";
import { KindRulesSection } from "./kind-rules.tsx";
import { MembersSection } from "./members.tsx";
import { PlanSection } from "./plan.tsx";
import { SeedInboxesSection } from "./seed-inboxes.tsx";
import { SendingSection } from "./sending.tsx";
import { SendingVolumeSection } from "./sending-volume.tsx";
import { TokensSection } from "./tokens.tsx";
import { WorkspaceSection } from "./workspace.tsx";
import { YouSection } from "./you.tsx";

type Section = { readonly name: string; readonly label: string; readonly component: ComponentType };

const tokens: Section = { name: "tokens", label: "API tokens", component: TokensSection };
const sections: readonly Section[] = [
  tokens,
  { name: "members", label: "Members", component: MembersSection },
  { name: "seed-inboxes", label: "Seed inboxes", component: SeedInboxesSection },
  { name: "message-types", label: "Message types", component: KindRulesSection },
  { name: "sending-volume", label: "Sending volume", component: SendingVolumeSection },
  { name: "sending", label: "Sending", component: SendingSection },
  { name: "workspace", label: "Workspace", component: WorkspaceSection },
  { name: "plan", label: "Plan", component: PlanSection },
  { name: "arrivals", label: "What else arrived", component: ArrivalsSection },
  { name: "you", label: "You", component: YouSection },
];

const entries = sections.map(({ name, label }) => ({ id: name, label, address: `/settings/${name}` }));

export function SettingsPage({ section }: Readonly<Record<string, string>>) {
  const current = sections.find(({ name }) => name === section) ?? tokens;
  useTitle(current.label);
  useArrival(true);
  return (
    <>
      <PageHeading title="Settings" />
      <div class="report">
        <RailLinks label="Settings" entries={entries} current={current.name} mark="page" />
        <section aria-labelledby="section">
          <current.component />
        </section>
      </div>
    </>
  );
}
