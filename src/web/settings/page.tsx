// The settings of a workspace and its members: one section at a time, each with a URL.

import type { ComponentType } from "preact";
import { AuditSection } from "../../features/audit-log/page.tsx";
import { PlanSection } from "../../features/billing/page.tsx";
import type { AutoReply, MailReport } from "../../features/feedback/contract/mail-reports.ts";
import { IncomingHooksSection } from "../../features/hooks/page/incoming-hooks.tsx";
import { OutgoingServerSection } from "../../features/intake/page/outgoing-server.tsx";
import { SeedInboxesSection } from "../../features/intake/page/seed-inboxes.tsx";
import { RelaysSection } from "../../features/monitors/page/relays.tsx";
import { MembersSection } from "../../features/people/page/members.tsx";
import { TokensSection } from "../../features/people/page/tokens.tsx";
import { WorkspaceSection } from "../../features/people/page/workspace.tsx";
import { YouSection } from "../../features/people/page/you.tsx";
import { RehearsalsSection } from "../../features/rehearsal/page/rehearsals.tsx";
import { SendingSection } from "../../features/sending/page.tsx";
import { BlocklistsSection, ServerSection } from "../../features/server/page/server.tsx";
import { ArrivalList, BounceTable, RawDownload } from "../../features/tests/page/arrivals.tsx";
import { KindRulesSection, SendingVolumeSection } from "../../features/tests/page/judging.tsx";
import { addressOf, call } from "../client/call.ts";
import { useArrival, useTitle } from "../client/router.tsx";
import { toCount, toPlural, toReportedDays, toShortTime } from "../client/words.ts";
import { PageHeading } from "../parts/heading.tsx";
import { RailLinks } from "../parts/navigation.tsx";
import { Moment } from "../parts/text.tsx";
import { Severity } from "../parts/tone.tsx";
import { SectionHead } from "./parts.tsx";

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
  { name: "arrivals", label: "Other mail", component: ArrivalsSection },
  { name: "incoming-webhooks", label: "Incoming webhooks", component: IncomingHooksSection },
  { name: "audit", label: "Audit log", component: AuditSection },
  { name: "blocklists", label: "Blocklists", component: BlocklistsSection },
  { name: "server", label: "Server", component: ServerSection },
  { name: "you", label: "Account", component: YouSection },
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

// Mail to the seed addresses that isn't a test: bounces, complaints, reports and automatic replies, with downloads.

function ArrivalsSection() {
  return (
    <>
      <SectionHead
        title="Other mail"
        lead="Bounces, reports, and automatic replies sent to your seed addresses, and what providers report by webhook."
      />
      <div class="stack">
        <BounceTable />
        <MailReportTable />
        <AutoReplyTable />
      </div>
    </>
  );
}

function AutoReplyTable() {
  return (
    <ArrivalList
      title="Automatic replies"
      lead="Out-of-office replies and read receipts. They don’t count as tests."
      name="replies"
      read={(given) => call("GET /api/auto-replies", given)}
      empty="None yet."
      columns={["Received", "From", "Subject", "To"]}
      row={(reply) => <ReplyRow key={reply.id} reply={reply} />}
    />
  );
}

function ReplyRow({ reply: { id, receivedAt, from, subject, to } }: { readonly reply: AutoReply }) {
  return (
    <tr>
      <td data-l="Received">
        <Moment time={receivedAt} />
      </td>
      <td data-l="From">{from ?? <span class="faint">no sender</span>}</td>
      <td data-l="Subject">{subject?.trim() || <span class="faint">No subject</span>}</td>
      <td data-l="To">{to.join(", ")}</td>
      <RawDownload
        address={addressOf("/api/auto-replies/:id/raw", { params: { id } })}
        what={`the reply from ${toShortTime(receivedAt)}`}
      />
    </tr>
  );
}

function MailReportTable() {
  return (
    <ArrivalList
      title="DMARC and TLS reports"
      lead="Receivers send these daily. They show how much mail from your domain passed DMARC and which connections couldn’t be encrypted."
      name="reports"
      read={(given) => call("GET /api/reports", given)}
      empty="None yet. To receive them, put a seed address that’s reachable from the internet into the rua= tag of your domain’s DMARC record."
      columns={["Received", "Report", "Period", "Result"]}
      row={(report) => <ReportRow key={report.id} report={report} />}
    />
  );
}

function ReportRow({ report }: { readonly report: MailReport }) {
  const { id, type, receivedAt, organization, domain, beginsAt, endsAt } = report;
  const kind = type === "dmarc" ? "DMARC" : "TLS";
  return (
    <tr>
      <td data-l="Received">
        <Moment time={receivedAt} />
      </td>
      <td data-l="Report">
        <span>
          {kind} from {organization ?? "unknown sender"}
          {domain !== null && <span class="settings-sub">for {domain}</span>}
        </span>
      </td>
      <td data-l="Period">{toReportedDays(beginsAt, endsAt) ?? <span class="faint">unknown</span>}</td>
      <td data-l="Result">
        <Result report={report} />
      </td>
      <RawDownload
        address={addressOf("/api/reports/:id/raw", { params: { id } })}
        what={`the ${kind} report from ${toShortTime(receivedAt)}`}
      />
    </tr>
  );
}

function Result({ report: { type, total, failed, problem, counted: isCounted } }: { readonly report: MailReport }) {
  if (problem !== null)
    return (
      <span>
        <Severity tone="unknown">Unreadable</Severity>
        <span class="settings-sub">{problem}</span>
      </span>
    );
  if (total === null) return <span class="faint">unknown</span>;
  const count = (many: number) =>
    type === "dmarc" ? toPlural(many, "message", "messages") : toPlural(many, "connection", "connections");
  return (
    <span>
      {failed ? (
        <Severity tone="minor">
          {toCount(failed)} of {count(total)} failed
        </Severity>
      ) : (
        <Severity tone="good">{count(total)}, none failed</Severity>
      )}
      {!isCounted && <span class="settings-sub">Duplicate, not counted again</span>}
    </span>
  );
}
