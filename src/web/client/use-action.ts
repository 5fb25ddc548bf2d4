// One action of the reader: running, done, or failed with a message to show beside it.

import { useCallback, useRef, useState } from "preact/hooks";
import { messageOf, Trouble } from "./call.ts";

export type Action = {
  readonly isBusy: boolean;
  readonly trouble: Trouble | null;
  /** True if it succeeded. A second click while it runs does nothing. */
  readonly run: (act: () => Promise<unknown>) => Promise<boolean>;
  readonly forget: () => void;
};

export function useDoing(): Action {
  const [isBusy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const isRunning = useRef(false);
  const run = useCallback(async (act: () => Promise<unknown>) => {
    if (isRunning.current) return false;
    isRunning.current = true;
    setBusy(true);
    setTrouble(null);
    try {
      await act();
      return true;
    } catch (error) {
      setTrouble(error instanceof Trouble ? error : new Trouble(messageOf(error)));
      return false;
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  }, []);
  const forget = useCallback(() => setTrouble(null), []);
  return { isBusy, trouble, run, forget };
}

/** The error message for one field of a form, if the trouble is about it. */
export function troubleAt(trouble: Trouble | null, field: string): string | null {
  return trouble !== null && trouble.field === field ? trouble.message : null;
}

/** The API names a field as in JSON: `"password" must have …`. A person knows it by its label, without "(optional)". */
export function toFieldError(message: string, field: string, label: string): string {
  const name = `"${field}"`;
  if (!message.startsWith(name)) return message;
  const [word = label] = label.split(" (", 1);
  return word + message.slice(name.length);
}
