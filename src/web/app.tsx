// Shows the login page, or the app once a session is open.

import { useCallback, useEffect, useState } from "preact/hooks";
import { readReturn } from "../features/oidc/page/log-in.tsx";
import { LogInPage } from "../features/people/page/log-in.tsx";
import { messageOf, Trouble } from "./client/call.ts";
import { goTo, PlaceProvider, useRouter, useTitle } from "./client/router.tsx";
import {
  leadToLogIn,
  openSession,
  renewSession,
  type Session,
  SessionProvider,
  switchWorkspace,
  useSession,
} from "./client/session.ts";
import { CurrentPage } from "./pages.tsx";
import { toLater } from "./parts/later.tsx";
import { ErrorNote, Skeleton } from "./parts/states.tsx";
import { LogOutButton, Shell } from "./shell.tsx";

type StartState = "opening" | "loggedOut" | { readonly trouble: string } | { readonly session: Session | null };

export function App() {
  const place = useRouter();
  const [opening, setOpening] = useState<StartState>("opening");
  const isLogIn = place.path === "/login";
  const isForgotten = place.path === "/forgot-password";
  const isOutside = isLogIn || isForgotten;

  const open = useCallback(async () => {
    try {
      setOpening({ session: await openSession() });
    } catch (error) {
      const isLoggedOut = error instanceof Trouble && error.code === "missing_token";
      setOpening(isLoggedOut ? "loggedOut" : { trouble: messageOf(error) });
    }
  }, []);
  const now = typeof opening === "object" && "session" in opening ? opening.session : null;
  const renew = useCallback(async () => {
    // If this fails, the page keeps what it shows.
    if (now === null) return;
    const session = await renewSession(now).catch(() => now);
    setOpening({ session });
  }, [now]);
  useEffect(() => {
    if (opening === "opening" && !isOutside) void open();
    if (opening === "loggedOut" && !isOutside) leadToLogIn();
  }, [opening, isOutside]);

  const enter = (next: string) => {
    setOpening("opening");
    goTo(next, { replace: true });
  };
  return (
    <PlaceProvider value={place}>
      {isForgotten ? (
        <ForgotPassword />
      ) : isLogIn ? (
        <LogInPage onLoggedIn={enter} readReturn={readReturn} />
      ) : (
        <Inside opening={opening} onRetry={open} renew={renew} />
      )}
    </PlaceProvider>
  );
}

type InsideProps = { readonly opening: StartState; readonly onRetry: () => void; readonly renew: () => Promise<void> };

function Inside({ opening, onRetry, renew }: InsideProps) {
  if (opening === "opening" || opening === "loggedOut")
    return (
      <main class="alone" id="main">
        <Skeleton lines={3} what="your account" />
      </main>
    );
  if ("trouble" in opening)
    return (
      <main class="alone" id="main">
        <h1>Assay</h1>
        <ErrorNote title="Couldn’t open this page." message={opening.trouble} onRetry={onRetry} />
      </main>
    );
  if (opening.session === null) return <NoWorkspace />;
  if (opening.session.workspace.secondFactorMissing)
    return (
      <SessionProvider value={{ ...opening.session, renew }}>
        <NeedsSecondFactor />
      </SessionProvider>
    );
  return (
    <SessionProvider value={{ ...opening.session, renew }}>
      <Shell>
        <CurrentPage />
      </Shell>
    </SessionProvider>
  );
}

const ForgotPassword = toLater("ForgotPasswordPage");
const SecondFactors = toLater("SecondFactors");

/** Nothing of the workspace can be read until the reader has one. */
function NeedsSecondFactor() {
  useTitle("Second factor required");
  const { person, workspace } = useSession();
  const others = person.workspaces.filter(({ secondFactorMissing }) => !secondFactorMissing);
  return (
    <main class="alone" id="main">
      <h1>{workspace.name} requires a second factor</h1>
      <p>Add one here, or log out and log in with the one that you already have.</p>
      <h2>Account</h2>
      <SecondFactors />
      {others.map(({ id, name }) => (
        <p key={id}>
          <button class="btn" type="button" onClick={() => switchWorkspace(id)}>
            Switch to {name}
          </button>
        </p>
      ))}
      <LogOutButton className="btn" />
    </main>
  );
}

function NoWorkspace() {
  useTitle("No workspace");
  return (
    <main class="alone" id="main">
      <h1>You’re not in a workspace</h1>
      <p>You may have been removed, or the workspace may have been deleted. Ask an owner to invite you.</p>
      <LogOutButton className="btn" />
    </main>
  );
}
