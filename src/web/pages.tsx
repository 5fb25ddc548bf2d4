// Which page stands at which address. The first ones come with the app; the others are loaded when one of them is asked for.

import { useEffect, useState } from "preact/hooks";
import { messageOf } from "./client/ask.ts";
import { usePlace, useTitle } from "./client/router.tsx";
import { type FoundPage, findPage, type PageEntry, toEntry } from "./page-entry.ts";
import { EmptyState, ErrorNote, Skeleton } from "./parts/states.tsx";
import { ReportPage } from "./report/page.tsx";
import { StartPage } from "./start/page.tsx";
import { TestsPage } from "./tests/page.tsx";

const firstPages: readonly PageEntry[] = [
  toEntry("/start", StartPage),
  toEntry("/tests", TestsPage),
  toEntry("/tests/:id", ReportPage),
];

export function CurrentPage() {
  const { path } = usePlace();
  const found = findPage(firstPages, path);
  return found ? <Found found={found} /> : <PageAmongMore path={path} />;
}

function Found({ found: { entry, props } }: { readonly found: FoundPage }) {
  const key = [entry.path, ...Object.values(props)].join(" ");
  return <entry.component key={key} {...props} />;
}

type Loading = { readonly pages: readonly PageEntry[] } | { readonly trouble: string } | null;

function PageAmongMore({ path }: { readonly path: string }) {
  const [loading, setLoading] = useState<Loading>(null);
  useEffect(() => {
    import("./more-pages.ts").then(
      ({ morePages }) => setLoading({ pages: morePages }),
      (error: unknown) => setLoading({ trouble: messageOf(error) }),
    );
  }, []);
  if (loading === null) return <Skeleton lines={6} what="this page" />;
  if ("trouble" in loading)
    return (
      <ErrorNote
        title="This page could not be loaded."
        // A newer Assay has its files under other names.
        message={`Assay does not answer, or was renewed meanwhile. (${loading.trouble})`}
        onRetry={() => window.location.reload()}
      />
    );
  const found = findPage(loading.pages, path);
  return found ? <Found found={found} /> : <NoSuchPage />;
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
