// What templates say before a sender writes into them. A short line counts only if all of its words are listed, so one
// list serves all languages.

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Things to write, of which at least one is in the line: "Your text here". Not those that people are asked for. */
export const nouns = words(`
  text texts headline heading subheading subheadline title subtitle content paragraph caption tagline slogan blurb
  überschrift untertitel titel inhalt absatz fließtext zwischenüberschrift texte titre sous-titre contenu paragraphe
  texto título titular subtítulo encabezado contenido párrafo testo titolo sottotitolo contenuto paragrafo intestazione
  conteúdo parágrafo cabeçalho tekst kop ondertitel inhoud alinea nagłówek tytuł treść akapit rubrik innehåll overskrift
  indhold innhold teksti otsikko nadpis obsah szöveg cím szöveget conținut titlu textul tekstisi текст заголовок содержание metin metninizi başlık
  κείμενο κείμενό τίτλος`);
export const places = words(`
  here hier ici aquí aqui acá qui tutaj här zde sem ide itt aici здесь сюда тут buraya tähän tänne εδώ`);
export const others = words(`
  add insert enter type write put place your the a an some own my main new short goes go button article section product
  email message newsletter preview sample address description to of
  ihr ihre ihren dein deine deinen der die das den ein eine einen fügen füge sie bitte steht kommt gehört geben einfügen
  eingeben schreiben ajoutez insérez saisissez écrivez tapez votre le la les un une du de ton tu tus su el escribe escriba
  inserta agrega añade introduce ingresa coloca va una il lo tuo inserisci scrivi aggiungi o seu sua insira escreva digite
  adicione voeg typ schrijf plaats jouw uw je het een toe in komt wpisz wstaw dodaj twój twoja skriv din ditt lägg till
  swój zadejte vložte váš tvůj svůj adaugă tău írja kirjoita введіть προσθέστε το σας свой ваш введите вставьте yazın girin ekleyin sizin`);
/** Only these are numbered in templates. Laws and schools have a "Title 1". */
export const numbered = words(
  "heading headline subheading überschrift encabezado intestazione cabeçalho nagłówek nadpis rubrik overskrift заголовок",
);

/** Words between brackets: "[Company Name]", "{first_name}". */
export const fields = words(`
  name names first last full company business organization organisation brand customer recipient subscriber sender event
  product logo wordmark firstname lastname fname lname companyname vorname nachname firma firmenname unternehmen
  unternehmensname kundenname prénom nom entreprise société nombre apellido apellidos empresa nome cognome azienda sobrenome
  voornaam achternaam bedrijfsnaam imię nazwisko firmy nazwa имя фамилия компании название isim soyisim şirket adı`);
/** With one of these, more words count. */
export const askers = words(`
  your insert enter ihr ihre dein deine votre vos ton tu su tuo tua seu sua uw jouw twój twoja ваш ваше`);
export const asked = words(`
  here address street city state zip country phone number email e-mail website url link date time title subject text
  image photo position job role amount price adresse straße ort datum telefonnummer telefon webseite dirección ciudad fecha
  indirizzo città data endereço cidade adres miasto link`);
/** They join the others. */
export const joiners = words("the of and de del della la le du da do di");

/**
 * Parts of sentences of the big makers (Mailchimp, Beefree, Unlayer, Wix, Divi, Elementor, Odoo, MailPoet, Mautic,
 * SendGrid, Mailgun), of templates that many copy, and of dummy texts. In ordinary mail they mean nothing.
 */
export const sentences = new RegExp(
  `
  use this area to offer a short|text here will show in the preview area of some email clients
  |delete the text, and start adding your own awesome content
  |highlight the text you want to style and select the options
  |give your content a place to live by adding, rearranging|i'm a new text block|i'm a new title block
  |i'm a new paragraph block|this is a new text block[.] change the text|click here to add your own text and edit me
  |edit or remove this text inline or in the module|click edit button to change this text
  |write one or two paragraphs describing your product|add your postal address here
  |menu items that will help you customize your newsletter|you can use it to add text to your template
  |this is where you add your primary message|this is where you describe what makes
  |a preheader is the short summary text that follows the subject|thanks for choosing acme inc
  |thanks for using acme inc|get this responsive email template|sometimes you just want to send a simple html email
  |this is a really simple email template|far far away, behind the word mountains|weit hinten, hinter den wortbergen
  |dies ist ein typoblindtext|ich bin blindtext|лорем ипсум|לורם איפסום|لوريم إيبسوم|لورم ایپسوم
  |هذا النص هو مثال لنص يمكن أن يستبدل|로렘 입숨|ここにテキストを入力|ここに文章を入力|在此处输入文字|在此输入文字|여기에 텍스트를 입력
  `.replaceAll("\n  ", ""),
);

/** Words of "lorem ipsum" that no other language uses, or that real Latin rarely puts next to each other. */
export const latin = words(`
  lorem ipsum dolor amet consectetur consectetuer adipiscing adipisicing elit eiusmod tempor incididunt labore dolore magna
  aliqua aliquam aliquip veniam nostrud ullamco laboris nisi commodo consequat duis aute irure reprehenderit voluptate
  cillum fugiat pariatur excepteur occaecat cupidatat proident mollit laborum pellentesque vestibulum maecenas eleifend
  posuere sollicitudin ullamcorper scelerisque malesuada egestas tristique vehicula fringilla hendrerit ultricies
  curabitur sagittis condimentum bibendum rhoncus faucibus dapibus tincidunt euismod laoreet volutpat nullam vivamus
  phasellus suspendisse praesent fermentum venenatis lacinia porttitor`);
