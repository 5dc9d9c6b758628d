import { writeFileSync } from 'node:fs'
import { defineConfig } from 'vitepress'

export default defineConfig({
  title: 'Example',
  base: '/base/',
  srcDir: './src',
  srcExclude: ['**/draft.md'],
  cleanUrls: true,
  rewrites: {
    'packages/:pkg/src/:rest*': ':pkg/:rest*',
    'one.md': 'two/three.md'
  },
  locales: { root: { label: 'English', lang: 'en' }, fr: { label: 'Français', lang: 'fr' } },
  async buildEnd(site) {
    const rows = site.pages.map((page) => ({ url: '/base/' + (site.rewrites.map[page] ?? page).replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, ''), path: page }))
    writeFileSync('sources.json', JSON.stringify(rows))
  }
})
