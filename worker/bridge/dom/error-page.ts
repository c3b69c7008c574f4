// The browser's own page about what it could not open spells the address out, with the user and password that were given in
// it. They are taken out of the document itself: nothing that is read or drawn of it has them.

/** As the worker takes them out of its own texts (RFC 3986, 3.2.1). */
const USERINFO = /(?<=:[/\\]{1,9})[^\s/?#"'\\]*@/g;

export function isErrorPage({ protocol }: Location): boolean {
  return protocol === "chrome-error:";
}

/** Takes user and password out of the addresses that the document shows, and of those that it shows later, before they are. */
export function hideUserinfo(page: Document): void {
  const hide = () => {
    const texts = page.createNodeIterator(page, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode() as Text | null; text; text = texts.nextNode() as Text | null) {
      // What its script holds is shown by nobody, and loads the address again as it was.
      if (text.parentElement instanceof HTMLScriptElement) continue;
      const hidden = text.data.replace(USERINFO, "");
      if (hidden !== text.data) text.data = hidden;
    }
  };
  new MutationObserver(hide).observe(page, { subtree: true, childList: true, characterData: true });
  hide();
}
