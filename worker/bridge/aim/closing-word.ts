// Finds, by words alone, the control that closes a layer and does nothing else.

/**
 * A control that can be seen and used. `leads` means a link to another page, which answers no question of the layer.
 */
export interface Control {
  name: string;
  leads: boolean;
}

/** These words name a layer. "Close the cookie banner" uses no other words, but "Close my account" does. */
const LAYER = new Set(
  (
    "the this cookie cookies cookie-banner dialog modal popup pop-up pop up window box layer lightbox overlay panel drawer " +
    "sidebar menu navigation banner bar message notification notice alert toast hint tip tooltip tour ad advert " +
    "advertisement promotion newsletter survey chat help search results"
  ).split(" "),
);
const CROSS = /^[×✕✖✗⨯x]$/iu;
const SHUT = /^(?:close|dismiss|hide)(?= |$)/i;
const SHUT_ALONE =
  /^(?:close|dismiss|hide|schließen|fermer|cerrar|chiudi|fechar|sluiten|stäng|luk|lukk|zamknij|zavřít)$/iu;
const DECLINED = /^(?:cancel|no,? thanks?(?: you)?|not now|maybe later|later|skip|abbrechen|annuler)$/iu;
const TAKEN_NOTE = /^(?:got it|ok|okay)$/i;

const CONSENT = /\b(?:cookies?|consent|gdpr|tracking|datenschutz|einwilligung|rgpd|consentement)\b/i;
const REFUSED =
  /^(?:(?:reject|decline|deny|refuse)(?: all)?(?: (?:optional|non-essential|unnecessary))?(?: cookies)?|(?:(?:use|allow|accept) )?(?:only )?(?:strictly )?(?:necessary|essential|required)(?: cookies)?(?: only)?|alle ablehnen|ablehnen|nur (?:notwendige|erforderliche)(?: cookies)?|tout refuser|continuer sans accepter|rechazar todo|rifiuta tutt[oi]|alles weigeren)$/iu;

/** Reports if the layer's words ask for consent to cookies or tracking. */
export function asksConsent(text: string): boolean {
  return CONSENT.test(text);
}

/**
 * Returns the control that closes a layer and agrees to nothing, or undefined if no control surely does. `text` has the
 * layer's other words. A control that names the layer comes first. Next come a refusal of consent, a control that
 * declines, and one that only says close. OK counts only if the layer asks nothing and has nothing else to press.
 */
export function closingControl<C extends Control>(controls: readonly C[], text: string): C | undefined {
  const that = (isWay: (name: string) => boolean) => controls.find(({ name }) => isWay(name));
  return (
    that(namesLayer) ??
    that((name) => asksConsent(text) && REFUSED.test(name)) ??
    that((name) => DECLINED.test(name) && !speaksOf(text, name)) ??
    that((name) => SHUT_ALONE.test(name) && !speaksOf(text, name)) ??
    theOnlyNote(controls, text)
  );
}

function theOnlyNote<C extends Control>(controls: readonly C[], text: string): C | undefined {
  const [only, ...others] = controls.filter(({ leads }) => !leads);
  return only && others.length === 0 && TAKEN_NOTE.test(only.name) && !/[?？؟]/.test(text) ? only : undefined;
}

function namesLayer(name: string): boolean {
  if (CROSS.test(name)) return true;
  const object = name.toLowerCase().split(" ").slice(1);
  return SHUT.test(name) && object.length > 0 && object.every((word) => LAYER.has(word));
}

/** A layer with such a word asks about the act itself: "Close your account?" */
function speaksOf(text: string, name: string): boolean {
  return text
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .includes(name.toLowerCase());
}
