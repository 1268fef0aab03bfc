// A card as we draw it: rank letter and suit, readable from its left edge when cards overlap.

import { fill, h, svg } from "./dom.js";

export function cardName(words, card) {
  return fill(words.page.of_suit, { rank: words.rank[card[0]], suit: words.suit[card[1]] });
}

export function suitSign(suit, place = {}) {
  return svg("use", { href: `#suit-${suit}`, width: 30, height: 30, ...place });
}

export function drawCard(words, card) {
  const [rank, suit] = card;
  const text = svg("text", { x: 5, y: 46, class: `rank suit-${suit}` });
  text.textContent = rank;
  return svg(
    "svg",
    { viewBox: "0 0 100 150", class: "card", role: "img", "aria-label": cardName(words, card) },
    svg("rect", { x: 1, y: 1, width: 98, height: 148, rx: 9, class: "face" }),
    text,
    suitSign(suit, { x: 6, y: 54, width: 34, height: 34 }),
    suitSign(suit, { x: 30, y: 76, width: 66, height: 66 }),
  );
}

export function drawHand(words, name, hand) {
  const marks = [];
  if (hand.royal) marks.push(h("span", { class: "mark royal" }, words.page.royal));
  else if (hand.wild) marks.push(h("span", { class: "mark" }, `${words.page.wild} = ${hand.wild}`));
  return h(
    "section",
    { class: `hand ${name}`, "--n": String(hand.cards.length) },
    h(
      "header",
      {},
      h("h2", {}, name === "dealer" ? words.page.dealer : words.page.position),
      h("output", { class: "points", "data-fit": true }, hand.cards.length ? hand.points : "–"),
      ...marks,
    ),
    h(
      "div",
      { class: "cards", "--n": String(hand.cards.length) },
      hand.cards.map((card) => drawCard(words, card)),
    ),
  );
}
