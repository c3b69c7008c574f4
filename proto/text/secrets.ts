// Removes secrets from what pages send, receive and store. They are known by the name that they stand under, or by
// their own form.
/** A value that JSON can hold. */
type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Stands where a secret was. */
export const REDACTED = "[redacted]";

/** Parts of names under which secrets stand, in names without separators. */
const SECRET_PART =
  /passw|passphrase|passcode|secret|token|apikey|accesskey|privatekey|credential|csrf|xsrf|sessionid|sessid|authorization|jwt|onetimecode|securitycode|verificationcode|codeverifier|assertion/;
/** Whole words of names. */
const SECRET_WORD = /^(?:pass|pwd|pin|otp|totp|cvv|cvc|sid|sig|signature|auth|bearer|session|cookie)$/;
/** Numbers under other names, such as `tokens`, are counts. */
const SECRET_NUMBER = /passw|passcode|^pin$|otp|^cv[vc]2?$|code/;
/** A code of OAuth 2 (RFC 6749, 4.1.2). A short one is a product's or a country's. */
const CODE_LENGTH_MIN = 12;

/** Each has a bound, because a page writes the texts. They are JSON Web Tokens, the credentials of a header, and keys of well-known services. */
const SECRET_FORMS = [
  /\beyJ[\w-]{5,500}\.[\w-]{5,4000}\.[\w-]{0,2000}/g,
  /(?<=\b(?:Bearer|Basic|Digest|Negotiate)\s{1,5})[\w~+/.=-]{8,8000}/gi,
  /\b(?:sk|pk|rk)_(?:live|test)_\w{8,}|\bgh[pousr]_\w{20,}|\bxox[abprs]-[\w-]{10,200}|\bAKIA[A-Z0-9]{12,}|\bAIza[\w-]{30,100}/g,
];

/** Returns true if the value of something with this name is a secret. */
export function isSecretName(name: string): boolean {
  const words = name
    .slice(0, 200)
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return SECRET_PART.test(words.join("")) || words.some((word) => SECRET_WORD.test(word));
}

/** Returns true if a value is long and looks drawn by lot: a session's id or a key. */
export function looksSecret(value: string): boolean {
  if (withoutSecretForms(value) !== value) return true;
  const [run = ""] = /[\w~+/=-]{20,}/.exec(value) ?? [];
  return /\d/.test(run) && /[a-z]/i.test(run);
}

/** Removes tokens and keys from a text, wherever they stand in it. */
export function withoutSecretForms(text: string): string {
  return SECRET_FORMS.reduce((left, form) => left.replace(form, REDACTED), text);
}

/** Removes user, password and the secrets of query, fragment and path from an address. */
export function withoutSecretsInAddress(address: string): string {
  const plain = address.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#@]*@/i, "$1");
  const [, path = "", carried = ""] = /^([^?#]*)(.*)$/s.exec(plain) ?? [];
  return withoutSecretForms(path) + carried.replace(/([?&#;]|^)([^?&#;=]+)=([^&#]*)/g, pairWithout);
}

/** Removes secrets from a form's body (application/x-www-form-urlencoded). */
export function withoutSecretsInForm(body: string): string {
  return body.replace(/(&|^)([^&=]+)=([^&]*)/g, pairWithout);
}

function pairWithout(pair: string, before: string, name: string, value: string): string {
  const isCode = decoded(name) === "code" && value.length >= CODE_LENGTH_MIN;
  const isSecret = value !== "" && (isCode || isSecretName(decoded(name)));
  return isSecret ? `${before}${name}=${REDACTED}` : withoutSecretForms(pair);
}

/** Removes secrets from a multipart body, whose parts name themselves. */
export function withoutSecretsInParts(body: string): string {
  const part =
    /(content-disposition:[^\r\n"]{0,100}\bname="([^"\r\n]{0,200})"[^\r\n]{0,300}(?:\r?\n[^\r\n]{1,300}){0,5}\r?\n\r?\n)([^\r\n]*)/gi;
  return withoutSecretForms(
    body.replace(part, (whole, head: string, name: string) => (isSecretName(name) ? head + REDACTED : whole)),
  );
}

/** Removes secrets from JSON. Text that is none, such as the beginning of it, loses what stands under secret names. */
export function withoutSecretsInJson(text: string): string {
  try {
    return JSON.stringify(valueWithout(JSON.parse(text) as Json, ""));
  } catch {
    const pair = /("((?:[^"\\]|\\.){1,100})"\s*:\s*)("(?:[^"\\]|\\.)*"?|-?[\d.]+)/g;
    return withoutSecretForms(
      text.replace(pair, (whole, head: string, name: string, value: string) =>
        isSecretValue(name, value.startsWith('"')) ? `${head}"${REDACTED}"` : whole,
      ),
    );
  }
}

function valueWithout(value: Json, name: string): Json {
  if (typeof value === "string")
    return value !== "" && isSecretValue(name, true) ? REDACTED : withoutSecretForms(value);
  if (typeof value === "number") return isSecretValue(name, false) ? REDACTED : value;
  if (Array.isArray(value)) return value.map((each) => valueWithout(each, name));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, valueWithout(each, key)]));
}

function isSecretValue(name: string, isText: boolean): boolean {
  return isSecretName(name) && (isText || SECRET_NUMBER.test(name.toLowerCase()));
}

/** Removes the values of password fields and of hidden secrets from HTML, as far as their tags show them. */
export function withoutSecretsInHtml(html: string): string {
  const tag = /<(?:input|meta)\b[^<>]{0,2000}>/gi;
  const blanked = html.replace(tag, (whole) => {
    const name = /\b(?:name|id)\s*=\s*["']?([^"'\s>]*)/i.exec(whole)?.[1] ?? "";
    const isSecret = /\btype\s*=\s*["']?password/i.test(whole) || isSecretName(name);
    return isSecret
      ? whole.replace(/\b(value|content)(\s*=\s*)("[^"]*"|'[^']*'|[^\s>]+)/i, `$1$2"${REDACTED}"`)
      : whole;
  });
  return withoutSecretForms(blanked);
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll("+", " "));
  } catch {
    return name;
  }
}
