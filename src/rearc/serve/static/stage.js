// What is seen of one configuration: the arcs so far, the lists, and the legal transitions.

import { byId, el, svg } from "./dom.js";
import { SIZE, key } from "./layout.js";
import { about, draw, hints, nonProjective, pathsOf } from "./drawing.js";

const ROOM = 260; // for arcs: the lists and the transitions are to be in sight too

export class Stage {
  constructor(take) {
    this.take = take; // called with a transition that is clicked
  }

  // A new derivation: all its arcs get their places once and for all, so that nothing moves from step to step.
  open(derivation) {
    this.derivation = derivation;
    const ever = new Map();
    for (const step of derivation.steps) for (const arc of step.added) ever.set(key(arc), arc);
    const gold = (derivation.gold || []).map((h, k) => [h, k + 1, derivation.words[k].deprel]).filter(([h]) => h !== null);
    this.picture = draw(derivation.words, [...ever.values()], byId("show-gold").checked ? gold : [], "arcs so far", ROOM);
    this.fixed = new Set(derivation.constraints.map(([d, h]) => `${h}-${d}`));
    for (const part of this.picture.under.values()) part.is("gold");
    this.heads = [0];
    hints(this.picture, (d) => about(derivation.words[d - 1], d, this.heads[d], this.labels?.[d]));
    this.preview = this.picture.root.appendChild(svg("g", { class: "arc preview" }));
    byId("tree").replaceChildren(this.picture.root);
  }

  show(frame) {
    this.arcs(frame);
    this.lists(frame);
    this.transitions(frame);
    byId("configuration").textContent = frame.configuration;
    this.follow(frame);
  }

  arcs(frame) {
    const now = new Map(frame.arcs.map((arc) => [key(arc), arc]));
    const added = new Set(frame.added.map(key));
    const removed = new Map(frame.removed.map((arc) => [key(arc), arc]));
    this.heads = [0, ...this.derivation.words.map(() => null)];
    this.labels = [];
    for (const [h, d, label] of frame.arcs) [this.heads[d], this.labels[d]] = [h, label];
    const crossing = nonProjective(this.heads.map((h) => (h === null ? 0 : h)));
    for (const [name, part] of this.picture.arcs) {
      const arc = now.get(name) || removed.get(name);
      if (!arc) { part.is(""); continue; }
      part.say(arc[2]);
      const classes = now.has(name) ? ["on"] : ["removed"];
      if (added.has(name)) classes.push("added");
      if (now.has(name) && crossing.has(arc[1])) classes.push("np");
      if (this.fixed.has(name)) classes.push("fixed");
      part.is(classes.join(" "));
    }
    this.preview.replaceChildren();
  }

  lists(frame) {
    const { words } = this.derivation;
    const last = frame.lists.length - 1;
    const names = { σ: "stack", β: "buffer", λ1: "to be compared", λ2: "passed" };
    byId("lists").replaceChildren(
      ...frame.lists.map(({ name, words: ids }, k) => {
        const boxes = ids.map((w, place) => {
          const focus = k === last ? place === 0 : place === ids.length - 1 && k === 0;
          const form = w ? words[w - 1].form : "root";
          return el("li", { class: `box${focus ? " focus" : ""}${w ? "" : " root"}` }, el("span", { dir: "auto" }, form), el("small", {}, w ? String(w) : k === last ? "r" : "0"));
        });
        const label = `${name} ${names[name] || ""}`;
        return el("div", { class: `list ${k === last ? "right" : "left"}` }, el("h3", {}, el("b", {}, name), ` ${names[name]}`),
          el("ol", { "aria-label": `${label}: ${ids.length} words`, tabindex: "0" }, ...(boxes.length ? boxes : [el("li", { class: "box empty" }, "empty")])));
      }),
    );
    for (const list of byId("lists").querySelectorAll(".left ol")) list.scrollLeft = list.scrollWidth; // the top is at the right
  }

  transitions(frame) {
    const { words, gold } = this.derivation;
    const form = (w) => (w ? words[w - 1].form : "root");
    const hasScores = frame.transitions.some((each) => each.score !== null);
    const rows = frame.transitions.map((each) => {
      const verdict = [];
      if (each.optimal) verdict.push(el("span", { class: "badge optimal" }, "optimal"));
      if (each.choice) verdict.push(el("span", { class: "badge choice" }, "parser’s choice"));
      if (each.name === frame.taken && frame.by === "you") verdict.push(el("span", { class: "badge yours" }, "yours"));
      if (each.allowed === false) verdict.push(el("span", { class: "badge" }, "not for this oracle"));
      const builds = each.arc ? [`${form(each.arc[0])} → ${form(each.arc[1])}`, each.arc[2] ? el("small", {}, ` ${each.arc[2]}`) : null] : ["–"];
      const row = el("tr", { class: each.name === frame.taken ? "taken" : null },
        el("th", { scope: "row" }, el("button", { type: "button", class: "transition", "data-transition": each.name, "aria-current": each.name === frame.taken ? "step" : null, click: () => this.take(each.name) }, each.name)),
        el("td", { dir: "auto" }, ...builds), el("td", { class: "number" }, each.score === null ? "–" : shown(each.score)),
        el("td", { class: `number${each.cost ? " costly" : ""}` }, each.cost === null || each.cost === undefined ? "–" : String(each.cost)), el("td", {}, ...verdict));
      for (const [on, off] of [["pointerenter", "pointerleave"], ["focusin", "focusout"]]) {
        row.addEventListener(on, () => this.point(each.arc));
        row.addEventListener(off, () => this.preview.replaceChildren());
      }
      return row;
    });
    const table = byId("transitions");
    table.tBodies[0].replaceChildren(...(rows.length ? rows : [el("tr", {}, el("td", { colspan: "5" }, "None: this is the end."))]));
    table.classList.toggle("no-scores", !hasScores);
    table.classList.toggle("no-costs", !gold);
  }

  // The arc that a transition would build.
  point(arc) {
    this.preview.replaceChildren();
    if (!arc) return;
    const [h, d] = arc;
    const known = this.picture.placed.above.get(key(arc));
    const { x, top } = this.picture.placed;
    const place = known || { head: h, dependent: d, level: Math.min(top + 0.4, Math.max(1, Math.abs(h - d))), hx: x[h || d] + 3, dx: x[d] - 3 };
    this.preview.append(...pathsOf(place, this.picture.ground - SIZE.foot, -this.picture.placed.level));
  }

  // Scrolls the picture so that the front of the buffer is in sight.
  follow(frame) {
    const buffer = frame.lists[frame.lists.length - 1].words;
    const word = buffer.find((w) => w) || this.derivation.words.length;
    const area = byId("tree");
    if (area.scrollWidth <= area.clientWidth) return;
    const x = this.picture.placed.x[word];
    if (x < area.scrollLeft + 80 || x > area.scrollLeft + area.clientWidth - 80) area.scrollLeft = x - area.clientWidth / 2;
  }
}

function shown(score) {
  const size = Math.abs(score);
  return size >= 1000 ? Math.round(score).toLocaleString("en") : score.toFixed(size >= 100 ? 1 : 3);
}
