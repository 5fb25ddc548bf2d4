// The first tag of each row is the guess.

const tags = (list: string): readonly string[] => list.split(" ");
const words = (list: string): ReadonlySet<string> => new Set(list.split(" "));

type ScriptRow = { readonly letter: RegExp; readonly alike: readonly string[]; readonly isRightToLeft: boolean };

export const scriptLanguages: readonly ScriptRow[] = [
  { letter: /\p{Script=Greek}/gu, alike: tags("el grc"), isRightToLeft: false },
  {
    letter: /\p{Script=Cyrillic}/gu,
    alike: tags("ru uk bg sr mk be kk ky mn tg uz tt ba bs sh os cv"),
    isRightToLeft: false,
  },
  { letter: /\p{Script=Hebrew}/gu, alike: tags("he iw yi"), isRightToLeft: true },
  { letter: /\p{Script=Arabic}/gu, alike: tags("ar fa ur ps sd ckb ug ku az pa ks arz ary"), isRightToLeft: true },
  { letter: /\p{Script=Hangul}/gu, alike: tags("ko"), isRightToLeft: false },
  { letter: /\p{Script=Thai}/gu, alike: tags("th"), isRightToLeft: false },
  { letter: /\p{Script=Devanagari}/gu, alike: tags("hi mr ne sa kok mai bho"), isRightToLeft: false },
  { letter: /\p{Script=Georgian}/gu, alike: tags("ka"), isRightToLeft: false },
  { letter: /\p{Script=Armenian}/gu, alike: tags("hy"), isRightToLeft: false },
  {
    letter: /[\p{Script=Hiragana}\p{Script=Katakana}]|\p{Script=Han}/gu,
    alike: tags("zh ja yue wuu"),
    isRightToLeft: false,
  },
];

type WordRow = { readonly words: ReadonlySet<string>; readonly alike: readonly string[] };

/** Words that are frequent in one language and rare in the others listed. */
export const smallWords: readonly WordRow[] = [
  {
    alike: tags("en"),
    words: words("the and of you your for with is are this that we our have from not it be was will"),
  },
  {
    alike: tags("de"),
    words: words("der die das und ist sie ihr ihre nicht mit von zu auf wir uns für ein eine den dem sich auch"),
  },
  {
    alike: tags("fr"),
    words: words("le les et est vous votre vos nous notre pour dans avec une des du au sur pas ce cette qui"),
  },
  {
    alike: tags("es"),
    words: words("el los las y es su sus usted para con una del por tu tus nuestro nuestra este esta como más"),
  },
  {
    alike: tags("it"),
    words: words("il gli di è e per con una della del dei nel che non sono tuo tua nostro questo questa alla"),
  },
  {
    alike: tags("pt"),
    words: words("o os as e é seu sua você para com uma um do da dos das no na em não nosso este esta mais"),
  },
  {
    alike: tags("nl af"),
    words: words("het een van en je jouw uw wij onze voor met niet dat dit zijn op aan bij ook naar wordt"),
  },
  { alike: tags("pl"), words: words("i w na się z nie jest do że dla jak oraz twoje nasz tym lub od przez już") },
  { alike: tags("sv"), words: words("och att det som är för på av din ditt vi inte med ett den har till du") },
  {
    alike: tags("da nb no nn"),
    words: words("og at det som er for på af av din dit vi ikke med et den har til du jeg ikke"),
  },
  { alike: tags("cs sk"), words: words("a se na je že v pro vaše náš jsou nebo jako tak při vám aby ako sú pre") },
  { alike: tags("fi"), words: words("ja on ei että se sinun voit sekä tai kun ovat myös mutta olet meidän") },
  { alike: tags("hu"), words: words("a az és hogy nem is egy ez van meg már vagy csak ön kell mint még") },
  { alike: tags("tr"), words: words("ve bir bu için ile de da çok olan daha gibi sizin veya ne kadar size") },
  { alike: tags("ro"), words: words("și în de la cu pe nu este care pentru sau mai dumneavoastră noastre ale din") },
];
