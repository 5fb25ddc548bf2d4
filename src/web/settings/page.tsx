// The settings of a workspace and its members: one section at a time, each with a URL.

import type { ComponentType } from "preact";
import { AuditSection } from "../../features/audit-log/page.tsx";
import { PlanSection } from "../../features/billing/page.tsx";
import { OtherMailSection } from "../../features/feedback/page/page.tsx";
import { IncomingHooksSection } from "../../features/hooks/page/incoming-hooks.tsx";
import { OutgoingServerSection } from "../../features/intake/page/outgoing-server.tsx";
import { SeedInboxesSection } from "../../features/intake/page/seed-inboxes.tsx";
import { RelaysSection } from "../../features/monitors/page/relays.tsx";
import { LogInList } from "../../features/oidc/page/logins.tsx";
import { MembersSection } from "../../features/people/page/members.tsx";
import { TokensSection } from "../../features/people/page/tokens.tsx";
import { WorkspaceSection } from "../../features/people/page/workspace.tsx";
import { YouSection } from "../../features/people/page/you.tsx";
import { RehearsalsSection } from "../../features/rehearsal/page/rehearsals.tsx";
import { SendingSection } from "../../features/sending/page.tsx";
import { BlocklistsSection, ServerSection } from "../../features/server/page/server.tsx";
import { KindRulesSection, SendingVolumeSection } from "../../features/tests/page/judging.tsx";
import { useArrival, useTitle } from "../client/router.tsx";
import { PageHeading } from "../parts/heading.tsx";
import { RailLinks } from "../parts/navigation.tsx";

type Section = { readonly name: string; readonly label: string; readonly component: ComponentType };

const tokens: Section = { name: "tokens", label: "API tokens", component: TokensSection };
const sections: readonly Section[] = [
  tokens,
  { name: "members", label: "Members", component: MembersSection },
  { name: "seed-inboxes", label: "Seed inboxes", component: SeedInboxesSection },
  { name: "message-types", label: "Message types", component: KindRulesSection },
  { name: "sending-volume", label: "Sending volume", component: SendingVolumeSection },
  { name: "outgoing-server", label: "Outgoing server", component: OutgoingServerSection },
  { name: "rehearsals", label: "Rehearsals", component: RehearsalsSection },
  { name: "sending", label: "Sending", component: SendingSection },
  { name: "relays", label: "Relays", component: RelaysSection },
  { name: "workspace", label: "Workspace", component: WorkspaceSection },
  { name: "plan", label: "Plan", component: PlanSection },
  { name: "arrivals", label: "Other mail", component: OtherMailSection },
  { name: "incoming-webhooks", label: "Incoming webhooks", component: IncomingHooksSection },
  { name: "audit", label: "Audit log", component: AuditSection },
  { name: "blocklists", label: "Blocklists", component: BlocklistsSection },
  { name: "server", label: "Server", component: ServerSection },
  { name: "you", label: "Account", component: () => <YouSection LogInList={LogInList} /> },
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
