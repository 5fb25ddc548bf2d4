// Who is looking, and therefore what they see: the log-in, or the pages behind it.

import { useCallback, useEffect, useState } from "preact/hooks";
import { LogInPage } from "./account/log-in.tsx";
import { messageOf, Trouble } from "./client/call.ts";
import { goTo, PlaceProvider, useRouter, useTitle } from "./client/router.tsx";
import { leadToLogIn, openSession, renewSession, type Session, SessionProvider } from "./client/session.ts";
import { CurrentPage } from "./pages.tsx";
import { ErrorNote, Skeleton } from "./parts/states.tsx";
import { LogOutButton, Shell } from "./shell.tsx";

type StartState = "opening" | "nobody" | { readonly trouble: string } | { readonly session: Session | null };

export function App() {
  const place = useRouter();
  const [opening, setOpening] = useState<StartState>("opening");
  const isLogIn = place.path === "/login";

  const open = useCallback(async () => {
    try {
      setOpening({ session: await openSession() });
    } catch (error) {
      const isNobody = error instanceof Trouble && error.code === "missing_token";
      setOpening(isNobody ? "nobody" : { trouble: messageOf(error) });
    }
  }, []);
  const now = typeof opening === "object" && "session" in opening ? opening.session : null;
  const renew = useCallback(async () => {
    // What cannot be read now stays as it was shown.
    if (now === null) return;
    const session = await renewSession(now).catch(() => now);
    setOpening({ session });
  }, [now]);
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
      {isLogIn ? <LogInPage onLoggedIn={enter} /> : <Inside opening={opening} onRetry={open} renew={renew} />}
    </PlaceProvider>
  );
}

type InsideProps = {
  readonly opening: StartState;
  readonly onRetry: () => void;
  readonly renew: () => Promise<void>;
};

function Inside({ opening, onRetry, renew }: InsideProps) {
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
    <SessionProvider value={{ ...opening.session, renew }}>
      <Shell>
        <CurrentPage />
      </Shell>
    </SessionProvider>
  );
}

function NoWorkspace() {
  useTitle("No workspace");
  return (
    <main class="alone" id="main">
      <h1>You are of no workspace</h1>
      <p>You were a member once, or your workspace was deleted. An owner can invite you again.</p>
      <LogOutButton className="btn" />
    </main>
  );
}
