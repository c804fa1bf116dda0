// Where words and arcs stand: words in a row, arcs above them (and gold ones below). As in rearc show.

export const SIZE = { form: 17, tag: 11, label: 12, gap: 20, port: 9, corner: 12, margin: 20, level: 28, foot: 4 };
const FONT = '"Helvetica Neue", Helvetica, Arial, "DejaVu Sans", "Noto Sans", sans-serif';
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/gu;

const pen = document.createElement("canvas").getContext("2d");

export function textWidth(text, size) {
  pen.font = `${size}px ${FONT}`;
  return pen.measureText(text).width;
}

export const key = (arc) => `${arc[0]}-${arc[1]}`;

// words: [{form, upos}]; above and below: lists of arcs [head, dependent, label], each pair once.
// room: the height of all arcs of a side, at most.
export function layout(words, above, below = [], room = 600) {
  const n = words.length;
  const up = side(above, n);
  const down = side(below, n);
  const half = [0];
  for (let w = 1; w <= n; w++) {
    const { form, upos } = words[w - 1];
    const text = Math.max(textWidth(form, SIZE.form), shownTag(upos) ? textWidth(upos, SIZE.tag) * 1.1 : 0, 14);
    const ports = Math.max(up.ports[w].size, down.ports[w].size) * SIZE.port;
    half.push(Math.max(text, ports, up.rootWidth[w], down.rootWidth[w]) / 2);
  }
  const x = [SIZE.margin - SIZE.gap];
  for (let w = 1; w <= n; w++) {
    x.push(x[w - 1] + half[w - 1] + SIZE.gap + half[w]);
    for (const each of [up, down]) {
      for (const [name, offset] of each.ports[w]) {
        const arc = each.byKey.get(name);
        const left = Math.min(arc[0], arc[1]);
        if (left > 0 && left < w) {
          const room = textWidth(arc[2] || "", SIZE.label) + SIZE.corner + 6;
          x[w] = Math.max(x[w], x[left] + each.ports[left].get(name) + room - offset);
        }
      }
    }
  }
  const width = x[n] + half[n] + SIZE.margin;
  const mirrored = isRightToLeft(words);
  const at = (place) => (mirrored ? width - place : place);
  const place = (each) =>
    new Map(
      [...each.byKey].map(([name, arc]) => {
        const [h, d] = arc;
        const dx = x[d] + each.ports[d].get(name);
        const hx = h ? x[h] + each.ports[h].get(name) : dx;
        return [name, { head: h, dependent: d, level: each.levels.get(name), hx: at(hx), dx: at(dx), lx: at(labelPlace(each, x, name)) }];
      }),
    );
  return { x: x.map(at), half, width, mirrored, above: place(up), below: place(down),
    top: up.highest, bottom: down.highest, level: levelHeight(room, up.highest), levelBelow: levelHeight(0.7 * room, down.highest) };
}

// From one level of arcs to the next: less where there are many, so that the words stay in sight.
const levelHeight = (room, levels) => Math.max(6, Math.min(SIZE.level, room / Math.max(1, levels)));

export const shownTag = (tag) => Boolean(tag) && tag !== "_";

function isRightToLeft(words) {
  const text = words.map((word) => word.form).join("");
  return (text.match(RIGHT_TO_LEFT) || []).length > (text.match(/\p{L}/gu) || []).length / 2;
}

// All arcs of one side: their levels, and how far from the middle of a word each of them meets it.
function side(arcs, n) {
  const byKey = new Map(arcs.map((arc) => [key(arc), arc]));
  const meeting = Array.from({ length: n + 1 }, () => []);
  for (const [name, [h, d]] of byKey) {
    if (h) meeting[h].push(name);
    meeting[d].push(name);
  }
  const ports = meeting.map((names, w) => {
    const across = (name) => {
      const [h, d] = byKey.get(name);
      if (h === 0) return [1, 0];
      const other = h + d - w;
      return other < w ? [0, w - other] : [2, w - other];
    };
    const sorted = [...names].sort((a, b) => across(a)[0] - across(b)[0] || across(a)[1] - across(b)[1]);
    return new Map(sorted.map((name, k) => [name, (k - (sorted.length - 1) / 2) * SIZE.port]));
  });
  const rootWidth = Array(n + 1).fill(0);
  for (const [h, d, label] of byKey.values()) if (h === 0) rootWidth[d] = textWidth(label || "", SIZE.label);
  const levels = levelsOf(byKey, n);
  return { byKey, ports, levels, rootWidth, highest: Math.max(0, ...levels.values()) };
}

// An arc lies above all arcs that it spans or crosses and that are not longer than it.
function levelsOf(byKey, n) {
  const top = Array(n + 1).fill(0); // between the words i and i+1
  const levels = new Map();
  const length = ([h, d]) => Math.abs(h - d);
  const inner = [...byKey].filter(([, arc]) => arc[0]).sort((a, b) => length(a[1]) - length(b[1]) || a[1][0] - b[1][0]);
  for (const [name, [h, d]] of inner) {
    const [left, right] = [Math.min(h, d), Math.max(h, d)];
    const level = 1 + Math.max(...top.slice(left, right));
    levels.set(name, level);
    top.fill(level, left, right);
  }
  for (const [name, [h, d]] of byKey) if (h === 0) levels.set(name, 1 + Math.max(top[d - 1], top[d]));
  return levels;
}

// The place of a label: the middle of its arc, or near it where the end of a higher arc would run through it.
function labelPlace(each, x, name) {
  const [h, d, label] = each.byKey.get(name);
  const end = (w, which) => x[w] + each.ports[w].get(which);
  if (!h) return end(d, name);
  const [low, high] = [end(h, name), end(d, name)].sort((a, b) => a - b);
  const wish = (low + high) / 2;
  const half = textWidth(label || "", SIZE.label) / 2 + 4;
  const walls = [low];
  for (const [other, [a, b]] of each.byKey) {
    if (other === name || each.levels.get(other) <= each.levels.get(name)) continue;
    for (const w of a ? [a, b] : [b]) {
      const wall = end(w, other);
      if (wall > low && wall < high) walls.push(wall);
    }
  }
  walls.push(high);
  walls.sort((a, b) => a - b);
  let best = wish;
  let distance = Infinity;
  for (let k = 0; k + 1 < walls.length; k++) {
    if (walls[k + 1] - walls[k] < 2 * half) continue;
    const place = Math.min(Math.max(wish, walls[k] + half), walls[k + 1] - half);
    if (Math.abs(place - wish) < distance) [best, distance] = [place, Math.abs(place - wish)];
  }
  return best;
}
