import type { IssuedApiToken } from "../../api/accounts.ts";
import { call } from "../client/call.ts";
import { useDoing } from "../client/use-action.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Field } from "../parts/field.tsx";
import { FormActs } from "../parts/form-acts.tsx";
import { TroubleNote, troubleOf } from "./section.tsx";
import { SelectField } from "./select-field.tsx";

const lives = [
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "1 year" },
  { value: "never", label: "Never" },
] as const;

const dayMs = 86_400_000;

type NewTokenProps = { readonly onClose: () => void; readonly onIssued: (token: IssuedApiToken) => void };

export function NewToken({ onClose, onIssued }: NewTokenProps) {
  const { isBusy, trouble, run } = useDoing();
  const make = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const body = { name: String(form.get("name")), expiresAt: toEnd(String(form.get("life"))) };
    void run(async () => onIssued(await call("POST /api/tokens", { body })));
  };
  const nameTrouble =
    trouble?.code === "missing_name" ? "Give the token a name." : troubleOf(trouble, "name", "The name");
  return (
    <Dialog title="New token" onClose={onClose}>
      <form class="stack" onSubmit={make}>
        <Field
          label="Name"
          name="name"
          hint="What will use it, so that you know it again."
          error={nameTrouble}
        />
        <SelectField label="Ends after" name="life" value="90" options={lives} />
        <TroubleNote trouble={trouble} title="No token was made." fields={["name"]} />
        <FormActs action="Make the token" isBusy={isBusy} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

function toEnd(life: string): string | null {
  return life === "never" ? null : new Date(Date.now() + Number(life) * dayMs).toISOString();
}
