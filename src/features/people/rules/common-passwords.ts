// The passwords that people choose most, from what breaches have shown: of the list of 30,000 in zxcvbn-ts 4.1.3 those
// of at least ten characters, and the words that most people begin with, to which they add a year or a sign. Not the
// whole of what ever leaked: that takes gigabytes, and a service that is asked would learn what is asked for.
// Sorted by alphabet and in lower case.
// Copyright (c) 2012-2016 Dan Wheeler and Dropbox, Inc.; Copyright (c) 2021 @zxcvbn-ts; MIT license.

import lists from "./common-passwords.json" with { type: "json" };

export const commonPasswords: ReadonlySet<string> = new Set(lists.passwords.split(" "));
export const commonWords: ReadonlySet<string> = new Set(lists.words.split(" "));
