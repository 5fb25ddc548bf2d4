import { ask } from "../client/ask.ts";
import { useDoing } from "../client/doing.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Field } from "../parts/field.tsx";
import { FormActs } from "../parts/form-acts.tsx";
import { sayDone } from "../parts/toast.tsx";
import { TroubleNote, troubleOf } from "./section.tsx";
import { SelectField } from "./select-field.tsx";

const both = "both";
const algorithms = [
  { value: both, label: "Both" },
  { value: "rsa", label: "RSA, 2,048 bits" },
  { value: "ed25519", label: "Ed25519" },
] as const;

export function NewSigningKeys({
  onClose,
  onDone,
}: {
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const { isBusy, trouble, run } = useDoing();
  const make = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const domain = String(form.get("domain")).trim();
    const algorithm = String(form.get("algorithm"));
    const body = { domain, ...(algorithm === both ? {} : { algorithm }) };
    if (!(await run(() => ask("POST", "/api/signing-keys", { body })))) return;
    onClose();
    onDone();
    sayDone("The keys are made. Publish their records next.");
  };
  return (
    <Dialog title="New signing keys" onClose={onClose}>
      <form class="stack" onSubmit={(event) => void make(event)}>
        <Field
          label="Domain"
          name="domain"
          hint="The one that stands behind the @ of your From address."
          error={troubleOf(trouble, "domain", "The domain")}
        />
        <SelectField
          label="Kind of key"
          name="algorithm"
          hint="All receivers check RSA, few Ed25519, which is newer and shorter. With both, mail is signed twice."
          options={algorithms}
        />
        <TroubleNote trouble={trouble} title="No key was made." fields={["domain"]} />
        <FormActs action="Make the keys" busyAction="Making them …" isBusy={isBusy} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
