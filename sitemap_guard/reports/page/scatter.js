// The chart of claimed against true dates.

const canvas = get("scatter"), caption = get("scatter-caption"), ring = get("ring"), rest = caption?.textContent;
const [low, high] = data.span;
const plotted = [];
// True dots last: where thousands lie on the diagonal, false ones hours away from it must not hide them.
for (const letter of ["f", "c", "t"]) {
  for (let index = 0; index < total; index += 1) {
    if (data.verdict[index] === letter && data.claimed[index] !== null && data.true[index] !== null) plotted.push(index);
  }
}
const outside = plotted.filter((index) => data.claimed[index] < low || data.claimed[index] > high).length;
let cells = new Map(), hovered = -1;
const CELL = 14;

const steps = (width) => {
  const days = (high - low) / DAY, most = Math.max(2, Math.floor(width / (width < 400 ? 52 : 70)));
  const found = [];
  const start = new Date(low * 1000);
  if (days <= 100) {
    // Whole days, Mondays first where there are too many.
    const apart = [1, 2, 7, 14, 28].find((step) => days / step <= most) ?? 56, first = Math.ceil(low / DAY);
    const from = apart < 7 ? first : first + ((11 - (first % 7)) % 7);
    for (let one = from; one * DAY <= high; one += apart) found.push([one * DAY, day(one * DAY).slice(5)]);
    return found;
  }
  const months = days > 365 * 1.5 ? 12 * Math.max(1, Math.ceil(days / 365 / most)) : Math.max(1, Math.ceil(days / 30 / most));
  for (let step = 0; step < 400; step += 1) {
    const first = months >= 12 ? 0 : Math.floor(start.getUTCMonth() / months) * months;
    const moment = Date.UTC(start.getUTCFullYear(), first + step * months, 1) / 1000;
    if (moment > high) break;
    if (moment >= low) found.push([moment, months >= 12 ? iso(moment).slice(0, 4) : iso(moment).slice(0, 7)]);
  }
  return found;
};
const paint = () => {
  if (!canvas) return;
  const box = canvas.getBoundingClientRect(), scale = window.devicePixelRatio || 1;
  if (!box.width) return;
  const width = Math.round(box.width), tall = Math.round(box.height);
  canvas.width = width * scale;
  canvas.height = tall * scale;
  const pen = canvas.getContext("2d"), look = getComputedStyle(document.documentElement);
  const colour = (name) => look.getPropertyValue(name).trim();
  pen.scale(scale, scale);
  pen.clearRect(0, 0, width, tall);
  const left = 58, right = width - 10, top = 26, bottom = tall - 42;
  const x = (seconds) => left + ((seconds - low) / (high - low)) * (right - left);
  const y = (seconds) => bottom - ((Math.min(Math.max(seconds, low), high) - low) / (high - low)) * (bottom - top);
  pen.font = "12px system-ui, sans-serif";
  pen.lineWidth = 1;
  pen.strokeStyle = colour("--line");
  pen.fillStyle = colour("--quiet");
  pen.textBaseline = "middle";
  for (const [moment, label] of steps(right - left)) {
    const across = Math.round(x(moment)) + 0.5, up = Math.round(y(moment)) + 0.5;
    pen.beginPath();
    pen.moveTo(across, top); pen.lineTo(across, bottom);
    pen.moveTo(left, up); pen.lineTo(right, up);
    pen.stroke();
    pen.textAlign = "center";
    if (across > left + 14 && across < right - 14) pen.fillText(label, across, bottom + 14);
    pen.textAlign = "right";
    if (up > top + 6 && up < bottom - 6) pen.fillText(label, left - 8, up);
  }
  pen.textAlign = "right";
  pen.fillText(`${high - low <= 100 * DAY ? `${iso(high).slice(0, 4)}, ` : ""}really changed →`, right, bottom + 32);
  pen.textAlign = "left";
  pen.fillText("↑ claimed", 0, 8);
  pen.strokeStyle = colour("--quiet");
  pen.setLineDash([4, 4]);
  pen.beginPath();
  pen.moveTo(left, bottom); pen.lineTo(right, top);
  pen.stroke();
  pen.setLineDash([]);
  cells = new Map();
  const many = plotted.length > 4000, size = many ? 2 : plotted.length > 600 ? 3 : 4;
  const looks = { t: colour("--true"), c: colour("--untold"), f: colour("--false") };
  pen.globalAlpha = many ? 0.45 : 0.75;
  for (const index of plotted) {
    const across = x(data.true[index]), up = y(data.claimed[index]), letter = data.verdict[index];
    pen.fillStyle = looks[letter];
    if (many) pen.globalAlpha = letter === "f" ? 0.45 : 0.8;
    if (letter === "f") {
      pen.beginPath();
      pen.moveTo(across, up - size - 1); pen.lineTo(across + size + 1, up); pen.lineTo(across, up + size + 1); pen.lineTo(across - size - 1, up);
      pen.fill();
    } else if (many) pen.fillRect(across - size / 2, up - size / 2, size, size);
    else { pen.beginPath(); pen.arc(across, up, size, 0, 7); pen.fill(); }
    const key = Math.floor(across / CELL) * 10000 + Math.floor(up / CELL);
    const list = cells.get(key);
    if (!list) cells.set(key, [[across, up, index]]);
    else if (list.length < 40) list.push([across, up, index]);
  }
  pen.globalAlpha = 1;
  pen.fillStyle = colour("--ink");
  const angle = -Math.atan2(bottom - top, right - left);
  pen.save();
  // Above the line and low, where most sites have few dots: false dates of the past lie below it, most pages high on it.
  pen.translate(left + (right - left) * 0.2, bottom - (bottom - top) * 0.2);
  pen.rotate(angle);
  pen.textAlign = "center";
  label(pen, "claimed = true", 0, -12, colour("--surface"), colour("--quiet"));
  pen.restore();
  if (data.clock !== null) {
    pen.textAlign = "left";
    label(pen, "the build’s clock", left + 8, y(data.clock) + 16, colour("--surface"), colour("--false"));
  }
};
const label = (pen, text, across, up, back, ink) => {
  pen.lineWidth = 4;
  pen.strokeStyle = back;
  pen.lineJoin = "round";
  pen.strokeText(text, across, up);
  pen.fillStyle = ink;
  pen.fillText(text, across, up);
};
const near = (event) => {
  const box = canvas.getBoundingClientRect(), across = event.clientX - box.left, up = event.clientY - box.top;
  let best = [0, 0, -1], least = 144;
  for (let column = -1; column <= 1; column += 1) {
    for (let line = -1; line <= 1; line += 1) {
      const key = (Math.floor(across / CELL) + column) * 10000 + Math.floor(up / CELL) + line;
      for (const dot of cells.get(key) ?? []) {
        const distance = (dot[0] - across) ** 2 + (dot[1] - up) ** 2;
        if (distance < least) { least = distance; best = dot; }
      }
    }
  }
  return best;
};
const encircle = ([across, up, index]) => {
  ring.hidden = index < 0;
  ring.style.transform = `translate(${across}px, ${up}px)`;
};
const idle = () => (outside ? `${number(outside)} claims lie outside the chart and are drawn on its edge. ` : "") + rest;
canvas?.addEventListener("pointermove", (event) => {
  const dot = near(event), index = dot[2];
  if (index === hovered) return;
  hovered = index;
  encircle(dot);
  canvas.style.cursor = index < 0 ? "" : "pointer";
  if (index < 0) { caption.textContent = idle(); return; }
  caption.textContent = `${shownLoc(index)} claims ${data.said[index]}; ` + (offBy(index) === null
    ? `it changed ${minute(data.true[index])}: ${WORDS[data.verdict[index]]}`
    : `it changed ${minute(data.true[index])} (${wrongBy(index)})`);
});
canvas?.addEventListener("pointerleave", () => { hovered = -1; encircle([0, 0, -1]); caption.textContent = idle(); });
canvas?.addEventListener("click", (event) => { const index = near(event)[2]; if (index >= 0) open(index); });
