// The table of entries: filters, sorting, and only as many rows in the page as can be seen.

const table = get("table"), body = get("body"), headers = [...table.querySelectorAll("[data-sort]")];
const state = { query: "", verdicts: new Set(), rule: "", folder: null, group: null, groupName: "", key: "verdict", down: false };
let shown = [], active = 0, rows = new Map(), haystacks = null, ranks = {};

const byText = (texts) => {
  const order = Uint32Array.from(texts, (_, index) => index).sort((a, b) => (texts[a] < texts[b] ? -1 : texts[a] > texts[b] ? 1 : a - b));
  const rank = new Float64Array(texts.length);
  order.forEach((index, position) => { rank[index] = position; });
  return rank;
};
const keys = {
  loc: () => byText(data.loc),
  source: () => byText(data.source.map((path) => path || "\uffff")),
  verdict: () => Float64Array.from(data.loc, (_, index) => RANK[data.verdict[index]]),
  claimed: () => Float64Array.from(data.claimed, (value) => (value === null ? Infinity : value)),
  true: () => Float64Array.from(data.true, (value) => (value === null ? Infinity : value)),
  off: () => Float64Array.from(data.loc, (_, index) => { const off = offBy(index); return off === null ? Infinity : -Math.abs(off); }),
};
const rankOf = (key) => (ranks[key] ??= keys[key]());
const haystack = (index) => {
  haystacks ??= data.loc.map((loc, at) => {
    const commit = data.commits[data.witness[at]];
    return `${loc} ${data.source[at]} ${data.said[at] ?? ""} ${commit ? commit.join(" ") : ""}`.toLowerCase();
  });
  return haystacks[index];
};

const apply = () => {
  const words = state.query.toLowerCase().split(/\s+/).filter(Boolean);
  const rule = state.rule ? rulesOf.get(data.rules.indexOf(state.rule)) ?? new Set() : null;
  const group = state.group === null ? null : groupsOf.get(state.group) ?? new Set();
  const found = [];
  for (let index = 0; index < total; index += 1) {
    if (state.verdicts.size && !state.verdicts.has(data.verdict[index])) continue;
    if (rule && !rule.has(index)) continue;
    if (group && !group.has(index)) continue;
    if (state.folder !== null && !inFolder(data.loc[index], state.folder)) continue;
    if (words.length && !words.every((word) => haystack(index).includes(word))) continue;
    found.push(index);
  }
  const rank = rankOf(state.key), sign = state.down ? -1 : 1;
  found.sort((a, b) => {
    const one = rank[a], two = rank[b];
    if (one === two) return a - b;
    if (one === Infinity || two === Infinity) return one === Infinity ? 1 : -1;
    return sign * (one - two);
  });
  shown = found;
  active = 0;
  table.scrollTop = 0;
  draw(true);
  tell();
};
const inFolder = (loc, folder) => {
  if (!loc.startsWith(folder)) return false;
  // The folder that only ends in a file is that of its own files, not of the folders below it.
  return folder !== "/" || !folders.has(loc.split("/").slice(0, 2).join("/") + "/");
};
const folders = new Set([...document.querySelectorAll(".folder")].map((button) => button.dataset.folder).filter((name) => name && name !== "/"));

const tell = () => {
  const narrowed = [];
  if (state.folder !== null) narrowed.push(`in ${state.folder}`);
  if (state.group !== null) narrowed.push(`with this finding: ${state.groupName}`);
  const of = shown.length === total ? `${number(total)} entries` : `${number(shown.length)} of ${number(total)} entries`;
  get("count").textContent = [of, ...narrowed].join(", ");
  get("clear").disabled = !(state.query || state.verdicts.size || state.rule || state.folder !== null || state.group !== null);
  for (const header of headers) {
    const on = header.dataset.sort === state.key;
    header.parentElement.setAttribute("aria-sort", on ? (state.down ? "descending" : "ascending") : "none");
  }
  for (const button of document.querySelectorAll(".folder")) {
    button.setAttribute("aria-pressed", String(state.folder !== null && button.dataset.folder === state.folder));
  }
  table.setAttribute("aria-rowcount", String(shown.length + 1));
};

const rowHeight = () => parseFloat(getComputedStyle(table).getPropertyValue("--row")) || 36;
let height = rowHeight();

const cell = (row, className, text) => {
  const made = row.appendChild(make("div", `cell ${className}`, text));
  made.setAttribute("role", "gridcell");
  if (text) made.title = text;
  return made;
};
const makeRow = (position) => {
  const index = shown[position], letter = data.verdict[index];
  const row = make("div", "row");
  row.setAttribute("role", "row");
  row.setAttribute("aria-rowindex", String(position + 2));
  row.id = `row-${position}`;
  row.style.transform = `translateY(${position * height}px)`;
  const verdict = cell(row, `verdict-cell ${letter}-word`, "");
  verdict.append(make("span", `mark mark-${letter}`), WORDS[letter]);
  cell(row, "loc", data.loc[index] || "(no address)");
  cell(row, "claimed", data.said[index] ?? "");
  cell(row, "true", truth(index));
  const off = offBy(index);
  cell(row, "off", off === null ? "" : span(off));
  cell(row, "source dim", data.source[index]);
  row.addEventListener("click", () => { active = position; mark(); open(index); });
  return row;
};
const truth = (index) => {
  if (data.verdict[index] === "f") return data.expected[index] ?? (data.true[index] === null ? "" : day(data.true[index]));
  return data.true[index] === null ? "" : data.verdict[index] === "t" ? data.said[index] : day(data.true[index]);
};
const draw = (anew) => {
  if (anew) { body.replaceChildren(); rows.clear(); }
  if (!shown.length) {
    body.style.height = "";
    if (anew) body.append(make("p", "none", "No entry fits this filter."));
    return;
  }
  body.style.height = `${shown.length * height}px`;
  const first = Math.max(0, Math.floor(table.scrollTop / height) - 8);
  const last = Math.min(shown.length, Math.ceil((table.scrollTop + table.clientHeight) / height) + 8);
  for (const [position, row] of rows) {
    if (position < first || position >= last) { row.remove(); rows.delete(position); }
  }
  for (let position = first; position < last; position += 1) {
    if (!rows.has(position)) {
      const row = makeRow(position);
      rows.set(position, row);
      body.append(row);
    }
  }
  mark();
};
const mark = () => {
  for (const [position, row] of rows) row.classList.toggle("active", position === active);
  if (rows.has(active)) table.setAttribute("aria-activedescendant", `row-${active}`);
  else table.removeAttribute("aria-activedescendant");
};
const move = (to) => {
  active = Math.max(0, Math.min(shown.length - 1, to));
  const top = active * height, room = table.clientHeight - 40;
  if (top < table.scrollTop) table.scrollTop = top;
  else if (top + height > table.scrollTop + room) table.scrollTop = top + height - room;
  draw(false);
};

let waiting = false;
table.addEventListener("scroll", () => {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => { waiting = false; draw(false); });
}, { passive: true });
table.addEventListener("keydown", (event) => {
  if (event.target !== table) return;
  const page = Math.max(1, Math.floor(table.clientHeight / height) - 2);
  const steps = { ArrowDown: active + 1, ArrowUp: active - 1, PageDown: active + page, PageUp: active - page, Home: 0, End: shown.length - 1 };
  if (event.key in steps) { event.preventDefault(); move(steps[event.key]); }
  else if (event.key === "Enter" && shown.length) { event.preventDefault(); open(shown[active]); }
});
for (const header of headers) {
  header.tabIndex = 0;
  header.addEventListener("click", () => {
    state.down = state.key === header.dataset.sort && !state.down;
    state.key = header.dataset.sort;
    apply();
  });
}
let typing = 0;
get("query").addEventListener("input", (event) => {
  state.query = event.target.value;
  clearTimeout(typing);
  typing = setTimeout(apply, 60);
});
get("filters").addEventListener("submit", (event) => event.preventDefault());
for (const box of document.querySelectorAll("[name=verdict]")) {
  box.addEventListener("change", () => {
    if (box.checked) state.verdicts.add(box.value); else state.verdicts.delete(box.value);
    apply();
  });
}
get("rule").addEventListener("change", (event) => { state.rule = event.target.value; apply(); });
const toTable = () => { apply(); get("entries").scrollIntoView(); table.focus({ preventScroll: true }); };
for (const button of document.querySelectorAll(".folder")) {
  button.addEventListener("click", () => {
    state.folder = state.folder === button.dataset.folder ? null : button.dataset.folder;
    if (state.folder === null) apply(); else toTable();
  });
}
for (const button of document.querySelectorAll(".show-group")) {
  button.hidden = false;
  button.addEventListener("click", () => {
    state.group = Number(button.dataset.group);
    state.groupName = button.dataset.rule;
    toTable();
  });
}
get("clear").addEventListener("click", () => {
  Object.assign(state, { query: "", rule: "", folder: null, group: null, verdicts: new Set() });
  get("query").value = "";
  get("rule").value = "";
  for (const box of document.querySelectorAll("[name=verdict]")) box.checked = false;
  apply();
  get("query").focus();
});
