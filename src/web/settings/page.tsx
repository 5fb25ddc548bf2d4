// The settings in four groups, one page at a time. A page has one or more sections, each with its own address.

import { type ComponentType, Fragment } from "preact";
import { useEffect } from "preact/hooks";
import { AuditSection } from "../../features/audit-log/page.tsx";
import { PlanSection } from "../../features/billing/page.tsx";
import { IncomingHooksSection } from "../../features/hooks/page/incoming-hooks.tsx";
import { OutgoingServerSection } from "../../features/intake/page/outgoing-server.tsx";
import { OwnDomainSection } from "../../features/intake/page/own-domain.tsx";
import { SeedInboxesSection } from "../../features/intake/page/seed-inboxes.tsx";
import { IntegrationsSection } from "../../features/mailboxes/page/page.tsx";
import { RelaysSection } from "../../features/monitors/page/relays.tsx";
import { LogInList } from "../../features/oidc/page/logins.tsx";
import { MembersSection } from "../../features/people/page/members.tsx";
import { TokensSection } from "../../features/people/page/tokens.tsx";
import { WorkspaceSection } from "../../features/people/page/workspace.tsx";
import { YouSection } from "../../features/people/page/you.tsx";
import { PublicTestsSection } from "../../features/public-tests/page.tsx";
import { RehearsalsSection } from "../../features/rehearsal/page/rehearsals.tsx";
import { SamplesSection } from "../../features/sending/page.tsx";
import { ServerCheckSection } from "../../features/server/page/doctor.tsx";
import { OwnEmailSection } from "../../features/server/page/email.tsx";
import { ScannersSection } from "../../features/server/page/scanners.tsx";
import { BlocklistsSection, ServerSection } from "../../features/server/page/server.tsx";
import { KindRulesSection, SendingVolumeSection } from "../../features/tests/page/judging.tsx";
import { useArrival, usePlace, useTitle } from "../client/router.tsx";
import { type Session, useSession } from "../client/session.ts";
import { PageHeading } from "../parts/heading.tsx";
import { NoSuchPage } from "../parts/states.tsx";
import { SectionIdProvider } from "./parts.tsx";

type SettingsPlace = {
  readonly path: string;
  readonly label: string;
  /** By the ID of their headings. */
  readonly sections: Readonly<Record<string, ComponentType>>;
  /** Others don't see it in the list. Its address says why. */
  readonly isFor?: (session: Session) => boolean;
};

const owners = ({ workspace }: Session) => workspace.role === "owner";
const operators = ({ workspace }: Session) => workspace.operator;
const customers = ({ person }: Session) => person.hasPlans;

const You = () => <YouSection LogInList={LogInList} />;

const groups: Readonly<Record<string, readonly SettingsPlace[]>> = {
  You: [{ path: "/settings/you", label: "Account", sections: { account: You } }],
  Team: [
    {
      path: "/settings/workspace",
      label: "Members and workspace",
      sections: { members: MembersSection, workspace: WorkspaceSection },
    },
    { path: "/settings/tokens", label: "API tokens", sections: { tokens: TokensSection } },
    { path: "/settings/audit", label: "Audit log", sections: { audit: AuditSection }, isFor: owners },
    { path: "/settings/plan", label: "Plan", sections: { plan: PlanSection }, isFor: customers },
  ],
  Mail: [
    {
      path: "/settings/receiving",
      label: "Receiving",
      sections: {
        "seed-inboxes": SeedInboxesSection,
        "own-domain": OwnDomainSection,
        rehearsals: RehearsalsSection,
        "incoming-webhooks": IncomingHooksSection,
      },
    },
    {
      path: "/settings/sending",
      label: "Sending",
      sections: {
        "sending-volume": SendingVolumeSection,
        "outgoing-server": OutgoingServerSection,
        "own-email": OwnEmailSection,
        "message-types": KindRulesSection,
        relays: RelaysSection,
        samples: SamplesSection,
      },
    },
    { path: "/integrations", label: "Mailboxes and integrations", sections: { integrations: IntegrationsSection } },
  ],
  Server: [
    { path: "/settings/server", label: "Server", sections: { server: ServerSection }, isFor: operators },
    {
      path: "/settings/server-check",
      label: "Server check",
      sections: { check: ServerCheckSection },
      isFor: operators,
    },
    { path: "/settings/public", label: "Public tests", sections: { public: PublicTestsSection }, isFor: operators },
    {
      path: "/settings/blocklists",
      label: "Blocklists and scanners",
      sections: { blocklists: BlocklistsSection, scanners: ScannersSection },
      isFor: operators,
    },
  ],
};

export function SettingsPage() {
  const { path } = usePlace();
  const current = Object.values(groups)
    .flat()
    .find((page) => page.path === path);
  return current ? <Settings current={current} /> : <NoSuchPage />;
}

function Settings({ current }: { readonly current: SettingsPlace }) {
  const { hash } = usePlace();
  const session = useSession();
  useTitle(current.label);
  useArrival(true);
  useSteadyHash(hash);
  return (
    <>
      <PageHeading title="Settings" />
      <div class="report">
        <nav class="rail all" aria-label="Settings">
          {Object.entries(groups).map(([group, pages]) => {
            const shown = pages.filter(({ isFor }) => isFor?.(session) ?? true);
            if (shown.length === 0) return null;
            return (
              <Fragment key={group}>
                <p class="label" id={`group-${group}`}>
                  {group}
                </p>
                <ul aria-labelledby={`group-${group}`}>
                  {shown.map(({ path, label }) => (
                    <li key={path}>
                      <a href={path} aria-current={path === current.path ? "page" : undefined}>
                        {label}
                      </a>
                    </li>
                  ))}
                </ul>
              </Fragment>
            );
          })}
        </nav>
        <div>
          {Object.entries(current.sections).map(([id, Section]) => (
            <SectionIdProvider key={id} value={id}>
              <section class="settings-sec" aria-labelledby={id}>
                <Section />
              </section>
            </SectionIdProvider>
          ))}
        </div>
      </div>
    </>
  );
}

const acts = ["wheel", "touchmove", "pointerdown", "keydown"] as const;

/** What loads above the section of the address moves it. Followed until the reader scrolls, clicks, or types. */
function useSteadyHash(hash: string): void {
  useEffect(() => {
    const main = document.getElementById("main");
    if (hash === "" || main === null) return;
    const observer = new ResizeObserver(() => document.getElementById(hash.slice(1))?.scrollIntoView());
    const stop = () => observer.disconnect();
    observer.observe(main);
    for (const act of acts) window.addEventListener(act, stop, { once: true });
    return stop;
  }, [hash]);
}
