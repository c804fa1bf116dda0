// A tree as SVG elements: words in a row, arcs above them, and below them those of another tree.

import { el, svg } from "./dom.js";
import { SIZE, key, layout, shownTag } from "./layout.js";

const ARROW = { length: 7, width: 6.5 };

// words: [{form, upos, …}]; above, below: arcs [head, dependent, label]. Returns the picture and its parts by name.
export function draw(words, above, below = [], title = "dependency tree", room = 600) {
  const placed = layout(words, above, below, room);
  const tagged = words.some((word) => shownTag(word.upos));
  const ground = SIZE.margin + SIZE.label + placed.level * placed.top + SIZE.foot;
  const floor = ground + SIZE.form + (tagged ? SIZE.tag + 7 : 0) + 8;
  const height = below.length ? floor + placed.levelBelow * placed.bottom + SIZE.label + SIZE.margin : floor + SIZE.margin - 8;
  const root = svg("svg", {
    class: "tree", width: Math.ceil(placed.width), height: Math.ceil(height),
    viewBox: `0 0 ${Math.ceil(placed.width)} ${Math.ceil(height)}`, role: "img", "aria-label": title,
  });
  const layer = (name) => root.appendChild(svg("g", { class: name }));
  const [lines, labels, texts] = [layer("lines"), layer("labels"), layer("words")];
  const arcs = new Map();
  const under = new Map();
  for (const [name, arc] of placed.above) arcs.set(name, put(arc, lines, labels, ground - SIZE.foot, -placed.level));
  for (const [name, arc] of placed.below) under.set(name, put(arc, lines, labels, floor, placed.levelBelow));
  for (const arc of above) arcs.get(key(arc)).say(arc[2]);
  for (const arc of below) under.get(key(arc)).say(arc[2]);
  const nodes = words.map((word, k) => {
    const x = placed.x[k + 1];
    const group = svg("g", { class: "word", "data-word": k + 1 });
    const wide = Math.max(placed.half[k + 1] * 2, 24) + 8;
    group.append(svg("rect", { class: "spot", x: x - wide / 2, y: ground - 2, width: wide, height: floor - ground + 2, rx: 5 }));
    group.append(svg("text", { class: "form", x, y: ground + SIZE.form - 1, direction: placed.mirrored ? "rtl" : null }, word.form));
    if (shownTag(word.upos)) group.append(svg("text", { class: "tag", x, y: ground + SIZE.form + SIZE.tag + 6 }, word.upos));
    texts.append(group);
    return group;
  });
  return { root, arcs, under, nodes, placed, ground, width: placed.width };
}

// An arc and its label; `is` says what it is now: a list of classes, none for one that is not there.
function put(arc, lines, labels, ground, level) {
  const line = lines.appendChild(svg("g", { class: "arc" }));
  line.append(...pathsOf(arc, ground, level));
  const y = ground + level * arc.level;
  const text = labels.appendChild(svg("text", { class: "label", x: arc.lx, y: level < 0 ? y - 6 : y + SIZE.label + 3 }));
  return {
    arc, line, text,
    say: (label) => { text.textContent = label || ""; },
    is: (classes) => {
      line.setAttribute("class", classes ? `arc ${classes}` : "arc gone");
      text.setAttribute("class", classes ? `label ${classes}` : "label gone");
    },
  };
}

// each: from one level to the next, less than 0 for arcs above the words.
export function pathsOf({ head, level, hx, dx }, ground, each) {
  const way = Math.sign(each);
  const y = ground + each * level;
  const neck = ground + way * (ARROW.length - 1);
  let d = `M${dx} ${y}V${neck}`;
  if (head) {
    const corner = Math.min(SIZE.corner, Math.abs(hx - dx) / 2, Math.abs(y - ground));
    const towards = hx < dx ? corner : -corner;
    const bend = y - way * corner;
    d = `M${hx} ${ground}V${bend}Q${hx} ${y} ${hx + towards} ${y}H${dx - towards}Q${dx} ${y} ${dx} ${bend}V${neck}`;
  }
  const tip = `M${dx} ${ground}l${-ARROW.width / 2} ${way * ARROW.length}h${ARROW.width}z`;
  return [svg("path", { class: "stroke", d }), svg("path", { class: "tip", d: tip })];
}

// What is known of a word, in lines.
export function about(word, id, head, deprel) {
  const lines = [`${id} ${word.form}`];
  for (const name of ["lemma", "upos", "xpos", "feats"]) {
    const value = word[name];
    if (value && value !== "_") lines.push(`${name === "lemma" ? "lemma" : name.toUpperCase()}: ${value}`);
  }
  if (deprel && deprel !== "_") lines.push(`label: ${deprel}`);
  if (head !== undefined && head !== null) lines.push(head ? `head: ${head}` : "head: root");
  if (word.confidence !== undefined) lines.push(`confidence: ${(100 * word.confidence).toFixed(0)} %`);
  return lines;
}

// Shows what lines(word number, or dependent of the arc) says while the pointer is on it, or after a tap.
export function hints(picture, lines) {
  const box = tip();
  const show = (event, number) => {
    box.replaceChildren(...lines(number).map((line) => el("div", {}, line)));
    box.hidden = false;
    const { clientWidth } = document.documentElement;
    box.style.left = `${Math.max(4, Math.min(event.clientX + 12, clientWidth - box.offsetWidth - 8)) + window.scrollX}px`;
    box.style.top = `${event.clientY + 16 + window.scrollY}px`;
  };
  const hide = () => { box.hidden = true; };
  const listen = (part, number) => {
    for (const name of ["pointermove", "click"]) part.addEventListener(name, (event) => show(event, number)); // a tap is a click
    part.addEventListener("pointerleave", hide);
  };
  picture.nodes.forEach((node, k) => listen(node, k + 1));
  for (const { arc, line, text } of picture.arcs.values()) for (const part of [line, text]) listen(part, arc.dependent);
}

function tip() {
  let box = document.getElementById("tip");
  if (!box) document.body.append((box = el("div", { id: "tip", role: "tooltip", hidden: true })));
  return box;
}

// The dependents of arcs that span a word which does not descend from their head. heads: [0, h(1), …].
export function nonProjective(heads) {
  const found = new Set();
  for (let d = 1; d < heads.length; d++) {
    const h = heads[d];
    if (h === null || h <= 0) continue;
    for (let w = Math.min(h, d) + 1; w < Math.max(h, d); w++) {
      let up = w;
      for (let steps = 0; up > 0 && up !== h && steps <= heads.length; steps++) up = heads[up];
      if (up !== h) { found.add(d); break; }
    }
  }
  return found;
}
