// Messages made to cost a receiver more than their sender. Each is below the listener's default size limit.

import type { Letter } from "./compose.ts";
import { dnsLetters } from "./dns-letters.ts";
import { fileLetters } from "./file-letters.ts";
import { headerLetters } from "./header-letters.ts";
import { htmlLetters } from "./html-letters.ts";
import { mimeLetters } from "./mime-letters.ts";
import { signedLetters } from "./signed-letters.ts";

export const letters: readonly Letter[] = [
  ...mimeLetters,
  ...headerLetters,
  ...signedLetters,
  ...htmlLetters,
  ...fileLetters,
  ...dnsLetters,
];
