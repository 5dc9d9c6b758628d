// The table of entries: filters, sorting, and only as many rows in the page as can be seen.

const table = get("table"), body = get("body"), headers = [...table.querySelectorAll("[data-sort]")];
const folderButtons = [...document.querySelectorAll(".folder")];
const state = { query: "", verdicts: new Set(), rule: "", folder: null, folderName: "", group: null, groupName: "", key: "verdict", down: false };
let shown = [], active = 0, rows = new Map(), haystacks = null, ranks = {};

const byText = (texts) => {
  const order = Uint32Array.from(texts, (_, index) => index).sort((a, b) => (texts[a] < texts[b] ? -1 : texts[a] > texts[b] ? 1 : a - b));
  const rank = new Float64Array(texts.length);
  order.forEach((index, position) => { rank[index] = position; });
  return rank;
};
const keys = {
  loc: () => byText(data.loc),
  found: () => {
    const text = byText(data.rules), rank = new Float64Array(total).fill(Infinity);
    for (const [index, list] of findingsOf) {
      const [, rule, level] = list.length > 1 ? found(index)[0] : list[0];
      rank[index] = LEVELS.indexOf(level) * 1e9 + text[rule] * 1e5 - Math.min(list.length, 9e4);
    }
    return rank;
  },
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
    return `${loc} ${data.read[at] ?? ""} ${data.source[at]} ${data.said[at] ?? ""} ${commit ? commit.join(" ") : ""}`.toLowerCase();
  });
  return haystacks[index];
};

// Which entries the choice among findings leaves: a test, or null for all.
const chosen = (choice) => {
  if (!choice) return null;
  if (choice === "some") return (index) => findingsOf.has(index);
  if (choice === "none") return (index) => !findingsOf.has(index);
  const rule = rulesOf.get(data.rules.indexOf(choice.slice("rule:".length))) ?? new Set();
  return (index) => rule.has(index);
};
const apply = () => {
  const words = state.query.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = chosen(state.rule);
  const group = state.group === null ? null : groupsOf.get(state.group) ?? new Set();
  const left = [];
  for (let index = 0; index < total; index += 1) {
    if (state.verdicts.size && !state.verdicts.has(data.verdict[index])) continue;
    if (fits && !fits(index)) continue;
    if (group && !group.has(index)) continue;
    if (state.folder !== null && data.folder[index] !== state.folder) continue;
    if (words.length && !words.every((word) => haystack(index).includes(word))) continue;
    left.push(index);
  }
  const rank = rankOf(state.key), sign = state.down ? -1 : 1;
  left.sort((a, b) => {
    const one = rank[a], two = rank[b];
    if (one === two) return a - b;
    if (one === Infinity || two === Infinity) return one === Infinity ? 1 : -1;
    return sign * (one - two);
  });
  shown = left;
  active = 0;
  table.scrollTop = 0;
  draw(true);
  tell();
};
const tell = () => {
  const narrowed = [];
  if (state.folder !== null) narrowed.push(`in ${state.folderName}`);
  if (state.group !== null) narrowed.push(`with this finding: ${state.groupName}`);
  const of = shown.length === total ? `${number(total)} entries` : `${number(shown.length)} of ${number(total)} entries`;
  get("count").textContent = [of, ...narrowed].join(", ");
  get("save").disabled = !shown.length;
  get("clear").disabled = !(state.query || state.verdicts.size || state.rule || state.folder !== null || state.group !== null);
  for (const header of headers) {
    const on = header.dataset.sort === state.key;
    header.parentElement.setAttribute("aria-sort", on ? (state.down ? "descending" : "ascending") : "none");
  }
  for (const [at, button] of folderButtons.entries()) button.setAttribute("aria-pressed", String(at === state.folder));
  table.setAttribute("aria-rowcount", String(shown.length + 1));
};

// Both are told by the style, in the reader's own size of text.
const measured = (name) => parseFloat(getComputedStyle(table).getPropertyValue(name)) * parseFloat(getComputedStyle(document.documentElement).fontSize);
let height = 36, headHeight = 40;
const measure = () => { height = measured("--row") || 36; headHeight = measured("--head") || 40; };

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
  cell(row, "loc", shownLoc(index));
  cell(row, "claimed", data.said[index] ?? "");
  cell(row, "true", truth(index));
  const off = offBy(index);
  cell(row, "off", off === null ? "" : span(off));
  const list = found(index), mine = cell(row, "found", "");
  if (list.length) {
    mine.title = list.map(([, rule]) => data.rules[rule]).join(", ");
    mine.append(make("span", list[0][2], data.rules[list[0][1]]), list.length > 1 ? ` +${list.length - 1}` : "");
  }
  cell(row, "source dim", data.source[index]);
  row.addEventListener("click", () => { active = position; mark(); open(index, position); });
  return row;
};
const truth = (index) => {
  if (data.verdict[index] === "f" || apart.has(index)) return data.expected[index] ?? (data.true[index] === null ? "" : day(data.true[index]));
  return data.true[index] === null ? "" : data.verdict[index] === "t" ? data.said[index] : day(data.true[index]);
};
const draw = (anew) => {
  if (anew) { body.replaceChildren(); rows.clear(); }
  if (!shown.length) {
    body.style.height = "";
    if (anew) {
      const row = make("div"), only = make("div", "none", total ? "No entry fits this filter." : "There are no entries.");
      row.setAttribute("role", "row");
      only.setAttribute("role", "gridcell");
      row.append(only);
      body.append(row);
    }
    mark();
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
  const top = active * height, room = table.clientHeight - headHeight;
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
  else if (event.key === "Enter" && shown.length) { event.preventDefault(); open(shown[active], active); }
});
for (const header of headers) {
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
for (const [at, button] of folderButtons.entries()) {
  button.addEventListener("click", () => {
    state.folder = state.folder === at ? null : at;
    state.folderName = button.querySelector(".name").textContent;
    if (state.folder === null) apply(); else toTable();
  });
}
const showVerdicts = (letters) => {
  for (const box of document.querySelectorAll("[name=verdict]")) box.checked = letters.includes(box.value);
  state.verdicts = new Set(letters);
};
const clear = () => {
  Object.assign(state, { query: "", rule: "", folder: null, group: null });
  get("query").value = "";
  get("rule").value = "";
  showVerdicts([]);
};
for (const button of document.querySelectorAll(".count")) {
  button.addEventListener("click", () => { clear(); showVerdicts([button.dataset.verdict]); toTable(); });
}
for (const button of document.querySelectorAll(".show-group")) {
  button.hidden = false;
  button.addEventListener("click", () => {
    clear();
    state.group = Number(button.dataset.group);
    state.groupName = button.dataset.rule;
    toTable();
  });
}
get("clear").addEventListener("click", () => { clear(); apply(); get("query").focus(); });
