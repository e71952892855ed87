import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { h } from 'vue';
import { LiveExample } from './live-example.ts';
import { MonacoExample } from './monaco-example.ts';
import './style.css';

/** The example of the home page. */
const HOME = {
  source: 'properties["plan"] in ["pro", "team"] and number(properties["amount"]) > 100',
  record: '{ "plan": "pro", "amount": "120.50" }',
};

export default {
  extends: DefaultTheme,
  Layout: () =>
    h(DefaultTheme.Layout, null, {
      'home-hero-after': () => h('div', { class: 'home-example' }, h(LiveExample, HOME)),
    }),
  enhanceApp({ app }) {
    app.component('LiveExample', LiveExample);
    app.component('MonacoExample', MonacoExample);
  },
} satisfies Theme;
