// What a person would see of the page, as data. Runs beside the page's own scripts, in a world of its own.
(() => {
  const limit = (text, length) => String(text ?? "").slice(0, length).toWellFormed();
  const body = document.body ?? document.documentElement;
  const text = body?.innerText ?? "";
  const links = [];
  const known = new Set();
  for (const link of document.links) {
    if (links.length >= 60) break;
    const address = String(link.href).split("#")[0];
    const words = (link.innerText || link.getAttribute("aria-label") || link.title || "").trim();
    const elsewhere = /^https?:/.test(address) && address !== location.href.split("#")[0];
    if (!elsewhere || !words || known.has(address) || link.getClientRects().length === 0) continue;
    known.add(address);
    links.push([limit(words, 200), limit(address, 500)]);
  }
  const html = document.documentElement?.outerHTML ?? "";
  return {
    title: limit(document.title, 500),
    url: limit(location.href, 4000),
    language: limit(document.documentElement?.lang, 40),
    status: performance.getEntriesByType("navigation")[0]?.responseStatus ?? 0,
    text: limit(text, 400000),
    html: html.length <= 1500000 ? html.toWellFormed() : "",
    links,
  };
})()
