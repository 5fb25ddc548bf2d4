// The routes. Nearly all pages are in one bundle, because every extra file would delay the first page.

import type { ComponentType } from "preact";
import { AlertPage } from "../features/alerts/page/alert.tsx";
import { AlertsPage } from "../features/alerts/page/page.tsx";
import { DashboardPage } from "../features/dashboard/page/page.tsx";
import { DomainPage } from "../features/domains/page/domain.tsx";
import { DomainsPage } from "../features/domains/page/page.tsx";
import { InboxPlacement } from "../features/mailboxes/page/seed-list.tsx";
import { StreamsPage } from "../features/streams/page/page.tsx";
import { StreamPage } from "../features/streams/page/stream.tsx";
import { TestsPage } from "../features/tests/page/page.tsx";
import { StartPage } from "../features/tests/page/start/page.tsx";
import { usePlace } from "./client/router.tsx";
import { toLater } from "./parts/later.tsx";
import { NoSuchPage } from "./parts/states.tsx";
import { ReportPage } from "./report/page.tsx";

const pages: readonly PageEntry[] = [
  toEntry("/", DashboardPage),
  toEntry("/start", WholeStartPage),
  toEntry("/laboratory", toLater("LaboratoryPage")),
  toEntry("/tests", TestsPage),
  toEntry("/tests/:id", ReportPage),
  toEntry("/tests/:id/compare/:other", toLater("ComparePage")),
  toEntry("/streams", StreamsPage),
  toEntry("/streams/:id", StreamPage),
  toEntry("/monitors", toLater("MonitorsPage")),
  toEntry("/monitors/:id", toLater("MonitorPage")),
  toEntry("/canaries/new", toLater("NewCanaryPage")),
  toEntry("/domains", DomainsPage),
  toEntry("/domains/:id", DomainPage),
  toEntry("/domains/:id/policy", toLater("PolicyPage")),
  toEntry("/addresses", toLater("AddressesPage")),
  toEntry("/addresses/:id", toLater("AddressPage")),
  toEntry("/alerts", AlertsPage),
  toEntry("/alerts/:id", AlertPage),
  toEntry("/feedback", toLater("ReportsPage")),
  toEntry("/feedback/bounces", toLater("BouncesPage")),
  toEntry("/integrations", toLater("SettingsPage")),
  toEntry("/settings/:section", toLater("SettingsPage")),
];

function WholeStartPage() {
  return (
    <StartPage>
      <InboxPlacement />
    </StartPage>
  );
}

export function CurrentPage() {
  const { path } = usePlace();
  const found = findPage(pages, path);
  if (found === null) return <NoSuchPage />;
  const { entry, props } = found;
  const key = [entry.path, ...Object.values(props)].join(" ");
  return <entry.component key={key} {...props} />;
}

// A page and its path. Segments that start with a colon become props.

type PageProps = Readonly<Record<string, string>>;

type PageEntry = { readonly path: string; readonly component: ComponentType<PageProps> };

/** The parameters in the path and the props have the same names. Tests open every page at its path. */
function toEntry<P extends { readonly [Name in keyof P]?: string }>(
  path: string,
  component: ComponentType<P>,
): PageEntry {
  return { path, component: component as unknown as ComponentType<PageProps> };
}

type PageMatch = { readonly entry: PageEntry; readonly props: PageProps };

function findPage(pages: readonly PageEntry[], path: string): PageMatch | null {
  const parts = path.split("/");
  for (const entry of pages) {
    const asked = entry.path.split("/");
    const isIt =
      asked.length === parts.length &&
      asked.every((part, index) => part === parts[index] || (part.startsWith(":") && parts[index] !== ""));
    if (!isIt) continue;
    const named = asked.map((part, index) => [part.slice(1), parts[index] ?? ""] as const);
    return { entry, props: Object.fromEntries(named.filter((_, index) => asked[index]?.startsWith(":"))) };
  }
  return null;
}
