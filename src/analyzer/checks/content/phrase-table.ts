// Phrases that public filters count as signs of spam, by topic, in lowercase. They are weak evidence: the check counts
// groups instead of words, and one group alone proves nothing.

export type PhraseGroup = "money" | "urgency" | "prize" | "phishing" | "medicine" | "pressure";

const list = (phrases: string): readonly string[] => phrases.split(",").map((phrase) => phrase.trim());

export const phraseGroups: Readonly<Record<PhraseGroup, readonly string[]>> = {
  money: list(`
    free money, cash bonus, extra income, extra cash, double your, earn money, make money, earn cash, no credit check,
    consolidate debt, consolidate your debt, eliminate debt, get out of debt, financial freedom, work from home, risk free,
    no risk, money back guarantee, crypto giveaway, bitcoin giveaway, guaranteed income, guaranteed profit,
    million dollars, million euros, wire transfer, next of kin, pure profit, passive income, instant cash, low interest rate,
    schnelles geld, geld verdienen, nebenverdienst, argent facile, gagner de l'argent, dinero fácil, ganar dinero,
    soldi facili, guadagnare soldi, dinheiro fácil
  `),
  urgency: list(`
    act now, act fast, act immediately, last chance, final notice, expires today, expires tonight, ends tonight, urgent,
    only a few left, selling fast, hurry up, while supplies last, limited time only, don't delay, do not delay, before it's too late,
    offer expires, time is running out, last warning, final reminder, immediate action, respond immediately,
    letzte chance, nur noch heute, dringend, jetzt handeln, dernière chance, agissez maintenant, última oportunidad,
    actúe ahora, ultima occasione, última chance
  `),
  prize: list(`
    you have won, you've won, you won, you are a winner, lucky winner, grand prize, you have been selected,
    you've been selected, you have been chosen, claim your, claim now, congratulations, free gift, free iphone, gift card,
    lottery, sweepstakes, sie haben gewonnen, gewinnspiel, vous avez gagné, félicitations, has ganado, ha ganado,
    felicidades, hai vinto, congratulazioni, você ganhou, parabéns
  `),
  phishing: list(`
    verify your account, verify your identity, confirm your account, confirm your password, confirm your identity,
    update your payment, update your billing, update payment, account suspended, account has been suspended,
    account will be suspended, account has been limited, account will be closed, unusual sign in, unusual activity,
    suspicious activity, unauthorized login, mailbox is full, mailbox quota, password expires, password will expire,
    validate your email, konto gesperrt, konto bestätigen, ihr konto wurde, compte suspendu, vérifiez votre compte,
    cuenta suspendida, verifique su cuenta, conto sospeso, conta suspensa
  `),
  medicine: list(`
    viagra, cialis, levitra, online pharmacy, canadian pharmacy, without prescription, no prescription, weight loss,
    lose weight, burn fat, fat burner, miracle cure, male enhancement, enlargement, erectile, anti aging, diet pills,
    abnehmen, perte de poids, maigrir, bajar de peso, perder peso, dimagrire, emagrecer
  `),
  pressure: list(`
    click here, click below, click now, click the link below, order now, buy now, call now, sign up now, apply now,
    what are you waiting for, don't miss out, you will not believe, you won't believe, this is not spam,
    this isn't spam, not a scam, hier klicken, klicken sie hier, jetzt bestellen, cliquez ici, haga clic aquí, haz clic aquí,
    clicca qui, clique aqui, klik hier
  `),
};
