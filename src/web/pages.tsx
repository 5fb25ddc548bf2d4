// Which page stands at which address. What is not asked for at once is loaded when it is.

import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { messageOf } from "./client/ask.ts";
import { usePlace, useTitle } from "./client/router.tsx";
import { EmptyState, ErrorNote, Skeleton } from "./parts/states.tsx";
import { ReportPage } from "./report/page.tsx";
import { StartPage } from "./start/page.tsx";
import { TestsPage } from "./tests/page.tsx";

/** By their names in the path. */
export type PageProps = Readonly<Record<string, string>>;
type Component = ComponentType<PageProps>;

type PageEntry = { readonly path: string } & (
  | { readonly component: Component }
  | { readonly load: () => Promise<Component> }
);

const more = () => import("./more-pages.ts");

const pages: readonly PageEntry[] = [
  { path: "/", load: async () => (await more()).DashboardPage },
  { path: "/start", component: StartPage },
  { path: "/laboratory", load: async () => (await more()).LaboratoryPage },
  { path: "/tests", component: TestsPage },
  { path: "/tests/:id", component: ReportPage as Component },
  { path: "/tests/:id/compare/:other", load: async () => (await more()).ComparePage as Component },
  { path: "/domains", load: async () => (await more()).DomainsPage },
  { path: "/domains/:id", load: async () => (await more()).DomainPage as Component },
  { path: "/alerts", load: async () => (await more()).AlertsPage },
  { path: "/alerts/:id", load: async () => (await more()).AlertPage as Component },
  { path: "/integrations", load: async () => (await more()).IntegrationsPage },
  { path: "/predictions", load: async () => (await more()).PredictionsPage },
  { path: "/settings", load: async () => (await more()).SettingsPage },
  { path: "/settings/:section", load: async () => (await more()).SettingsPage as Component },
];

export function CurrentPage() {
  const { path } = usePlace();
  const found = findPage(path);
  if (found === null) return <NoSuchPage />;
  const { entry, props } = found;
  const key = Object.values(props).join("/");
  if ("component" in entry) return <entry.component key={entry.path + key} {...props} />;
  return <LoadedPage key={entry.path + key} load={entry.load} props={props} />;
}

function findPage(path: string): { readonly entry: PageEntry; readonly props: PageProps } | null {
  const parts = path.split("/");
  for (const entry of pages) {
    const asked = entry.path.split("/");
    if (asked.length !== parts.length) continue;
    if (!asked.every((part, index) => part === parts[index] || (part.startsWith(":") && parts[index])))
      continue;
    const props = asked.flatMap((part, index) =>
      part.startsWith(":") ? [[part.slice(1), parts[index] ?? ""] as const] : [],
    );
    return { entry, props: Object.fromEntries(props) };
  }
  return null;
}

type Loading = { readonly component: Component } | { readonly trouble: string } | null;

function LoadedPage({ load, props }: { readonly load: () => Promise<Component>; readonly props: PageProps }) {
  const [loading, setLoading] = useState<Loading>(null);
  useEffect(() => {
    load().then(
      (component) => setLoading({ component }),
      (error: unknown) => setLoading({ trouble: messageOf(error) }),
    );
  }, []);
  if (loading === null) return <Skeleton lines={6} what="this page" />;
  if ("component" in loading) return <loading.component {...props} />;
  return (
    <ErrorNote
      title="This page could not be loaded."
      // A newer Assay has its files under other names.
      message={`Assay does not answer, or was renewed meanwhile. (${loading.trouble})`}
      onRetry={() => window.location.reload()}
    />
  );
}

function NoSuchPage() {
  useTitle("No such page");
  return (
    <EmptyState icon="search" title="There is no such page" isPage>
      <a class="btn" href="/tests">
        All tests
      </a>
    </EmptyState>
  );
}
