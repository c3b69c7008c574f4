// Hides credentials on the browser's own error page. That page spells out the address that failed, with the user and
// password in it. The bridge removes them from the document itself, so no text and no picture of it has them.

/** The worker uses the same pattern for its own texts (RFC 3986, 3.2.1). */
const USERINFO = /(?<=:[/\\]{1,9})[^\s/?#"'\\]*@/g;

export function isErrorPage({ protocol }: Location): boolean {
  return protocol === "chrome-error:";
}

/**
 * Removes user and password from the addresses that the document shows. Later texts are changed before they are shown.
 */
export function hideUserinfo(page: Document): void {
  const hide = () => {
    const texts = page.createNodeIterator(page, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode() as Text | null; text; text = texts.nextNode() as Text | null) {
      // The page never shows its script's text. The script also needs the whole address to load it again.
      if (text.parentElement instanceof HTMLScriptElement) continue;
      const hidden = text.data.replace(USERINFO, "");
      if (hidden !== text.data) text.data = hidden;
    }
  };
  new MutationObserver(hide).observe(page, { subtree: true, childList: true, characterData: true });
  hide();
}
