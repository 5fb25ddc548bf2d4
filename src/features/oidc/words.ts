// What the login page says when a login at an organization's issuer didn't work. The codes are in URLs, so they are never
// renamed.

type Words = {
  readonly title: string;
  /** `at`: the issuer's label. */
  readonly text: (at: string) => string;
};

export const logInProblems = {
  silent: {
    title: "Login is not available",
    text: (at) => `${at} isn’t responding. Try again in a minute. If this continues, tell your administrator.`,
  },
  refused: {
    title: "Login failed",
    text: (at) => `${at} and this server don’t agree. The server’s log has details for your administrator.`,
  },
  denied: { title: "Login canceled", text: (at) => `The login at ${at} was canceled, so you aren’t logged in.` },
  interrupted: {
    title: "Login interrupted",
    text: () =>
      "This login took longer than ten minutes, was already finished, or began in another browser. Start again.",
  },
  no_role: {
    title: "No access",
    text: (at) =>
      `${at} knows you, but your groups there don’t give you access to any workspace. Ask your administrator.`,
  },
  no_email: {
    title: "No email address",
    text: (at) => `${at} didn’t send your email address, which your account needs. Ask your administrator.`,
  },
  unverified_email: {
    title: "Email address not verified",
    text: (at) => `${at} says that your email address isn’t verified. Verify it there, and then log in again.`,
  },
  account_exists: {
    title: "Connect your account",
    text: (at) =>
      `An account with your email address already exists. To connect it with ${at}, enter the account’s password once.`,
  },
  account_without_password: {
    title: "Account already exists",
    text: (at) =>
      `An account with your email address already exists, and it has no password. Log in to it another way, and then connect ${at} in Settings, Account.`,
  },
  taken: {
    title: "Already connected",
    text: (at) => `This person at ${at} is already connected with another account here.`,
  },
  other_person: {
    title: "Not connected",
    text: () => "Another person is logged in to Assay in this browser now. Start again.",
  },
  no_room: { title: "Workspace is full", text: () => "The workspace can’t have more members. Ask its owner." },
} as const satisfies Readonly<Record<string, Words>>;

export type LogInProblem = keyof typeof logInProblems;
