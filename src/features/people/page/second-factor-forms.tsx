// The dialogs that add and remove second factors.

import { useState } from "preact/hooks";
import { encode } from "uqr";
import { call } from "../../../web/client/call.ts";
import { troubleAt, useDoing } from "../../../web/client/use-action.ts";
import { Copyable } from "../../../web/parts/copy.tsx";
import { Dialog } from "../../../web/parts/dialog.tsx";
import { Field, FormActs } from "../../../web/parts/form.tsx";
import { sayDone } from "../../../web/parts/states.tsx";
import { TroubleNote } from "../../../web/settings/parts.tsx";
import type { SecondFactor } from "../contract/second-factors.ts";
import { makePasskey } from "./passkeys.ts";

type Kind = SecondFactor["kind"];

export const kindWords: Readonly<Record<Kind, string>> = { totp: "Authenticator app", passkey: "Passkey" };

type Begun = Awaited<ReturnType<typeof begin>>;
type DoneProps = { readonly onClose: () => void; readonly onDone: (recoveryCodes?: readonly string[]) => void };

function begin(body: { kind: Kind; name: string; password: string }) {
  return call("POST /api/auth/second-factors", { body });
}

async function confirm(id: string, body: { code: string } | { passkey: Record<string, unknown> }) {
  return (await call("POST /api/auth/second-factors/:id/confirm", { params: { id }, body })).recoveryCodes;
}

export function AddFactor({ kind, onClose, onDone }: DoneProps & { readonly kind: Kind }) {
  const doing = useDoing();
  const [begun, setBegun] = useState<Extract<Begun, { kind: "totp" }> | null>(null);
  const start = (event: SubmitEvent) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget as HTMLFormElement);
    void doing.run(async () => {
      const wanted = { kind, name: String(typed.get("name")), password: String(typed.get("password")) };
      const started = await begin(wanted);
      if (started.kind === "totp") return setBegun(started);
      const passkey = await makePasskey(started.options);
      finish(await confirm(started.id, { passkey }));
    });
  };
  const finish = (codes: readonly string[]) => {
    onDone(codes);
    sayDone(`${kindWords[kind]} added.`);
  };
  if (begun !== null) return <ConfirmApp begun={begun} onClose={onClose} onDone={finish} />;
  return (
    <Dialog title={kind === "totp" ? "Add an authenticator app" : "Add a passkey"} onClose={onClose}>
      <form class="stack" onSubmit={start}>
        <Field
          label="Name"
          name="name"
          required
          value={kind === "totp" ? "Phone" : "This device"}
          hint="To recognize it in the list."
          error={troubleAt(doing.trouble, "name")}
        />
        <PasswordField isWrong={doing.trouble?.code === "invalid_credentials"} />
        <OtherTrouble doing={doing} title="Couldn’t add it." />
        <FormActs action={kind === "totp" ? "Continue" : "Create passkey"} isBusy={doing.isBusy} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

function PasswordField({ isWrong }: { readonly isWrong: boolean }) {
  return (
    <Field
      label="Your password"
      name="password"
      type="password"
      autoComplete="current-password"
      required
      error={isWrong ? "Wrong password." : null}
    />
  );
}

function OtherTrouble({ doing, title }: { readonly doing: ReturnType<typeof useDoing>; readonly title: string }) {
  if (doing.trouble?.code === "invalid_credentials") return null;
  return <TroubleNote trouble={doing.trouble} title={title} fields={["name"]} />;
}

type ConfirmAppProps = {
  readonly begun: Extract<Begun, { kind: "totp" }>;
  readonly onClose: () => void;
  readonly onDone: (recoveryCodes: readonly string[]) => void;
};

function ConfirmApp({ begun, onClose, onDone }: ConfirmAppProps) {
  const { isBusy, trouble, run } = useDoing();
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    const code = String(new FormData(event.currentTarget as HTMLFormElement).get("code"));
    void run(async () => onDone(await confirm(begun.id, { code })));
  };
  return (
    <Dialog title="Scan this code" onClose={onClose}>
      <form class="stack" onSubmit={send}>
        <p>Scan it with your authenticator app. Then enter the six digits that the app shows.</p>
        <QrCode text={begun.uri} />
        <details class="small muted">
          <summary>Can’t scan it?</summary>
          <p>Enter this key in the app. Type: time-based.</p>
          <Copyable text={begun.secret} what="the key" />
        </details>
        <Field
          label="Code"
          name="code"
          autoComplete="one-time-code"
          autofocus
          required
          error={troubleAt(trouble, "code")}
        />
        <TroubleNote trouble={trouble} title="Couldn’t add it." fields={["code"]} />
        <FormActs action="Add app" isBusy={isBusy} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

/** Black on white in dark mode, too: not all apps read inverted codes. */
function QrCode({ text }: { readonly text: string }) {
  const { data, size } = encode(text, { ecc: "M", border: 2 });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label="QR code of the key">
      <path fill="#fff" d={`M0 0h${size}v${size}h-${size}z`} />
      <path fill="#000" d={dark.join("")} />
    </svg>
  );
}

type PasswordDialogProps = {
  readonly title: string;
  readonly text: string;
  readonly action: string;
  readonly failed: string;
  readonly isGrave?: boolean;
  readonly act: (password: string) => Promise<void>;
  readonly onClose: () => void;
};

/** An open browser isn’t enough. */
function PasswordDialog({ title, text, action, failed, isGrave = false, act, onClose }: PasswordDialogProps) {
  const doing = useDoing();
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    const password = String(new FormData(event.currentTarget as HTMLFormElement).get("password"));
    void doing.run(() => act(password));
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="stack" onSubmit={send}>
        <p>{text}</p>
        <PasswordField isWrong={doing.trouble?.code === "invalid_credentials"} />
        <OtherTrouble doing={doing} title={failed} />
        <FormActs action={action} isGrave={isGrave} isBusy={doing.isBusy} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

export function RemoveFactor({ factor, onClose, onDone }: DoneProps & { readonly factor: SecondFactor }) {
  return (
    <PasswordDialog
      title={`Remove ${factor.name}?`}
      text="It can’t be used to log in anymore. If it’s your only one, your recovery codes stop working, too, and you log in with your password alone. Workspaces that require a second factor are then closed to you."
      action="Remove"
      failed="Couldn’t remove it."
      isGrave
      onClose={onClose}
      act={async (password) => {
        const params = { id: factor.id };
        await call("POST /api/auth/second-factors/:id/remove", { params, body: { password } });
        onDone();
        sayDone(`${factor.name} removed.`);
      }}
    />
  );
}

export function NewCodes({ onClose, onDone }: DoneProps) {
  return (
    <PasswordDialog
      title="Create new recovery codes?"
      text="Your old recovery codes stop working."
      action="Create codes"
      failed="Couldn’t create them."
      onClose={onClose}
      act={async (password) =>
        onDone((await call("POST /api/auth/recovery-codes", { body: { password } })).recoveryCodes)
      }
    />
  );
}
