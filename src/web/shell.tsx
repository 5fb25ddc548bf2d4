// The frame of every page: navigation, account menu and keyboard shortcuts.

import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import { readVersion } from "./client/call.ts";
import { useKeys } from "./client/keys.ts";
import { roomAt, rooms } from "./client/rooms.ts";
import { goTo, usePlace } from "./client/router.tsx";
import { logOut, switchWorkspace, useSession } from "./client/session.ts";
import { keepTheme, readTheme, themes } from "./client/theme.ts";
import { useDoing } from "./client/use-action.ts";
import { Dialog } from "./parts/dialog.tsx";
import { Icon } from "./parts/icon.tsx";
import { Menu } from "./parts/navigation.tsx";
import { ErrorNote, Toasts } from "./parts/states.tsx";
import { ThemeChoice } from "./parts/theme-choice.tsx";
import { ServerBanner } from "./server-banner.tsx";

export function Shell({ children }: { readonly children: ComponentChildren }) {
  const [isHelpOpen, setHelpOpen] = useState(false);
  const keys = useMemo(
    () => ({
      "?": () => setHelpOpen(true),
      ...Object.fromEntries(rooms.map(({ key, path }) => [`g ${key}`, () => goTo(path)])),
      // From earlier versions: Dashboard and Domains.
      "g d": () => goTo("/"),
      "g o": () => goTo("/domains"),
      "g n": () => goTo("/start"),
      t: () => keepTheme(themes[(themes.indexOf(readTheme()) + 1) % themes.length] ?? "auto"),
    }),
    [],
  );
  useKeys(keys);
  return (
    <>
      <SkipLink />
      <header class="bar">
        <div class="bar-in">
          <Brand />
          <Navigation className="nav" />
          <div class="bar-end">
            <a class="btn small seed" href="/start">
              <Icon name="send" />
              New test
            </a>
            <PersonMenu onHelp={() => setHelpOpen(true)} />
          </div>
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        <ServerBanner />
        {children}
      </main>
      <Footer />
      <Toasts />
      {isHelpOpen && <KeyboardHelp onClose={() => setHelpOpen(false)} />}
    </>
  );
}

/** Moves the focus and leaves the hash alone, which names a section of the page. */
function SkipLink() {
  const skip = (event: MouseEvent) => {
    event.preventDefault();
    document.getElementById("main")?.focus();
  };
  return (
    // biome-ignore lint/a11y/useValidAnchor: it links within this page and works without a script
    <a class="skip" href="#main" onClick={skip}>
      Skip to content
    </a>
  );
}

export function Brand() {
  return (
    <a class="brand" href="/">
      <Icon name="logo" />
      Assay
    </a>
  );
}

/** Rendered in the bar and in the menu. On narrow screens only the copy in the menu is shown. */
function Navigation({ className, entryClass }: { readonly className: string; readonly entryClass?: string }) {
  const { path: here } = usePlace();
  const room = roomAt(here);
  return (
    <nav class={className} aria-label="Main">
      {rooms.map((each) => {
        const { path } = each;
        const current = each === room ? (path === here ? "page" : "true") : undefined;
        return (
          <a key={path} href={path} class={entryClass} aria-current={current}>
            {each.label}
          </a>
        );
      })}
    </nav>
  );
}

const furtherPages = [
  { path: "/docs", label: "Handbook" },
  { path: "/docs/api", label: "API reference" },
  { path: "/docs/changelog", label: "Changelog" },
] as const;

function FurtherLinks({ className }: { readonly className?: string }) {
  return (
    <>
      {furtherPages.map(({ path, label }) => (
        <a key={path} class={className} href={path}>
          {label}
        </a>
      ))}
    </>
  );
}

function Footer() {
  return (
    <footer class="foot page-foot">
      <span>Assay {readVersion()}</span>
      <nav aria-label="More">
        <FurtherLinks />
      </nav>
    </footer>
  );
}

function PersonMenu({ onHelp }: { readonly onHelp: () => void }) {
  const { person, workspace } = useSession();
  const { workspaces } = person;
  const { name, email } = person.user;
  const summary = (
    <>
      <span class="clip">{name}</span>
      <Icon name="menu" />
    </>
  );
  return (
    <Menu label={`Account menu for ${name}`} summary={summary}>
      <p class="who-am-i">
        <strong>{name}</strong>
        <span class="small muted">{email}</span>
      </p>
      {workspaces.length > 1 ? (
        <label class="field">
          <span class="label">Workspace</span>
          <select class="input" value={workspace.id} onChange={(event) => switchWorkspace(event.currentTarget.value)}>
            {workspaces.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      ) : (
        <p class="small muted">Workspace: {workspace.name}</p>
      )}
      <Navigation className="pages" entryClass="as-entry" />
      <div class="row between">
        <span class="label">Theme</span>
        <ThemeChoice />
      </div>
      <a class="as-entry" href="/start">
        New test
      </a>
      <a class="as-entry" href="/settings/you">
        Account
      </a>
      <button class="as-entry" type="button" onClick={onHelp}>
        Keyboard shortcuts <kbd>?</kbd>
      </button>
      <FurtherLinks className="as-entry" />
      <LogOutButton className="as-entry" />
    </Menu>
  );
}

export function LogOutButton({ className }: { readonly className: string }) {
  const { isBusy, trouble, run } = useDoing();
  return (
    <>
      {trouble !== null && <ErrorNote title="Couldn’t log out." message={trouble.message} />}
      <button class={className} type="button" disabled={isBusy} onClick={() => void run(logOut)}>
        Log out
      </button>
    </>
  );
}

const keyHelp: readonly { readonly keys: readonly string[]; readonly does: string }[] = [
  { keys: ["/"], does: "Search" },
  { keys: ["j", "k"], does: "Next or previous test or finding" },
  { keys: ["Enter"], does: "Open the selected item" },
  { keys: ["x"], does: "Select a test" },
  { keys: ["f"], does: "In a report: jump to the issues" },
  { keys: ["c"], does: "In a report: copy the open finding’s fix" },
  ...rooms.map(({ key, label }) => ({ keys: ["g", key], does: `Go to ${label}` })),
  { keys: ["g", "n"], does: "Start a new test" },
  { keys: ["t"], does: "Switch theme: auto, light, dark" },
  { keys: ["Esc"], does: "Close a dialog or menu" },
  { keys: ["?"], does: "Show this list" },
];

function KeyboardHelp({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl class="keys">
        {keyHelp.map(({ keys, does }) => (
          <div key={does}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p class="small muted">
        Shortcuts are off while you type.{" "}
        {/* biome-ignore lint/a11y/useValidAnchor: it opens another page, and the dialog closes with this one */}
        <a href="/settings/you#keys" onClick={onClose}>
          Turn shortcuts on or off
        </a>
      </p>
      <div class="acts">
        <button class="btn" type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
