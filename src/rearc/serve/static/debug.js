// The debugger: a state is a sentence, who parses it, the transitions that were chosen, and the number of a step.

import { get, isAborted, latest, post } from "./api.js";
import { dragging, fixer } from "./fixing.js";
import { byId, el, later, options, say } from "./dom.js";
import { Frames } from "./frames.js";
import { fromLink, toLink } from "./link.js";
import { Player } from "./player.js";
import { Stage } from "./stage.js";
import { allSteps, marks, spoken, verdict } from "./telling.js";

const state = { conllu: "", model: null, system: null, single_root: false, oracle: null, transitions: [], heads: [], position: 0 };
let catalogue = { models: [], systems: [] };
let sentences = [];
let derivation = null;
let frames = null;
const signal = latest();

const fail = (error) => { if (!isAborted(error)) say(byId("message"), error.message, true); };
const guarded = (action) => (...given) => Promise.resolve(action(...given)).catch(fail);

const stage = new Stage((name) => branch(name));
const player = new Player(() => step(1), () => derivation && state.position < derivation.steps.length);

// ---- asking

function question() {
  const { conllu, model, system, single_root, oracle, transitions, heads } = state;
  const who = model ? { model } : { system, single_root };
  return { conllu, ...who, ...(oracle ? { oracle } : {}), transitions, heads };
}

async function run() {
  if (!state.conllu) return;
  const asked = question();
  delete byId("stage").dataset.step;
  const found = await post("debug/derivation", asked, signal());
  say(byId("message"), "");
  derivation = found;
  frames = new Frames(asked, found.steps.length + 1);
  byId("stage").hidden = byId("all").hidden = false;
  byId("constraints").hidden = !state.model;
  describe();
  stage.open(found);
  dragging(stage.picture, state.model ? fix : null);
  await go(state.position);
}

function describe() {
  const hasGold = derivation.gold !== null;
  const { notes } = derivation;
  byId("notes").hidden = !notes.length;
  byId("notes").replaceChildren(...notes.map((note) => el("li", {}, note)));
  options(byId("oracle"), derivation.oracles.map((name) => ({ value: name, text: name })), derivation.oracle || undefined);
  byId("oracle-field").hidden = byId("gold-field").hidden = byId("mistake").hidden = !hasGold;
  byId("mistake").disabled = !derivation.mistake;
  byId("reset").hidden = !state.transitions.length;
  byId("reset").textContent = state.model ? "Back to the parser’s way" : hasGold ? "Back to the oracle’s way" : "Start again";
  byId("slider").max = String(derivation.steps.length);
  byId("verdict").textContent = verdict(derivation);
  marks(byId("marks"), derivation);
  allSteps(byId("steps"), derivation, guarded(go));
  fixer(derivation.words, state.heads, fix, unfix);
}

// ---- moving

async function go(position) {
  const wanted = Math.max(0, Math.min(position, derivation.steps.length));
  state.position = wanted;
  byId("slider").value = String(wanted);
  const [mine, of] = [frames, derivation];
  const frame = await mine.at(wanted);
  if (mine !== frames || wanted !== state.position) return; // another one has been asked for meanwhile
  stage.show(frame);
  byId("counter").textContent = `${wanted} / ${of.steps.length}`;
  byId("slider").setAttribute("aria-valuetext", `step ${wanted} of ${of.steps.length}`);
  byId("first").disabled = byId("back").disabled = wanted === 0;
  byId("last").disabled = byId("forward").disabled = wanted === of.steps.length;
  byId("live").textContent = spoken(of, frame, wanted);
  byId("stage").dataset.step = String(wanted); // says that this step is on the screen
  remember();
}

const step = guarded((by) => go(state.position + by));
const jump = guarded((position) => { player.pause(); return go(position); });

const branch = guarded((name) => {
  player.pause();
  const taken = derivation.steps[state.position];
  if (taken?.transition === name) return go(state.position + 1);
  state.transitions = [...derivation.steps.slice(0, state.position).map((each) => each.transition), name];
  state.position += 1;
  return run();
});

const remember = later(async () => {
  const hash = await toLink(state);
  history.replaceState(null, "", `#${hash}`);
}, 120);

// ---- choosing

const fix = guarded((head, dependent) => {
  if (head === dependent) return undefined;
  const before = state.heads;
  state.heads = [...state.heads.filter(([d]) => d !== dependent), [dependent, head]];
  Object.assign(state, { transitions: [], position: 1e9 });
  return run().catch((error) => { state.heads = before; throw error; });
});

const unfix = guarded((dependent) => {
  Object.assign(state, { heads: state.heads.filter(([d]) => d !== dependent), transitions: [] });
  return run();
});

function choose(sentence, keep = {}) {
  Object.assign(state, { conllu: sentence.conllu, transitions: [], heads: [], position: 0, ...keep });
  return run();
}

const readText = guarded(async () => {
  const text = byId("text").value;
  if (!text.trim()) return;
  const found = await post("debug/sentences", { text, ...(state.model ? { model: state.model } : {}) }, signal());
  sentences = found.sentences;
  options(byId("which"), sentences.map((each, k) => ({ value: String(k), text: `${k + 1}. ${each.text.slice(0, 60)}` })));
  byId("which-field").hidden = sentences.length < 2;
  say(byId("message"), sentences.length ? "" : "There is no sentence in it.", true);
  if (sentences.length) await choose(sentences[0]);
});

function who() {
  const [kind, name] = byId("parser").value.split("|");
  state.model = kind === "model" ? name : null;
  state.system = kind === "system" ? name : null;
  state.oracle = null;
  byId("single-root-field").hidden = Boolean(state.model);
}

const parserChanged = guarded(() => {
  who();
  Object.assign(state, { transitions: [], heads: [], position: 0 });
  return run();
});

function fillParsers() {
  const group = (label, entries) => el("optgroup", { label }, ...entries.map(([value, text]) => el("option", { value }, text)));
  const models = catalogue.models.map((each) => [`model|${each.name}`, `${each.name} (${each.system}, ${each.kind})`]);
  const systems = catalogue.systems.map((each) => [`system|${each.name}`, each.name]);
  byId("parser").replaceChildren(...(models.length ? [group("Models", models)] : []), group("By hand, without a model", systems));
}

const fromAddress = guarded(async () => {
  const given = await fromLink(location.hash.slice(1));
  const value = given.model ? `model|${given.model}` : `system|${given.system}`;
  if (![...byId("parser").options].some((option) => option.value === value)) {
    throw new Error(`found a link for ${given.model || given.system}, expected a parser that this server has`);
  }
  byId("parser").value = value;
  who();
  byId("single-root").checked = Boolean(given.single_root);
  byId("text").value = given.conllu;
  Object.assign(state, {
    conllu: given.conllu, single_root: Boolean(given.single_root), oracle: given.oracle || null, transitions: given.transitions,
    heads: given.heads || [], position: Number(given.position) || 0,
  });
  await run();
});

// ---- at the start

function keys(event) {
  const tag = event.target.tagName;
  if (event.ctrlKey || event.metaKey || event.altKey || ["TEXTAREA", "SELECT"].includes(tag) || !derivation) return;
  if (tag === "INPUT" && event.target.type !== "range" && event.target.type !== "checkbox") return;
  const act = { ArrowRight: () => jump(state.position + 1), ArrowLeft: () => jump(state.position - 1), Home: () => jump(0), End: () => jump(1e9),
    m: firstMistake, M: firstMistake, " ": tag === "BUTTON" || tag === "SUMMARY" || tag === "INPUT" ? null : () => player.toggle() }[event.key];
  if (!act) return;
  event.preventDefault();
  act();
}

const firstMistake = () => { if (derivation?.mistake) jump(derivation.mistake.step); };

function listen() {
  byId("first").addEventListener("click", () => jump(0));
  byId("back").addEventListener("click", () => jump(state.position - 1));
  byId("forward").addEventListener("click", () => jump(state.position + 1));
  byId("last").addEventListener("click", () => jump(1e9));
  byId("slider").addEventListener("input", (event) => jump(Number(event.target.value)));
  byId("mistake").addEventListener("click", firstMistake);
  byId("reset").addEventListener("click", guarded(() => { state.transitions = []; return run(); }));
  byId("copy").addEventListener("click", guarded(async () => {
    history.replaceState(null, "", `#${await toLink(state)}`);
    const copied = await navigator.clipboard.writeText(location.href).then(() => true, () => false);
    byId("live").textContent = copied ? "The link is copied." : "The address of this page is the link: copy it from there.";
  }));
  byId("show-gold").addEventListener("change", guarded(() => { stage.open(derivation); dragging(stage.picture, state.model ? fix : null); return go(state.position); }));
  byId("text").addEventListener("input", later(readText, 400));
  byId("which").addEventListener("change", guarded((event) => choose(sentences[Number(event.target.value)])));
  byId("parser").addEventListener("change", parserChanged);
  byId("oracle").addEventListener("change", guarded((event) => { state.oracle = event.target.value; return run(); }));
  byId("single-root").addEventListener("change", guarded((event) => { Object.assign(state, { single_root: event.target.checked, transitions: [] }); return run(); }));
  byId("file").addEventListener("change", guarded(async (event) => {
    const [file] = event.target.files;
    if (!file) return;
    byId("text").value = await file.text();
    await readText();
  }));
  document.addEventListener("keydown", keys);
  window.addEventListener("hashchange", () => fromAddress());
}

const start = guarded(async () => {
  catalogue = await get("debug/catalogue");
  fillParsers();
  who();
  const examples = catalogue.examples || [];
  options(byId("example"), [{ value: "", text: "choose one" }, ...examples.map((each, k) => ({ value: String(k), text: each.text.slice(0, 60) }))]);
  byId("example").addEventListener("change", guarded((event) => {
    const example = examples[Number(event.target.value)];
    if (event.target.value === "") return undefined;
    byId("text").value = example.conllu;
    byId("which-field").hidden = true;
    return choose(example);
  }));
  listen();
  if (location.hash.length > 1) await fromAddress();
  else if (examples.length) {
    byId("text").value = examples[0].conllu;
    await choose(examples[0]);
  }
});

start();
