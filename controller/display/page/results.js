// The table of a settled round.

import { h } from "./dom.js";

// The side bets are shown where somebody has them: players × what each receives, in stakes.
export function drawResults(words, { results, pp }) {
  const names = [words.page.cards, words.page.points, "", words.page.players, words.page.returns];
  const poker = results.some((r) => r.mdp);
  if (poker) names.push(words.page.mdp);
  const head = names.map((name) => h("th", {}, name));
  const row = (r) =>
    h(
      "tr",
      {},
      h("td", {}, String(r.depth)),
      h("td", {}, r.points),
      h("th", {}, words.outcome[r.outcome]),
      h("td", {}, String(r.players)),
      h("td", {}, r.main === "" ? "–" : `× ${r.main}`),
      poker ? h("td", {}, r.mdp ? `${r.mdp} × ${r.mdp_returns}` : "–") : null,
    );
  return h(
    "div",
    { class: "paid" },
    h(
      "table",
      { class: "results", "--rows": String(results.length) },
      h("thead", {}, h("tr", {}, head)),
      h("tbody", {}, results.map(row)),
    ),
    pp ? h("p", { class: "pair" }, `${words.page.pp}: `, h("b", {}, `${pp.players} × ${pp.returns}`)) : null,
  );
}
