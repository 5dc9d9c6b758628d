// The theme's button, and the order in which the page comes to life.

const themes = ["system", "light", "dark"], button = get("theme");
let theme = 0;
button.hidden = false;
button.addEventListener("click", () => {
  theme = (theme + 1) % themes.length;
  get("theme-name").textContent = themes[theme];
  if (theme) document.documentElement.dataset.theme = themes[theme];
  else delete document.documentElement.dataset.theme;
  paint();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paint);

// What can be seen first is drawn first: the page is painted before the charts and the table are made.
requestAnimationFrame(() => setTimeout(() => {
  caption.textContent = idle();
  paint();
  apply();
  let width = window.innerWidth;
  window.addEventListener("resize", () => {
    paint();
    if (window.innerWidth !== width) { width = window.innerWidth; height = rowHeight(); draw(true); }
  });
  document.documentElement.dataset.ready = "yes";
}, 0));
