// The dialogs that add and remove second factors.

import { useState } from "preact/hooks";
import { encode } from "uqr";
import { call } from "../../../web/client/call.ts";
import { troubleAt, useDoing } from "../../../web/client/use-action.ts";
import { Copyable } from "../../../web/parts/copy.tsx";
import { Dialog } from "../../../web/parts/dialog.tsx";
import { Field, FormActs, FormTrouble } from "../../../web/parts/form.tsx";
import { sayDone } from "../../../web/parts/states.tsx";
import { FormDialog, OwnPassword, TroubleNote } from "../../../web/settings/parts.tsx";
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
  const { isBusy, trouble, run } = useDoing();
  const [begun, setBegun] = useState<Extract<Begun, { kind: "totp" }> | null>(null);
  const start = (event: SubmitEvent) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget as HTMLFormElement);
    void run(async () => {
      const started = await begin({ kind, name: String(typed.get("name")), ...toPassword(typed) });
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
          error={troubleAt(trouble, "name")}
        />
        <FormTrouble.Provider value={trouble}>
          <OwnPassword label="Your password" />
        </FormTrouble.Provider>
        {trouble?.code !== "invalid_credentials" && (
          <TroubleNote trouble={trouble} title="Couldn’t add it." fields={["name"]} />
        )}
        <FormActs action={kind === "totp" ? "Continue" : "Create passkey"} isBusy={isBusy} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

type ConfirmAppProps = {
  readonly begun: Extract<Begun, { kind: "totp" }>;
  readonly onClose: () => void;
  readonly onDone: (recoveryCodes: readonly string[]) => void;
};

function ConfirmApp({ begun, onClose, onDone }: ConfirmAppProps) {
  const send = async (typed: FormData) => onDone(await confirm(begun.id, { code: String(typed.get("code")) }));
  return (
    <FormDialog title="Scan this code" action="Add app" act={send} failed="Couldn’t add it." onClose={onClose}>
      <p>Scan it with your authenticator app. Then enter the six digits that the app shows.</p>
      <QrCode text={begun.uri} />
      <details class="small muted">
        <summary>Can’t scan it?</summary>
        <p>Enter this key in the app. Type: time-based.</p>
        <Copyable text={begun.secret} what="the key" />
      </details>
      <Field label="Code" name="code" autoComplete="one-time-code" autofocus required />
    </FormDialog>
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

// An open browser isn’t enough to remove a factor or to replace the codes.

export function RemoveFactor({ factor: { id, name }, onClose, onDone }: DoneProps & { readonly factor: SecondFactor }) {
  const remove = (typed: FormData) =>
    call("POST /api/auth/second-factors/:id/remove", { params: { id }, body: toPassword(typed) });
  return (
    <FormDialog
      title={`Remove ${name}?`}
      action="Remove"
      isGrave
      asksPassword
      act={remove}
      done={`${name} removed.`}
      failed="Couldn’t remove it."
      onDone={onDone}
      onClose={onClose}
    >
      <p>
        It can’t be used to log in anymore. If it’s your only one, your recovery codes stop working, too, and you log in
        with your password alone. Workspaces that require a second factor are then closed to you.
      </p>
      <OwnPassword label="Your password" />
    </FormDialog>
  );
}

export function NewCodes({ onClose, onDone }: DoneProps) {
  const create = async (typed: FormData) =>
    onDone((await call("POST /api/auth/recovery-codes", { body: toPassword(typed) })).recoveryCodes);
  return (
    <FormDialog
      title="Create new recovery codes?"
      action="Create codes"
      asksPassword
      act={create}
      failed="Couldn’t create them."
      onClose={onClose}
    >
      <p>Your old recovery codes stop working.</p>
      <OwnPassword label="Your password" />
    </FormDialog>
  );
}

function toPassword(typed: FormData) {
  return { password: String(typed.get("password")) };
}
