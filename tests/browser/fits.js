// Runs in the page: everything on screen, nothing cut off, each card's index uncovered, contrast
// of WCAG AA. Returns faults.
() => {
  const faults = [];
  const box = document.querySelector("#app");
  if (box.scrollHeight > innerHeight + 1) faults.push(`page is ${box.scrollHeight} high`);
  for (const e of box.querySelectorAll("h1, p, .words, .paid, .points, .item, .button, .pad button, .button *, h2, td, .cards")) {
    const r = e.getBoundingClientRect();
    const name = `${e.tagName}.${e.className} ${e.textContent.slice(0, 20)}`;
    if (r.left < -1 || r.right > innerWidth + 1 || r.top < -1 || r.bottom > innerHeight + 1) {
      faults.push(`off screen: ${name}`);
    }
    if (e.scrollWidth > e.clientWidth + 2 && e.clientWidth > 0) faults.push(`cut in width: ${name}`);
    const inside = e.parentElement.getBoundingClientRect();
    if (r.top < inside.top - 2 || r.bottom > inside.bottom + 2) faults.push(`out of its box: ${name}`);
  }
  const indexes = [...box.querySelectorAll(".card:not(.back) + .card")].map((card) => [card.previousSibling, card]);
  for (const [under, over] of indexes) {
    const edge = over.getBoundingClientRect().left + 1;
    for (const part of [under.querySelector(".rank"), under.querySelector("use")]) {
      if (part.getBoundingClientRect().right > edge) faults.push(`covered: ${under.ariaLabel}`);
    }
  }
  const rgb = (text) => text.match(/[\d.]+/g).map(Number);
  const ground = (e) => {
    for (let at = e; at !== null; at = at.parentElement) {
      const colour = rgb(getComputedStyle(at).backgroundColor);
      if (colour.length === 3 || colour[3] === 1) return colour;
    }
    return [255, 255, 255];
  };
  const light = (colour) => {
    const [r, g, b] = colour.slice(0, 3).map((c) => {
      const part = c / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  for (const e of box.querySelectorAll("*")) {
    const speaks = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    if (!speaks || e.closest("svg") || e.closest(":disabled")) continue;
    const [a, b] = [light(rgb(getComputedStyle(e).color)), light(ground(e))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5) faults.push(`contrast ${contrast.toFixed(1)}: ${e.textContent}`);
  }
  return faults;
}
