// The theme's button, and the order in which the page comes to life.

const themes = ["system", "light", "dark"], button = get("theme");
// Some browsers give a file no storage; then the choice lasts as long as the page.
const remembered = (value) => {
  try {
    if (value) localStorage.setItem("sitemap-guard-theme", value);
    return localStorage.getItem("sitemap-guard-theme") ?? "";
  } catch { return value ?? ""; }
};
let theme = Math.max(0, themes.indexOf(remembered()));
const wear = () => {
  get("theme-name").textContent = themes[theme];
  if (theme) document.documentElement.dataset.theme = themes[theme];
  else delete document.documentElement.dataset.theme;
};
wear();
button.hidden = false;
button.addEventListener("click", () => {
  theme = (theme + 1) % themes.length;
  remembered(themes[theme]);
  wear();
  paint();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paint);

// What can be seen first is drawn first: the page is painted before the charts and the table are made.
requestAnimationFrame(() => setTimeout(() => {
  if (caption) caption.textContent = idle();
  measure();
  paint();
  apply();
  new ResizeObserver(paint).observe(canvas ?? table);
  // Its heading tells of a new width as well as of a new size of text.
  let first = true;
  new ResizeObserver(() => {
    if (!first) { measure(); draw(true); move(active); }
    first = false;
  }).observe(get("heading"));
  document.documentElement.dataset.ready = "yes";
}, 0));
