// What was done, said in passing. Errors are never said so: they stand where they happened.

import { useEffect, useState } from "preact/hooks";
import { Icon } from "./icon.tsx";

let show: (words: string) => void = () => {};
const staysMs = 10_000;

export function sayDone(words: string): void {
  show(words);
}

export function Toasts() {
  const [words, setWords] = useState("");
  useEffect(() => {
    show = setWords;
  }, []);
  useEffect(() => {
    if (words === "") return;
    const timer = setTimeout(() => setWords(""), staysMs);
    return () => clearTimeout(timer);
  }, [words]);
  return (
    <div class="toasts" role="status" aria-live="polite">
      {words !== "" && (
        <div class="toast good">
          <span class="tone">
            <Icon name="good" />
          </span>
          <span>{words}</span>
          <button class="btn small quiet" type="button" onClick={() => setWords("")}>
            Close
          </button>
        </div>
      )}
    </div>
  );
}
