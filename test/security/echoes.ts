// Makes hostile pages that repeat what is typed, in ways and encodings that a seed chooses.

/** Returns the next number from 0 up to `below`. */
export type Random = (below: number) => number;

/** A generator of numbers that a seed decides (mulberry32). */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** Expressions of what was typed, as a page writes them. `value` is the text. */
const ENCODINGS = [
  "value",
  "value.toUpperCase()",
  "value.toLowerCase()",
  "[...value].reverse().join('')",
  "encodeURIComponent(value)",
  "encodeURIComponent(encodeURIComponent(value))",
  "escape(value)",
  "JSON.stringify(value)",
  "JSON.stringify({ a: JSON.stringify(value) })",
  "value.replace(/[&<>\"']/g, (each) => '&#' + each.charCodeAt(0) + ';')",
  "[...value].map((each) => '&#x' + each.codePointAt(0).toString(16) + ';').join('')",
  "[...value].map((each) => '\\\\u' + each.charCodeAt(0).toString(16).padStart(4, '0')).join('')",
  "[...value].map((each) => each.codePointAt(0)).join(',')",
  "btoa(bytes(value))",
  "btoa('user:' + bytes(value))",
  "btoa('ab' + bytes(value) + 'c').replaceAll('+', '-').replaceAll('/', '_')",
  "[...bytes(value)].map((each) => each.charCodeAt(0).toString(16).padStart(2, '0')).join('')",
  "[...bytes(value)].map((each) => '%' + each.charCodeAt(0).toString(16).padStart(2, '0')).join('')",
  "[...value].join(' ')",
  "[...value].join('\\u200b')",
  "[...value].join('\\u00ad')",
  "[...value].map((each) => each + '\\u0301').join('')",
  "value.replace(/[!-~]/g, (each) => String.fromCharCode(each.charCodeAt(0) + 0xfee0))",
  "value.normalize('NFD')",
  "'x'.repeat(490) + value",
  "'x '.repeat(990) + value",
];

/** Statements that show a text. `text` is what to show, `place` an empty element of its own. */
const PLACES = [
  "place.textContent = 'Typed ' + text + ' so far'",
  "place.append(...pieces(text).map((each) => Object.assign(document.createElement('span'), { textContent: each })))",
  "place.append(...pieces(text).map((each) => Object.assign(document.createElement('b'), { textContent: each })))",
  "place.append(...[...text].map((each) => Object.assign(document.createElement('button'), { textContent: each })))",
  "place.append(...[...text].map((each, at) => Object.assign(document.createElement(at % 2 ? 'em' : 'a'), { textContent: each, href: '#' })))",
  "place.append(Object.assign(document.createElement('input'), { value: text }))",
  "place.append(Object.assign(document.createElement('textarea'), { value: text }))",
  "place.append(Object.assign(document.createElement('input'), { placeholder: text }))",
  "place.append(Object.assign(document.createElement('select'), { innerHTML: '<option>' })); place.querySelector('option').textContent = text",
  "place.append(Object.assign(document.createElement('img'), { alt: text }))",
  "place.append(Object.assign(document.createElement('button'), { title: text }))",
  "place.setAttribute('role', 'button'); place.setAttribute('aria-label', text)",
  "place.setAttribute('role', 'alert'); place.setAttribute('aria-description', text); place.textContent = 'Wrong'",
  "place.setAttribute('role', 'slider'); place.setAttribute('aria-valuetext', text); place.tabIndex = 0",
  "place.dataset.typed = text; place.id = 'id-' + text; place.className = text; place.textContent = 'x'",
  "place.dataset.typed = text; place.classList.add('drawn')",
  "place.append(Object.assign(document.createElement('a'), { href: '/x?q=' + text + '#' + text, textContent: 'Go' }))",
  "place.attachShadow({ mode: 'open' }).append(Object.assign(document.createElement('button'), { textContent: text }))",
  "place.attachShadow({ mode: 'closed' }).append(Object.assign(document.createElement('button'), { textContent: text }))",
  "place.append(Object.assign(document.createElement('iframe'), { srcdoc: '<button></button>', title: text, onload() { this.contentDocument.querySelector('button').textContent = text } }))",
  "place.append(Object.assign(document.createElement('iframe'), { src: elsewhere + '#' + encodeURIComponent(text), name: text }))",
  "place.innerHTML = '<svg><text></text><title></title></svg>'; place.querySelector('text').textContent = text; place.querySelector('title').textContent = text",
  "place.innerHTML = '<table><tr><td></td><td>cell</td></tr></table>'; place.querySelector('td').textContent = text",
  "place.innerHTML = '<ul></ul>'; place.firstChild.append(...pieces(text).map((each) => Object.assign(document.createElement('li'), { textContent: each })))",
  "place.contentEditable = true; place.textContent = text",
  "document.title = text",
  "try { history.pushState({}, '', '?q=' + text) } catch {}",
  "location.hash = text",
  "console.log(text)",
  "console.error('rejected', { [text]: text }, [text])",
  "console.table([{ text }])",
  "setTimeout(() => { throw new Error('rejected ' + text) })",
  "Promise.reject(new TypeError(text))",
  "fetch('/echo/' + encodeURIComponent(text)).catch(() => {})",
  "fetch('http://127.0.0.1:1/' + encodeURIComponent(text)).catch(() => {})",
  "try { new WebSocket('ws://127.0.0.1:1/' + encodeURIComponent(text)) } catch {}",
  "Object.assign(document.createElement('a'), { href: URL.createObjectURL(new Blob([text])), download: text + '.txt' }).click()",
  "localStorage.setItem('typed', text); document.cookie = 'typed=' + encodeURIComponent(text)",
  "setTimeout(() => alert('You typed ' + text))",
] as const;

/** Returns the script of a page that repeats what its field gets, so many times. */
export function echoScript(random: Random, echoes: number, elsewhere: string): string {
  let dialogs = 0;
  const statements = Array.from({ length: echoes }, () => {
    const encoding = ENCODINGS[random(ENCODINGS.length)];
    let place = PLACES[random(PLACES.length)] as string;
    // One dialog holds up all that comes after it.
    if (place.includes("alert(") && dialogs++ > 0) place = PLACES[0];
    return `echo((place, text) => { ${place} }, ${encoding});`;
  });
  return `const elsewhere = ${JSON.stringify(elsewhere)};
    const bytes = (text) => unescape(encodeURIComponent(text));
    const pieces = (text) => text.match(/.{1,3}/gsu) ?? [];
    const echo = (show, text) => {
      const place = document.createElement("p");
      out.append(place);
      try { show(place, text) } catch (error) { console.warn(error.message) }
    };
    field.addEventListener("input", () => { const { value } = field; ${statements.join("\n")} });`;
}

const LETTERS = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ0123456789-_./+&%"<é ß\\';

/** Returns a secret of 8 to 24 characters. It begins and ends with a letter. */
export function secretOf(random: Random): string {
  const length = 6 + random(17);
  const pick = () => LETTERS.charAt(random(LETTERS.length));
  return `k${Array.from({ length }, pick).join("")}Z`;
}
