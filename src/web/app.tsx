// Which page stands at which address.

import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import { LogInPage } from "./account/log-in.tsx";
import { messageOf, Trouble } from "./client/ask.ts";
import { goTo, PlaceProvider, usePlace, useRouter, useTitle } from "./client/router.tsx";
import { leadToLogIn, logOut, openSession, type Session, SessionProvider } from "./client/session.ts";
import { EmptyState, ErrorNote, Skeleton } from "./parts/states.tsx";
import { ReportPage } from "./report/page.tsx";
import { Shell } from "./shell.tsx";
import { StartPage } from "./start/page.tsx";
import { TestsPage } from "./tests/page.tsx";

type Opening = "opening" | "nobody" | { readonly trouble: string } | { readonly session: Session | null };

export function App() {
  const place = useRouter();
  const [opening, setOpening] = useState<Opening>("opening");
  const isLogIn = place.path === "/login";

  const open = useCallback(async () => {
    try {
      setOpening({ session: await openSession() });
    } catch (error) {
      const isNobody = error instanceof Trouble && error.code === "missing_token";
      setOpening(isNobody ? "nobody" : { trouble: messageOf(error) });
    }
  }, []);
  useEffect(() => {
    if (opening === "opening" && !isLogIn) void open();
    if (opening === "nobody" && !isLogIn) leadToLogIn();
  }, [opening, isLogIn]);

  const enter = (next: string) => {
    setOpening("opening");
    goTo(next, { replace: true });
  };
  return (
    <PlaceProvider value={place}>
      {isLogIn ? <LogInPage onLoggedIn={enter} /> : <Inside opening={opening} onRetry={open} />}
    </PlaceProvider>
  );
}

function Inside({ opening, onRetry }: { readonly opening: Opening; readonly onRetry: () => void }) {
  if (opening === "opening" || opening === "nobody")
    return (
      <main class="alone" id="main">
        <Skeleton lines={3} what="who you are" />
      </main>
    );
  if ("trouble" in opening)
    return (
      <main class="alone" id="main">
        <h1>Assay</h1>
        <ErrorNote title="This page could not open." message={opening.trouble} onRetry={onRetry} />
      </main>
    );
  if (opening.session === null) return <NoWorkspace />;
  return (
    <SessionProvider value={opening.session}>
      <Shell>
        <Page />
      </Shell>
    </SessionProvider>
  );
}

function Page() {
  const { path } = usePlace();
  const testId = useMemo(() => /^\/tests\/([^/]+)$/.exec(path)?.[1], [path]);
  useEffect(() => {
    if (path === "/") goTo("/tests", { replace: true });
  }, [path]);
  if (path === "/" || path === "/tests") return <TestsPage />;
  if (path === "/start") return <StartPage />;
  if (testId !== undefined) return <ReportPage key={testId} id={testId} />;
  return <NoSuchPage />;
}

function NoWorkspace() {
  useTitle("No workspace");
  return (
    <main class="alone" id="main">
      <h1>You are of no workspace</h1>
      <p>You were a member once, or your workspace was deleted. An owner can invite you again.</p>
      <button class="btn" type="button" onClick={() => void logOut()}>
        Log out
      </button>
    </main>
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
