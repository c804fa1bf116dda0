// The page of trees: a text or CoNLL-U in, a picture a sentence out, by one model or by two.

import { get, isAborted, latest, post } from "./api.js";
import { byId, el, later, options, say } from "./dom.js";
import { save, savePng, saveText } from "./download.js";
import { about, draw, hints, nonProjective } from "./drawing.js";
import { key } from "./layout.js";
import { toLink } from "./link.js";

const GIVEN = "given";
const signal = latest();
let shown = null;

const fail = (error) => { if (!isAborted(error)) say(byId("message"), error.message, true); };
const guarded = (action) => (...given) => Promise.resolve(action(...given)).catch(fail);
const isConllu = (text) => /^\d+\t/m.test(text);

const parse = guarded(async () => {
  const text = byId("text").value;
  if (!text.trim()) { show({ sentences: [] }); return; }
  const other = byId("other").value;
  const asked = { text, model: byId("model").value, ...(other && (other !== GIVEN || isConllu(text)) ? { other } : {}) };
  const answer = await post("page/trees", asked, signal());
  say(byId("message"), "");
  show(answer);
});

function show(answer) {
  shown = answer;
  const { sentences } = answer;
  const words = sentences.reduce((sum, each) => sum + each.words.length, 0);
  let differing = 0;
  byId("trees").replaceChildren(...sentences.map((sentence, k) => {
    const { card, count } = sentenceCard(sentence, k, answer);
    differing += count;
    return card;
  }));
  const said = [`${sentences.length} sentence${sentences.length === 1 ? "" : "s"}, ${words} words.`];
  if (answer.other) said.push(differing ? `${differing} words differ between ${name(answer.model)} and ${name(answer.other)}.` : "Both trees are the same.");
  byId("summary").textContent = said.join(" ");
  for (const id of ["as-svg", "as-png", "as-conllu", "as-json"]) byId(id).disabled = !sentences.length;
}

const name = (model) => (model === GIVEN ? "the trees in the text" : model);

function sentenceCard(sentence, k, answer) {
  const { words, other } = sentence;
  const first = { heads: words.map((word) => word.head), deprels: words.map((word) => word.deprel || "_"), upos: words.map((word) => word.upos) };
  const step = el("a", { href: "debug", class: "step" }, "Step through");
  toLink({ conllu: sentence.conllu, model: answer.model, transitions: [], heads: [], position: 0 }).then((hash) => step.setAttribute("href", `debug#${hash}`));
  const body = [picture(words, first, other, `tree of sentence ${k + 1}`)];
  if (other) {
    body.unshift(el("p", { class: "whose" }, name(answer.model)));
    body.push(el("p", { class: "whose" }, name(answer.other)), picture(words, other, first, `tree of sentence ${k + 1} by ${name(answer.other)}`));
  }
  const heading = el("h2", { dir: "auto" }, sentence.text);
  const id = sentence.sent_id ? el("small", {}, sentence.sent_id) : null;
  const card = el("section", { class: "card sentence", "aria-label": `Sentence ${k + 1}` }, el("header", {}, el("div", {}, id, heading), step), ...body);
  return { card, count: other ? words.filter((word, d) => !same(first, other, d)).length : 0 };
}

const same = (a, b, d) => a.heads[d] === b.heads[d] && (a.deprels[d] || "_") === (b.deprels[d] || "_");

function picture(words, tree, other, title) {
  const arcs = tree.heads.map((h, k) => [h, k + 1, tree.deprels[k] === "_" ? "" : tree.deprels[k]]).filter(([h]) => h !== null && h >= 0);
  const own = words.map((word, k) => ({ ...word, upos: tree.upos[k] }));
  const form = (w) => (w ? words[w - 1].form : "root");
  const said = arcs.map(([h, d, label]) => `${form(h)} → ${form(d)}${label ? ` ${label}` : ""}`).join(", ");
  const drawn = draw(own, arcs, [], `${title}: ${said}`);
  const crossing = nonProjective([0, ...tree.heads]);
  for (const arc of arcs) {
    const [h, d] = arc;
    const classes = [h === 0 ? "root" : "on"];
    if (crossing.has(d)) classes.push("np");
    if (other && other.heads[d - 1] !== h) classes.push("differs");
    else if (other && !same(tree, other, d - 1)) classes.push("relabelled");
    drawn.arcs.get(key(arc)).is(classes.join(" "));
    if (other && !same(tree, other, d - 1)) drawn.nodes[d - 1].classList.add("differs");
  }
  hints(drawn, (d) => about(own[d - 1], d, tree.heads[d - 1], tree.deprels[d - 1]));
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": title }, drawn.root);
}

const conllu = () => shown.sentences.map((each) => each.conllu).join("");

function listen() {
  byId("text").addEventListener("input", later(parse, 400));
  byId("text").addEventListener("keydown", (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) parse(); });
  for (const id of ["model", "other"]) byId(id).addEventListener("change", parse);
  byId("parse").addEventListener("click", parse);
  byId("file").addEventListener("change", guarded(async (event) => {
    const [file] = event.target.files;
    if (!file) return;
    byId("text").value = await file.text();
    await parse();
  }));
  byId("as-conllu").addEventListener("click", () => saveText(conllu(), "trees.conllu", "text/plain"));
  byId("as-json").addEventListener("click", guarded(() => save("json", conllu(), "trees.json")));
  byId("as-svg").addEventListener("click", guarded(() => save("svg", conllu(), "trees.svg")));
  byId("as-png").addEventListener("click", guarded(() => savePng(conllu(), "trees.png")));
}

guarded(async () => {
  const { models } = await get("debug/catalogue");
  const entries = models.map((each) => ({ value: each.name, text: `${each.name} (${each.system}, ${each.kind})` }));
  options(byId("model"), entries);
  options(byId("other"), [{ value: "", text: "nothing" }, { value: GIVEN, text: "the trees in the CoNLL-U" }, ...entries]);
  listen();
  await parse();
})();
