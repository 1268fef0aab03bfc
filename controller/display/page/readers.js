// What the readers say: on which rung they are, what to do about it, and a halt's detail.

import { fill, h } from "./dom.js";

export function item(kind, label, ...content) {
  return h("div", { class: `item ${kind}` }, h("span", { class: "label" }, label), ...content);
}

export function drawReader(words, reader) {
  const label = reader.reader === "shoe" ? words.page.shoe : reader.reader;
  const good = reader.ready && !reader.trouble;
  return item(`reader ${good ? "up" : "down"}`, label, sign(good), words.rung[reader.rung]);
}

// What to do about a reader, in words; what its program says is the technician's, and small.
export function drawTrouble(words, reader) {
  if (!reader.trouble) return null;
  const told = reader.detail.name ? known(words, reader.detail) : "";
  const label = reader.reader === "shoe" ? words.page.shoe : reader.reader;
  return h(
    "p",
    { class: "trouble" },
    h("b", {}, `${label}: ${words.rung[reader.rung]}${told ? ` (${told})` : ""}. `),
    words.rung_do[reader.rung],
    told ? null : technical(words, reader.detail.text),
  );
}

function known(words, { name, n, suit }) {
  return fill(words.detail[name], { n, suit: words.french_suit[suit] });
}

function technical(words, text) {
  return text ? h("small", {}, ` ${words.page.technical}: ${text}`) : null;
}

export function sign(good) {
  return h("i", { "aria-hidden": "true" }, good ? "✓ " : "✕ ");
}

// What the readers have not said already.
export function drawDetail(words, { incident, detail }, readers) {
  const said = readers.some(({ detail: { text, name } }) => text === detail.text || (name && name === detail.name));
  if (detail.text === "" || said) return null;
  if (detail.name) return h("div", { class: "item detail" }, known(words, detail));
  const label = incident === "foreign_card" ? words.page.read : words.page.technical;
  return item("detail", label, h("small", {}, detail.text));
}
